package dnsplan

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/plan"

	"github.com/policyloom/policyloom/pkg/diag"
)

// StartZone is a DNS zone as it is before external-dns runs.
type StartZone struct {
	// Name is that of the zone, without a final dot.
	Name string
	// Records are its record sets, without those that belong to the zone itself.
	Records  []StartRecord
	Position diag.Position
}

// StartRecord is a record set of a zone.
type StartRecord struct {
	Name, Type, SetIdentifier string
	// TTL is in seconds.
	TTL     int64
	Targets []string
	// Properties are those of the DNS provider, such as alias.
	Properties map[string]string
	Position   diag.Position
}

func (r StartRecord) endpoint() *endpoint.Endpoint {
	e := &endpoint.Endpoint{RecordTTL: endpoint.TTL(r.TTL), Targets: slices.Clone(r.Targets)}
	for _, name := range sortedKeys(r.Properties) {
		e.WithProviderSpecific(name, r.Properties[name])
	}
	return e
}

// CheckZones says what is wrong with zones: records that are outside of their zone, there twice, or beside a CNAME.
func CheckZones(zones []StartZone) diag.Findings {
	_, findings := newWorld(zones)
	return findings
}

// newWorld puts the records into their zones.
func newWorld(zones []StartZone) (world, diag.Findings) {
	w := world{}
	var findings diag.Findings
	fail := func(at diag.Position, message, hint string) {
		findings = append(findings, diag.Finding{Severity: diag.Error, Position: at, Message: message, Hint: hint})
	}
	for _, start := range zones {
		name := canonical(start.Name)
		if reason := nameFault(name, "", ""); reason != "" {
			fail(start.Position, fmt.Sprintf("%q is no name of a zone: %s", start.Name, reason), "")
			continue
		}
		z := w[name]
		if z == nil {
			z = newZone()
			w[name] = z
		}
		for _, record := range start.Records {
			if message, hint := z.add(name, record); message != "" {
				fail(record.Position, message, hint)
			}
		}
	}
	return w, findings
}

// startZones gives the zones at the start. Without any zone it assumes empty ones.
func (r *runner) startZones() world {
	w, findings := newWorld(r.in.Zones)
	r.must(findings)
	if len(r.in.Zones) == 0 {
		for _, name := range r.assumedZones() {
			w[name] = newZone()
			w[name].implied = true
		}
		if len(w) > 0 {
			r.findings = append(r.findings, diag.Finding{
				Severity: diag.Info, Message: "no zone is named: empty zones are assumed: " + listed(w.names()),
				Hint: "name zones with --zone and --zone-file",
			})
		}
	}
	return w
}

// add puts a record into the zone, or says why it cannot be there.
func (z *zone) add(name string, record StartRecord) (message, hint string) {
	key := recordKey{canonical(record.Name), record.Type, record.SetIdentifier}
	subject := fmt.Sprintf("%s %s ", record.Name, record.Type)
	switch conflict := z.conflict(key, false); {
	case key.name != name && !strings.HasSuffix(key.name, "."+name):
		return subject + "is not in the zone " + name, "names of records are written in full"
	case z.records[key] != nil:
		return subject + "is there twice", "write one record with several targets"
	case len(record.Targets) == 0:
		return subject + "has no targets", ""
	case conflict != "":
		return subject + "cannot be there: " + conflict, ""
	}
	z.set(key, record.endpoint())
	return "", ""
}

// assumedZones are the domains of the names that are asked for: those of the domain filters, else the one below the public suffix.
func (r *runner) assumedZones() []string {
	var filters, names []string
	for _, i := range r.instances {
		for _, filter := range i.config.DomainFilter {
			if filter = canonical(strings.Trim(strings.TrimSpace(filter), ".")); nameFault(filter, "", "") == "" {
				filters = append(filters, filter)
			}
		}
		for _, t := range i.desired {
			if plan.IsManagedRecord(t.RecordType, i.config.ManagedDNSRecordTypes, i.config.ExcludeDNSRecordTypes) && i.filter.Match(t.DNSName) {
				names = append(names, canonical(t.DNSName))
			}
		}
	}
	var list []string
	for _, name := range names {
		if nameFault(name, "", "") != "" {
			continue
		}
		at := ""
		for _, filter := range filters {
			if (name == filter || strings.HasSuffix(name, "."+filter)) && (at == "" || len(filter) < len(at)) {
				at = filter
			}
		}
		if at == "" {
			at = domainOf(name)
		}
		list = append(list, at)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// domainOf gives the domain that a name is likely to be registered under.
func domainOf(name string) string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimPrefix(name, "*."))
	if err != nil || domain == name {
		if _, parent, found := strings.Cut(name, "."); found {
			return parent
		}
		return name
	}
	return domain
}
