package cluster

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
)

// takenAPI is what a kind was before some of its versions were taken away, or all of them.
type takenAPI struct {
	resource *resource
	// definition is the CustomResourceDefinition, nil if there was no object for it.
	definition *entry
}

// SetMissingAPIs takes the APIs away that the entries name, as MissingAPIs does, and gives all others back that it took away before.
// The objects of a kind that no version serves any more are gone, as when its CustomResourceDefinition is deleted. An entry that
// names nothing known is an error.
func (s *State) SetMissingAPIs(entries ...string) diag.Findings {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.giveBack()
	d := s.changeDiscovery()
	before := maps.Clone(d.kinds)
	findings := d.remove(entries)
	for _, r := range sorted(before) {
		if d.kinds[r.GroupKind] == r {
			continue
		}
		taken := takenAPI{resource: r}
		if d.kinds[r.GroupKind] == nil {
			taken.definition = s.emptyKind(r)
		}
		if s.away == nil {
			s.away = map[schema.GroupKind]takenAPI{}
		}
		s.away[r.GroupKind] = taken
	}
	s.version++
	s.redefine()
	return findings
}

// giveBack lets the cluster serve again what was taken away, unless it has learnt the kind anew.
func (s *State) giveBack() {
	d := s.changeDiscovery()
	for _, taken := range s.away {
		if known := d.kinds[taken.resource.GroupKind]; known != nil && len(known.versions) > len(taken.resource.versions) {
			continue
		}
		d.kinds[taken.resource.GroupKind] = taken.resource
		if taken.definition != nil {
			if definitions, served := d.served(crdKind); served {
				s.store(definitions, taken.definition)
			}
		}
	}
	s.away = nil
}

// emptyKind removes all objects of a kind, and gives its CustomResourceDefinition, which goes, too.
func (s *State) emptyKind(r *resource) (definition *entry) {
	const cause = "its API is gone"
	if t := s.view.tables[r.GroupKind]; t != nil {
		for _, e := range slices.Clone(t.entries) {
			s.finish(r, e, cause)
		}
	}
	definitions := s.view.tables[crdKind.GroupKind()]
	if definitions == nil || definitions.byKey[r.qualifiedName()] == nil {
		return nil
	}
	definition = definitions.byKey[r.qualifiedName()]
	s.drop(&resource{GroupKind: crdKind.GroupKind(), versions: []string{crdKind.Version}}, definition.key)
	return definition
}

func sorted(kinds map[schema.GroupKind]*resource) []*resource {
	return (&discovery{kinds: kinds}).all()
}

// WasServed tells whether the cluster served the kind at some time, but does not now: its API was taken away, or its
// CustomResourceDefinition deleted.
func (s *State) WasServed(kind schema.GroupKind) bool { return slices.Contains(s.FormerKinds(), kind) }

// FormerKinds are the kinds that WasServed is true for, in order.
func (s *State) FormerKinds() []schema.GroupKind {
	s.lock.Lock()
	defer s.lock.Unlock()
	former := slices.Collect(maps.Keys(s.away))
	for kind := range s.withdrawn {
		former = append(former, kind)
	}
	former = slices.DeleteFunc(former, func(kind schema.GroupKind) bool { return s.view.discovery.kinds[kind] != nil })
	slices.SortFunc(former, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(former)
}
