package dnsplan

import (
	"context"
	"slices"

	"github.com/policyloom/policyloom/pkg/quiet"
)

// Settle gives the zones as they are when the external-dns of all clusters have done what Run says, ownership records included. The
// error is that of Run.
func Settle(ctx context.Context, in Input) ([]StartZone, error) {
	quiet.ExternalDNS()
	r := runner{in: in}
	r.prepare()
	start := r.startZones()
	if r.faulty {
		r.findings.Sort()
		return nil, r.findings
	}
	o, err := simulate(ctx, start, r.instances)
	if err != nil {
		return nil, err
	}
	zones := make([]StartZone, 0, len(o.world))
	for _, name := range o.world.names() {
		zone := StartZone{Name: name}
		for key, e := range o.world[name].records {
			record := StartRecord{
				Name: key.name, Type: key.recordType, SetIdentifier: key.setIdentifier, TTL: int64(e.RecordTTL), Targets: slices.Clone(e.Targets),
			}
			for _, property := range e.ProviderSpecific {
				if record.Properties == nil {
					record.Properties = map[string]string{}
				}
				record.Properties[property.Name] = property.Value
			}
			zone.Records = append(zone.Records, record)
		}
		slices.SortFunc(zone.Records, func(a, b StartRecord) int {
			return recordKey{a.Name, a.Type, a.SetIdentifier}.compare(recordKey{b.Name, b.Type, b.SetIdentifier})
		})
		zones = append(zones, zone)
	}
	return zones, nil
}
