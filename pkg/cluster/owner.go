package cluster

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ownedBy is the place of an object that has owners.
type ownedBy struct {
	kind schema.GroupKind
	key  string
}

// ownerIndex gives the objects that name an owner, by the owner's uid. Nil says that nobody has asked yet.
type ownerIndex map[types.UID]map[ownedBy]bool

func (x ownerIndex) replace(at ownedBy, before, after *entry) {
	if x == nil {
		return
	}
	if before != nil {
		for _, reference := range before.object.GetOwnerReferences() {
			delete(x[reference.UID], at)
		}
	}
	if after == nil {
		return
	}
	for _, reference := range after.object.GetOwnerReferences() {
		if x[reference.UID] == nil {
			x[reference.UID] = map[ownedBy]bool{}
		}
		x[reference.UID][at] = true
	}
}

// dependents gives the objects that name an owner, in a stable order.
func (s *State) dependents(owner types.UID) []ownedBy {
	if s.owners == nil {
		s.owners = ownerIndex{}
		for kind, t := range s.view.tables {
			for _, e := range t.entries {
				s.owners.replace(ownedBy{kind, e.key}, nil, e)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(s.owners[owner]), func(a, b ownedBy) int {
		return cmp.Compare(a.kind.String()+"/"+a.key, b.kind.String()+"/"+b.key)
	})
}
