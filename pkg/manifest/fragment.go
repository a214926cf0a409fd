package manifest

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
)

const rawTemplates = "object-templates-raw"

func isFragment(m map[string]any) bool {
	_, ok := m[rawTemplates]
	return ok && len(m) == 1
}

func (d *decoder) addFragment(m map[string]any, o *origin, at diag.Position) {
	raw, ok := m[rawTemplates].(string)
	switch {
	case !d.fragments:
		d.notObject(at, "it holds "+rawTemplates+" alone", "such a fragment belongs into a policy, or under manifests: of a PolicyGenerator")
		return
	case !ok:
		d.report(diag.Finding{Position: at, Field: rawTemplates, Message: "must be a string, not " + typeName(m[rawTemplates]), Hint: "write the template as a block: " + rawTemplates + ": |"})
		return
	}
	o.fragment = true
	d.objects = append(d.objects, Object{&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy.open-cluster-management.io/v1",
		"kind":       "ConfigurationPolicy",
		"metadata":   map[string]any{"name": nameOfFile(d.file)},
		"spec":       map[string]any{"remediationAction": "inform", "severity": "low", rawTemplates: raw},
	}}, at, o, false, diag.Position{}})
}

// nameOfFile makes a DNS-1123 name of the base name of a file.
func nameOfFile(file string) string {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, base)
	name = strings.Trim(name[:min(len(name), 60)], "-")
	if name == "" {
		return "fragment"
	}
	return name
}

// numberFragments tells the fragments of one file apart: the second one is <name>-2.
func numberFragments(objects []Object) {
	n := 0
	for _, o := range objects {
		if o.origin.fragment {
			if n++; n > 1 {
				o.SetName(fmt.Sprintf("%s-%d", o.GetName(), n))
			}
		}
	}
}
