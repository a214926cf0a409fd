package dnsplan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
)

// recordKey names a record set: the name in lower case without a final dot, the type, and what tells record sets with a routing
// policy apart.
type recordKey struct{ name, recordType, setIdentifier string }

func keyOf(e *endpoint.Endpoint) recordKey {
	return recordKey{canonical(e.DNSName), e.RecordType, e.SetIdentifier}
}

func (k recordKey) compare(other recordKey) int {
	return cmp.Or(cmp.Compare(k.name, other.name), cmp.Compare(k.recordType, other.recordType), cmp.Compare(k.setIdentifier, other.setIdentifier))
}

func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// records are the record sets of a zone. They are shared between zones, so nobody changes them in place.
type records map[recordKey]*endpoint.Endpoint

// world is all DNS zones by name.
type world map[string]*zone

// zone is one DNS zone.
type zone struct {
	records records
	// cnames and others count the record sets of each name by whether they are CNAMEs, for a CNAME stands alone. The others are
	// counted only when there is a CNAME to write.
	cnames, others map[string]int
	// implied says that nobody named the zone.
	implied bool
}

func newZone() *zone {
	return &zone{records: records{}, cnames: map[string]int{}}
}

func (z *zone) set(key recordKey, e *endpoint.Endpoint) {
	if _, there := z.records[key]; !there {
		z.count(key, 1)
	}
	z.records[key] = e
}

func (z *zone) remove(key recordKey) {
	if _, there := z.records[key]; there {
		z.count(key, -1)
		delete(z.records, key)
	}
}

func (z *zone) count(key recordKey, by int) {
	switch {
	case key.recordType == endpoint.RecordTypeCNAME:
		z.cnames[key.name] += by
	case z.others != nil:
		z.others[key.name] += by
	}
}

// hasOthers tells whether a name has records that are no CNAMEs.
func (z *zone) hasOthers(name string) bool {
	if z.others == nil {
		z.others = map[string]int{}
		for key := range z.records {
			if key.recordType != endpoint.RecordTypeCNAME {
				z.others[key.name]++
			}
		}
	}
	return z.others[name] > 0
}

// copy gives zones that go their own way.
func (w world) copy() world {
	c := world{}
	for name, z := range w {
		c[name] = &zone{records: maps.Clone(z.records), cnames: maps.Clone(z.cnames), implied: z.implied}
	}
	return c
}

// names are the zones in order.
func (w world) names() []string { return slices.Sorted(maps.Keys(w)) }

// zoneOf gives the zone that takes a name: the longest one that the name ends with, at the border of a label.
func (w world) zoneOf(name string, visible func(zone string) bool) string {
	for rest := canonical(name); rest != ""; {
		if _, there := w[rest]; there && visible(rest) {
			return rest
		}
		_, after, found := strings.Cut(rest, ".")
		if !found {
			return ""
		}
		rest = after
	}
	return ""
}

// find gives the record set of a key, wherever it is.
func (w world) find(key recordKey) *endpoint.Endpoint {
	for rest := key.name; rest != ""; {
		if z := w[rest]; z != nil && z.records[key] != nil {
			return z.records[key]
		}
		_, after, found := strings.Cut(rest, ".")
		if !found {
			break
		}
		rest = after
	}
	return nil
}

// equalRecords tells whether two record sets say the same, whatever the order of their targets.
func equalRecords(a, b *endpoint.Endpoint) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.RecordTTL == b.RecordTTL && sameTargets(a.Targets, b.Targets) && slices.Equal(a.ProviderSpecific, b.ProviderSpecific)
}

func sameTargets(a, b endpoint.Targets) bool {
	if len(a) != len(b) {
		return false
	}
	return slices.Equal(a, b) || slices.Clone(a).Same(slices.Clone(b))
}
