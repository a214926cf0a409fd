package cluster

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var crdKind = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}

// readCRD gives the kind that a CustomResourceDefinition defines, or nil and why it defines none.
func readCRD(object manifest.Object) (*resource, diag.Findings) {
	spec, _ := object.Object["spec"].(map[string]any)
	group, _, _ := unstructured.NestedString(spec, "group")
	kind, _, _ := unstructured.NestedString(spec, "names", "kind")
	plural, _, _ := unstructured.NestedString(spec, "names", "plural")
	scope, _, _ := unstructured.NestedString(spec, "scope")
	if group == "" || kind == "" || plural == "" || (scope != "Namespaced" && scope != "Cluster") {
		return nil, diag.Findings{{
			Severity: diag.Error, Position: object.Position, Object: manifest.Reference(object.Unstructured), Field: "spec",
			Message: "the CustomResourceDefinition needs group, names.kind, names.plural, and scope Namespaced or Cluster",
		}}
	}
	return &resource{
		GroupKind: schema.GroupKind{Group: group, Kind: kind}, provider: custom, plural: plural,
		namespaced: scope == "Namespaced", watchable: true, versions: servedVersions(spec),
	}, nil
}

// servedVersions lists the served versions of a CustomResourceDefinition, the stored one first.
func servedVersions(spec map[string]any) []string {
	var names []string
	versions, _ := spec["versions"].([]any)
	for _, item := range versions {
		version, _ := item.(map[string]any)
		name, _ := version["name"].(string)
		if served, _ := version["served"].(bool); !served || name == "" || slices.Contains(names, name) {
			continue
		}
		if storage, _ := version["storage"].(bool); storage {
			names = slices.Insert(names, 0, name)
			continue
		}
		names = append(names, name)
	}
	return names
}

// crd gives the least CustomResourceDefinition that an API server which serves the resource could hold.
func (r *resource) crd() *unstructured.Unstructured {
	versions := make([]any, 0, len(r.versions))
	for i, name := range r.versions {
		versions = append(versions, map[string]any{"name": name, "served": true, "storage": i == 0})
	}
	scope := "Cluster"
	if r.namespaced {
		scope = "Namespaced"
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": crdKind.GroupVersion().String(),
		"kind":       crdKind.Kind,
		"metadata":   map[string]any{"name": r.qualifiedName()},
		"spec": map[string]any{
			"group":    r.Group,
			"names":    map[string]any{"kind": r.Kind, "listKind": r.Kind + "List", "plural": r.plural},
			"scope":    scope,
			"versions": versions,
		},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "NamesAccepted", "status": "True"},
			map[string]any{"type": "Established", "status": "True"},
		}},
	}}
}

// defined gives the custom kind whose CustomResourceDefinition has the name, or nil.
func (d *discovery) defined(name string) *resource {
	plural, group, _ := strings.Cut(name, ".")
	var found *resource
	for gk, r := range d.kinds {
		if gk.Group == group && r.plural == plural && r.provider == custom && (found == nil || r.Kind < found.Kind) {
			found = r
		}
	}
	return found
}

// withDefinitions gives the fixtures' CustomResourceDefinitions and one for each other custom kind.
func withDefinitions(d *discovery, fixtures *table) *table {
	entries := map[string]*entry{}
	if fixtures != nil {
		maps.Copy(entries, fixtures.byKey)
	}
	for _, r := range d.all() {
		if name := r.qualifiedName(); r.provider == custom && entries[name] == nil {
			entries[name] = newEntry(manifest.Object{Unstructured: r.crd()}, name)
		}
	}
	return newTable(false, entries)
}
