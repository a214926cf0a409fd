package dnsplan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// zoneYAML is a document of our own form of zones.
type zoneYAML struct {
	// Zone is the name of the zone.
	Zone    string       `json:"zone"`
	Records []recordYAML `json:"records"`
}

// recordYAML is a record set in it.
type recordYAML struct {
	// Name is written in full, without a final dot.
	Name          string   `json:"name"`
	Type          string   `json:"type"`
	TTL           int64    `json:"ttl"`
	Targets       []string `json:"targets"`
	SetIdentifier string   `json:"setIdentifier"`
	// Owner and Resource add the ownership record that external-dns writes, under the name that it has without a prefix.
	Owner    string `json:"owner"`
	Resource string `json:"resource"`
	// Properties are those of the DNS provider.
	Properties map[string]string `json:"properties"`
}

// zonesFromYAML reads documents of the form zone, records.
func zonesFromYAML(file string, data []byte) ([]StartZone, diag.Findings) {
	documents, findings := manifest.Decode(file, data, manifest.AnyMap())
	var list []StartZone
	for _, document := range documents {
		var decoded zoneYAML
		ok, found := strict.Decode(document, &decoded)
		for i := range found {
			found[i].Object = ""
		}
		findings = append(findings, found...)
		if !ok {
			continue
		}
		zone := StartZone{Name: decoded.Zone, Position: document.Position}
		if decoded.Zone == "" {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: document.Position, Field: "zone", Message: "the name of the zone is missing", Hint: "write zone: example.com",
			})
			continue
		}
		for n, record := range decoded.Records {
			at := document.FieldPosition("records", n)
			records, problem := record.startRecords()
			if problem != "" {
				findings = append(findings, diag.Finding{Severity: diag.Error, Position: at, Field: fmt.Sprintf("records[%d]", n), Message: problem})
			}
			for _, r := range records {
				r.Position = at
				zone.Records = append(zone.Records, r)
			}
		}
		list = append(list, zone)
	}
	return list, findings
}

// startRecords gives the record, and its ownership record if it has an owner.
func (r recordYAML) startRecords() (list []StartRecord, problem string) {
	switch {
	case r.Name == "":
		return nil, "the name is missing"
	case !slices.Contains(endpoint.KnownRecordTypes, r.Type):
		return nil, fmt.Sprintf("%q is no type of records (%s)", r.Type, strings.Join(endpoint.KnownRecordTypes, ", "))
	case r.Resource != "" && r.Owner == "":
		return nil, "a resource takes an owner"
	case r.Owner != "" && r.Type == endpoint.RecordTypeTXT:
		return nil, "an owner is for other records than TXT"
	}
	list = []StartRecord{{
		Name: r.Name, Type: r.Type, TTL: r.TTL, Targets: r.Targets, SetIdentifier: r.SetIdentifier, Properties: r.Properties,
	}}
	if r.Type == endpoint.RecordTypeTXT {
		list[0].Targets = quoted(r.Targets)
	}
	if r.Owner != "" {
		labels := endpoint.Labels{endpoint.OwnerLabelKey: r.Owner}
		if r.Resource != "" {
			labels[endpoint.ResourceLabelKey] = r.Resource
		}
		list = append(list, StartRecord{
			Name: (&instance{config: plainConfig}).ownershipName(r.Name, r.Type), Type: endpoint.RecordTypeTXT, SetIdentifier: r.SetIdentifier,
			Targets: []string{labels.SerializePlain(true)},
		})
	}
	return list, ""
}

// quoted puts texts into quotes, as external-dns writes them.
func quoted(texts []string) []string {
	list := make([]string, 0, len(texts))
	for _, text := range texts {
		if len(text) < 2 || !strings.HasPrefix(text, `"`) {
			text = `"` + text + `"`
		}
		list = append(list, text)
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
