// Package cluster is the in-memory cluster under the template engine: the objects of one cluster, indexed for look-ups by name,
// namespace and label, and what its discovery knows.
//
// Discovery knows the built-in kinds, the kinds of Open Cluster Management, KubeVirt, external-dns and OpenShift (catalog.txt),
// every CustomResourceDefinition among the objects and every kind that an object has. It makes no difference between a hub and
// a managed cluster; MissingAPIs takes APIs away. A look-up of a CustomResourceDefinition answers for every custom kind that
// discovery knows. A namespace exists as soon as an object is in it.
package cluster

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Cluster holds the objects of one cluster. It does not change after New, so concurrent use is safe.
type Cluster struct {
	discovery *discovery
	// tables hold the objects of each kind whatever their version: an API server stores one version and serves all.
	tables map[schema.GroupKind]*table
	// definitions gives the fixtures' CustomResourceDefinitions and one for each other custom kind. It waits for the first list.
	definitions func() *table
}

type settings struct {
	missingAPIs []string
}

// Option changes what New builds.
type Option func(*settings)

// MissingAPIs takes APIs away that the cluster would serve by default. An entry is a group (kubevirt.io), a group/version
// (kubevirt.io/v1alpha3; v1 for the core group) or a resource (virtualmachines.kubevirt.io).
func MissingAPIs(entries ...string) Option {
	return func(s *settings) { s.missingAPIs = append(s.missingAPIs, entries...) }
}

// New builds a cluster of the objects, which it keeps and never changes. The findings name each object that cannot be in a
// cluster, which is then left out, and whatever of the fixtures no look-up can find. The cluster is usable whatever they say.
func New(objects []manifest.Object, options ...Option) (*Cluster, diag.Findings) {
	var s settings
	for _, option := range options {
		option(&s)
	}
	b := builder{tables: map[schema.GroupKind]*tableBuilder{}}
	discovery, err := newDiscovery()
	if err != nil {
		b.findings = append(b.findings, diag.Finding{Severity: diag.Error, Message: err.Error()})
	}
	b.discovery = discovery
	valid := b.check(objects)
	b.learn(valid)
	b.findings = append(b.findings, discovery.remove(s.missingAPIs)...)
	b.place(valid)
	b.addNamespaces()
	return b.cluster()
}

// Get gives the object of a kind that has the namespace and the name, and whether there is one. The namespace does not matter
// for a cluster-scoped kind; without one, a namespaced kind gives the first object of that name. The object carries the version
// that was asked for. It is shared: do not change it. The error is that of Resource.
func (c *Cluster) Get(gvk schema.GroupVersionKind, namespace, name string) (manifest.Object, bool, error) {
	table, err := c.table(gvk)
	if err != nil {
		return manifest.Object{}, false, err
	}
	if found := table.get(namespace, name); found != nil {
		return found.inVersion(gvk), true, nil
	}
	if r := c.discovery.defined(name); r != nil && gvk.GroupKind() == crdKind.GroupKind() {
		return newEntry(manifest.Object{Unstructured: r.crd()}, name).inVersion(gvk), true, nil
	}
	return manifest.Object{}, false, nil
}

// List gives the objects of a kind in a namespace, or in all if the namespace is empty, that the selector matches (nil matches
// all), in the order of an API server. The objects carry the version that was asked for. They are shared: do not change them.
// The error is that of Resource.
func (c *Cluster) List(gvk schema.GroupVersionKind, namespace string, selector labels.Selector) ([]manifest.Object, error) {
	entries, err := c.list(gvk, namespace, selector)
	if err != nil {
		return nil, err
	}
	objects := make([]manifest.Object, 0, len(entries))
	for _, e := range entries {
		objects = append(objects, e.inVersion(gvk))
	}
	return objects, nil
}

func (c *Cluster) list(gvk schema.GroupVersionKind, namespace string, selector labels.Selector) ([]*entry, error) {
	table, err := c.table(gvk)
	if err != nil {
		return nil, err
	}
	if gvk.GroupKind() == crdKind.GroupKind() {
		table = c.definitions()
	}
	return table.list(namespace, selector), nil
}

// table gives the fixtures of a kind, which may be none, unless the kind is not served or cannot be watched.
func (c *Cluster) table(gvk schema.GroupVersionKind) (*table, error) {
	resource, err := c.Resource(gvk)
	if err != nil {
		return nil, err
	}
	if found := c.tables[gvk.GroupKind()]; found != nil {
		return found, nil
	}
	return newTable(resource.Namespaced, nil), nil
}
