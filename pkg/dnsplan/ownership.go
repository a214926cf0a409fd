package dnsplan

import (
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/registry/mapper"
)

// mapper gives the names of ownership records.
func (i *instance) mapper() mapper.AffixNameMapper {
	return mapper.NewAffixNameMapper(i.config.TXTPrefix, i.config.TXTSuffix, i.config.TXTWildcardReplacement)
}

// ownershipName is the name of the ownership record of a record.
func (i *instance) ownershipName(name, recordType string) string {
	return strings.ToLower(i.mapper().ToTXTName(strings.TrimSuffix(name, "."), recordType))
}

// ownership is what a TXT record says about another record.
type ownership struct {
	txt    recordKey
	labels endpoint.Labels
}

func (o ownership) owner() string    { return o.labels[endpoint.OwnerLabelKey] }
func (o ownership) resource() string { return o.labels[endpoint.ResourceLabelKey] }

// owners finds the ownership of records for one way of naming ownership records.
type owners struct {
	index       map[recordKey]ownership
	texts       map[recordKey]bool
	replacement string
}

// naming is what the names and texts of ownership records depend on.
type naming struct{ prefix, suffix, replacement, key string }

func (i *instance) naming() naming {
	c := i.config
	return naming{c.TXTPrefix, c.TXTSuffix, c.TXTWildcardReplacement, c.TXTEncryptAESKey}
}

// newOwners reads all ownership records, as the registry of external-dns does.
func newOwners(w world, n naming) owners {
	o := owners{index: map[recordKey]ownership{}, texts: map[recordKey]bool{}, replacement: strings.ToLower(n.replacement)}
	names := mapper.NewAffixNameMapper(n.prefix, n.suffix, n.replacement)
	key := []byte(n.key)
	for _, z := range w {
		for k, e := range z.records {
			if k.recordType != endpoint.RecordTypeTXT || len(e.Targets) == 0 {
				continue
			}
			labels, err := endpoint.NewLabelsFromString(e.Targets[0], key)
			if err != nil {
				continue
			}
			o.texts[k] = true
			if name, recordType := names.ToEndpointName(k.name); name != "" {
				o.index[recordKey{name, recordType, k.setIdentifier}] = ownership{k, labels}
			}
		}
	}
	return o
}

// of gives the ownership of a record, which may be nil.
func (o owners) of(key recordKey, e *endpoint.Endpoint) (ownership, bool) {
	if rest, wild := strings.CutPrefix(key.name, "*."); wild && o.replacement != "" {
		key.name = o.replacement + "." + rest
	}
	found, ok := o.index[key]
	if key.recordType == endpoint.RecordTypeA && e != nil && isAlias(e) {
		// The ownership records of aliases are named as those of CNAMEs are.
		found, ok = o.index[recordKey{key.name, endpoint.RecordTypeCNAME, key.setIdentifier}]
	}
	if !ok && key.recordType != endpoint.RecordTypeAAAA {
		// So are those of external-dns before 0.12, without a type.
		found, ok = o.index[recordKey{key.name, "", key.setIdentifier}]
	}
	return found, ok
}

// allOwners finds ownership whatever way it is named in.
type allOwners struct {
	list   []owners
	byName map[naming]owners
}

func newAllOwners(w world, instances []*instance) allOwners {
	all := allOwners{byName: map[naming]owners{}}
	for _, i := range instances {
		if _, known := all.byName[i.naming()]; !known {
			o := newOwners(w, i.naming())
			all.byName[i.naming()] = o
			all.list = append(all.list, o)
		}
	}
	return all
}

// of gives the ownership of a record as any external-dns sees it.
func (a allOwners) of(key recordKey, e *endpoint.Endpoint) (ownership, bool) {
	for _, o := range a.list {
		if found, ok := o.of(key, e); ok {
			return found, true
		}
	}
	return ownership{}, false
}

// isOwnership tells whether a TXT record is an ownership record of any external-dns.
func (a allOwners) isOwnership(key recordKey) bool {
	return slices.ContainsFunc(a.list, func(o owners) bool { return o.texts[key] })
}
