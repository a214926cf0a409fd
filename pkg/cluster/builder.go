package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// builder turns fixture objects into a cluster.
type builder struct {
	discovery *discovery
	tables    map[schema.GroupKind]*tableBuilder
	findings  diag.Findings
}

// tableBuilder collects the entries of one kind by key.
type tableBuilder struct {
	namespaced bool
	entries    map[string]*entry
}

func (b *builder) report(severity diag.Severity, object manifest.Object, field, message, hint string) {
	b.findings = append(b.findings, diag.Finding{
		Severity: severity, Position: object.Position, Object: manifest.Reference(object.Unstructured),
		Field: field, Message: message, Hint: hint,
	})
}

// check gives the objects that can be in a cluster.
func (b *builder) check(objects []manifest.Object) []manifest.Object {
	valid := make([]manifest.Object, 0, len(objects))
	for _, object := range objects {
		if findings := checkObject(object); len(findings) > 0 {
			b.findings = append(b.findings, findings...)
			continue
		}
		valid = append(valid, object)
	}
	return valid
}

// learn makes the kinds of the objects known. What a CustomResourceDefinition says about its kind stands.
func (b *builder) learn(objects []manifest.Object) {
	used := map[schema.GroupVersionKind]bool{}
	namespaced := map[schema.GroupKind]bool{}
	defined := map[schema.GroupKind]bool{}
	for _, object := range objects {
		gvk := object.GroupVersionKind()
		used[gvk] = true
		if object.GetNamespace() != "" {
			namespaced[gvk.GroupKind()] = true
		}
		if gvk != crdKind {
			continue
		}
		r, findings := readCRD(object)
		b.findings = append(b.findings, findings...)
		if r != nil {
			b.discovery.restrict(r, r.versions)
			defined[r.GroupKind] = true
		}
	}
	byName := func(a, b schema.GroupVersionKind) int { return cmp.Compare(a.String(), b.String()) }
	for _, gvk := range slices.SortedFunc(maps.Keys(used), byName) {
		if !defined[gvk.GroupKind()] {
			b.discovery.learn(gvk, namespaced[gvk.GroupKind()])
		}
	}
}

// place puts the objects into tables, and says which of them no look-up finds.
func (b *builder) place(objects []manifest.Object) {
	type omission struct {
		first manifest.Object
		count int
	}
	omitted := map[schema.GroupVersionKind]*omission{}
	for _, object := range objects {
		gvk := object.GroupVersionKind()
		_, served := b.discovery.served(gvk)
		if !served {
			if omitted[gvk] == nil {
				omitted[gvk] = &omission{first: object}
			}
			omitted[gvk].count++
		}
		r, known := b.discovery.kinds[gvk.GroupKind()]
		switch {
		case gvk == crdKind && b.undefined(object):
			b.report(diag.Warning, object, "", "the cluster does not serve this API, so the CustomResourceDefinition is left out", "")
		case known && r.namespaced && object.GetNamespace() == "":
			b.report(diag.Error, object, "metadata.namespace", "a "+gvk.Kind+" belongs to a namespace, and this one names none", "")
		case known:
			b.add(r, object)
		}
	}
	for gvk, o := range omitted {
		b.report(diag.Warning, o.first, "", fmt.Sprintf("the cluster does not serve %s as %s: no look-up finds %s",
			gvk.Kind, gvk.GroupVersion(), counted(o.count)), "give the objects in a served version, or let the cluster serve it")
	}
}

func counted(n int) string {
	if n == 1 {
		return "this object"
	}
	return fmt.Sprintf("this object and %d more of them", n-1)
}

// undefined tells whether a CustomResourceDefinition is for an API that was taken away.
func (b *builder) undefined(definition manifest.Object) bool {
	r, _ := readCRD(definition)
	return r != nil && len(r.versions) > 0 && b.discovery.kinds[r.GroupKind] == nil
}

// add puts an object into the table of its kind. Where an object is given twice, the first one stays.
func (b *builder) add(r *resource, object manifest.Object) {
	t := b.tables[r.GroupKind]
	if t == nil {
		t = &tableBuilder{namespaced: r.namespaced, entries: map[string]*entry{}}
		b.tables[r.GroupKind] = t
	}
	if !r.namespaced && object.GetNamespace() != "" {
		b.report(diag.Warning, object, "metadata.namespace", "a "+r.Kind+" belongs to no namespace: this one is ignored", "")
		object = withoutNamespace(object)
	}
	key := object.GetName()
	if r.namespaced {
		key = object.GetNamespace() + "/" + key
	}
	e := newEntry(object, key)
	if earlier := t.entries[key]; earlier != nil {
		if !reflect.DeepEqual(earlier.object.Object, e.object.Object) {
			b.report(diag.Warning, object, "", "the object is given twice with different content: this one is ignored", "see "+earlier.place())
		}
		return
	}
	t.entries[key] = e
}

// addNamespaces makes every namespace exist that has an object in it.
func (b *builder) addNamespaces() {
	r, served := b.discovery.served(namespaceKind)
	if !served {
		return
	}
	missing := map[string]bool{}
	for _, t := range b.tables {
		for _, e := range t.entries {
			if namespace := e.object.GetNamespace(); namespace != "" {
				missing[namespace] = true
			}
		}
	}
	if given := b.tables[r.GroupKind]; given != nil {
		maps.DeleteFunc(missing, func(name string, _ bool) bool { return given.entries[name] != nil })
	}
	for name := range missing {
		b.add(r, manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1",
			"kind":       "Namespace",
			"metadata":   map[string]any{"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name}},
			"status":     map[string]any{"phase": "Active"},
		}}})
	}
}

func (b *builder) cluster() (*Cluster, diag.Findings) {
	c := &Cluster{discovery: b.discovery, tables: make(map[schema.GroupKind]*table, len(b.tables))}
	for gk, t := range b.tables {
		c.tables[gk] = newTable(t.namespaced, t.entries)
	}
	c.definitions = sync.OnceValue(func() *table { return withDefinitions(b.discovery, c.tables[crdKind.GroupKind()]) })
	b.findings.Sort()
	return c, b.findings
}
