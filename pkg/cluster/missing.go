package cluster

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
)

// remove takes away the APIs that the entries name: a group, a group/version (v1 is the core group's) or a resource as
// <plural>.<group> (a bare plural for the core group). An entry that names nothing known is an error.
func (d *discovery) remove(entries []string) diag.Findings {
	if len(entries) == 0 {
		return nil
	}
	names := d.removable()
	var findings diag.Findings
	for i, entry := range entries {
		if names[entry] == nil {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Field: fmt.Sprintf("missingAPIs[%d]", i),
				Message: fmt.Sprintf("no API is called %q; give a group, a group/version or <plural>.<group>", entry),
				Hint:    diag.DidYouMean(entry, slices.Sorted(maps.Keys(names))),
			})
			continue
		}
		for _, gvk := range names[entry] {
			if r, served := d.served(gvk); served {
				d.restrict(r, slices.DeleteFunc(slices.Clone(r.versions), func(v string) bool { return v == gvk.Version }))
			}
		}
	}
	return findings
}

// removable gives each name that an entry can have, and the kinds behind it.
func (d *discovery) removable() map[string][]schema.GroupVersionKind {
	names := map[string][]schema.GroupVersionKind{}
	for _, r := range d.kinds {
		for _, version := range r.versions {
			gvk := r.WithVersion(version)
			for _, name := range []string{r.Group, gvk.GroupVersion().String(), r.qualifiedName()} {
				if name != "" {
					names[name] = append(names[name], gvk)
				}
			}
		}
	}
	return names
}

// qualifiedName is the resource's name across all groups, and the name of its CustomResourceDefinition.
func (r *resource) qualifiedName() string {
	return schema.GroupResource{Group: r.Group, Resource: r.plural}.String()
}
