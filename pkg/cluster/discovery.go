package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/stolostron/kubernetes-dependency-watches/client"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// discovery knows the kinds that a cluster serves. The resources in it may be shared, so a change replaces them.
type discovery struct {
	kinds map[schema.GroupKind]*resource
}

// newDiscovery knows the bundled kinds.
func newDiscovery() (*discovery, error) {
	bundled, err := catalog()
	if err != nil {
		return &discovery{kinds: map[schema.GroupKind]*resource{}}, err
	}
	return &discovery{kinds: maps.Clone(bundled)}, nil
}

// clone gives a discovery that knows the same and may change.
func (d *discovery) clone() *discovery { return &discovery{kinds: maps.Clone(d.kinds)} }

// served gives the resource of a kind if its version is served.
func (d *discovery) served(gvk schema.GroupVersionKind) (*resource, bool) {
	r, known := d.kinds[gvk.GroupKind()]
	if !known || !slices.Contains(r.versions, gvk.Version) {
		return nil, false
	}
	return r, true
}

// learn makes the kind of a fixture object known, with the version that the object has.
func (d *discovery) learn(gvk schema.GroupVersionKind, namespaced bool) {
	known, found := d.kinds[gvk.GroupKind()]
	if !found {
		d.kinds[gvk.GroupKind()] = &resource{
			GroupKind: gvk.GroupKind(), provider: d.providerOf(gvk.Group), plural: pluralOf(gvk.Kind),
			namespaced: namespaced, watchable: true, versions: []string{gvk.Version},
		}
		return
	}
	if !slices.Contains(known.versions, gvk.Version) {
		d.restrict(known, append(slices.Clone(known.versions), gvk.Version))
	}
}

// restrict replaces the served versions of a kind; without any it is not served at all.
func (d *discovery) restrict(r *resource, versions []string) {
	if len(versions) == 0 {
		delete(d.kinds, r.GroupKind)
		return
	}
	changed := *r
	changed.versions = versions
	d.kinds[r.GroupKind] = &changed
}

// providerOf tells who serves an unknown kind: whoever serves the rest of its group, if that is not CustomResourceDefinitions.
func (d *discovery) providerOf(group string) provider {
	found := custom
	for gk, r := range d.kinds {
		if gk.Group != group {
			continue
		}
		if r.provider == custom {
			return custom
		}
		found = r.provider
	}
	return found
}

// all gives the resources in the order of group and plural.
func (d *discovery) all() []*resource {
	return slices.SortedFunc(maps.Values(d.kinds), func(a, b *resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.plural, b.plural), cmp.Compare(a.Kind, b.Kind))
	})
}

// Resource gives the resource and the scope of a kind. The error wraps client.ErrNoVersionedResource where the cluster does not
// serve the kind in that version. It wraps client.ErrResourceUnwatchable, beside a valid resource, where the API cannot be
// watched: the template engine of a managed cluster refuses to look such kinds up.
func (c *Cluster) Resource(gvk schema.GroupVersionKind) (client.ScopedGVR, error) {
	r, served := c.discovery.served(gvk)
	if !served {
		return client.ScopedGVR{}, client.ErrNoVersionedResource
	}
	gvr := client.ScopedGVR{
		GroupVersionResource: gvk.GroupVersion().WithResource(r.plural),
		Namespaced:           r.namespaced,
	}
	if !r.watchable {
		return gvr, fmt.Errorf("%v cannot be watched: %w", gvk, client.ErrResourceUnwatchable)
	}
	return gvr, nil
}

// APIResourceLists gives all that the cluster serves as an API server's discovery does: one list for each group version, sorted.
func (c *Cluster) APIResourceLists() []*metav1.APIResourceList {
	lists := map[string]*metav1.APIResourceList{}
	for _, r := range c.discovery.all() {
		for _, version := range r.versions {
			groupVersion := schema.GroupVersion{Group: r.Group, Version: version}.String()
			list := lists[groupVersion]
			if list == nil {
				list = &metav1.APIResourceList{GroupVersion: groupVersion}
				lists[groupVersion] = list
			}
			list.APIResources = append(list.APIResources, r.apiResource(version))
		}
	}
	names := slices.Sorted(maps.Keys(lists))
	result := make([]*metav1.APIResourceList, 0, len(names))
	for _, name := range names {
		result = append(result, lists[name])
	}
	return result
}

func (r *resource) apiResource(version string) metav1.APIResource {
	verbs := metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update"}
	if r.watchable {
		verbs = append(verbs, "watch")
	}
	return metav1.APIResource{
		Name: r.plural, Namespaced: r.namespaced, Group: r.Group, Version: version, Kind: r.Kind, Verbs: verbs,
	}
}
