package cluster

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// allDefinitions gives the CustomResourceDefinitions of the objects and one for each other custom kind.
func (c *Cluster) allDefinitions() *table {
	return withDefinitions(c.discovery, c.tables[crdKind.GroupKind()])
}

// redefine forgets what was made of the definitions, since they have changed.
func (s *State) redefine() {
	view := s.view
	view.definitions = sync.OnceValue(view.allDefinitions)
	clear(s.schemas)
}

// changeDiscovery gives what discovery knows, to change.
func (s *State) changeDiscovery() *discovery {
	s.changed = true
	if !s.ownsDiscovery {
		s.view.discovery, s.ownsDiscovery = s.view.discovery.clone(), true
	}
	return s.view.discovery
}

// establish lets the cluster serve what a CustomResourceDefinition defines.
func (s *State) establish(definition manifest.Object) {
	if r, _ := readCRD(definition); r != nil {
		s.changeDiscovery().restrict(r, r.versions)
		s.redefine()
	}
}

// withdraw takes the kind of a CustomResourceDefinition away, and its objects.
func (s *State) withdraw(definition manifest.Object) {
	r, _ := readCRD(definition)
	if r == nil {
		return
	}
	if t := s.view.tables[r.GroupKind]; t != nil {
		known := s.view.discovery.kinds[r.GroupKind]
		if known == nil {
			known = r
		}
		for _, e := range slices.Clone(t.entries) {
			s.remove(known, e, "its CustomResourceDefinition is gone")
		}
	}
	s.changeDiscovery().restrict(r, nil)
	if s.withdrawn == nil {
		s.withdrawn = map[schema.GroupKind]bool{}
	}
	s.withdrawn[r.GroupKind] = true
	s.redefine()
}

// resourceOf gives the kind behind a resource if its version is served.
func (s *State) resourceOf(gvr schema.GroupVersionResource) *resource {
	for _, r := range s.view.discovery.kinds {
		if r.Group == gvr.Group && r.plural == gvr.Resource && slices.Contains(r.versions, gvr.Version) {
			return r
		}
	}
	return nil
}
