package cluster

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// KindNames are the names of all kinds that the cluster serves.
func (c *Cluster) KindNames() []string {
	names := map[string]bool{}
	for kind := range c.discovery.kinds {
		names[kind.Kind] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// KindsNamed gives the served kinds that a name may mean, each in the version that is stored: a kind alone, or Kind.group.
func (c *Cluster) KindsNamed(name string) []schema.GroupVersionKind {
	var found []schema.GroupVersionKind
	for kind, r := range c.discovery.kinds {
		if (kind.Kind == name || kind.String() == name) && len(r.versions) > 0 {
			found = append(found, r.WithVersion(r.versions[0]))
		}
	}
	slices.SortFunc(found, func(a, b schema.GroupVersionKind) int { return cmp.Compare(a.String(), b.String()) })
	return found
}
