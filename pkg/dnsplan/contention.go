package dnsplan

import (
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
)

// contended tells whether the order of the external-dns could matter: that takes a name that two of them ask for or own. What an
// external-dns does depends on nothing else than such names and their ownership records.
func contended(start world, instances []*instance) bool {
	byOwner := map[string]*instance{}
	for _, i := range instances {
		if i.ownsNothing() || i.config.TXTOwnerOld != "" || byOwner[i.owner()] != nil {
			return true
		}
		byOwner[i.owner()] = i
	}
	claims := map[string]*instance{}
	claim := func(name string, i *instance) bool {
		other, claimed := claims[name]
		claims[name] = i
		return claimed && other != i
	}
	for _, i := range instances {
		for _, t := range i.desired {
			name := canonical(strings.TrimSpace(t.DNSName))
			if claim(name, i) || claim(i.ownershipName(name, t.RecordType), i) {
				return true
			}
		}
	}
	for _, o := range newAllOwners(start, instances).list {
		for key, found := range o.index {
			i := byOwner[found.owner()]
			if i != nil && (claim(key.name, i) || claim(found.txt.name, i)) {
				return true
			}
		}
	}
	return spoofs(instances)
}

// spoofs tells whether a label could hand a record to another owner.
func spoofs(instances []*instance) bool {
	for _, i := range instances {
		for _, t := range i.desired {
			if _, _, found := spoof(t.Labels); found || t.Labels[endpoint.OwnerLabelKey] != "" {
				return true
			}
		}
	}
	return false
}
