package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
)

// addObject takes a mapping as an object if it has what every object needs, and metadata of the types that an API
// server accepts.
func (d *decoder) addObject(m map[string]any, o *origin, at diag.Position) {
	c := checker{object: Object{&unstructured.Unstructured{Object: m}, at, o, false, diag.Position{}}}
	if why, hint := notObject(m); why != "" {
		d.notObject(at, why, hint)
		return
	}
	c.text(m, "apiVersion")
	c.text(m, "kind")
	c.metadata(m["metadata"])
	if len(c.findings) > 0 {
		d.findings = append(d.findings, c.findings...)
		return
	}
	d.objects = append(d.objects, c.object)
}

// notObject says why the mapping is no Kubernetes object at all, or returns an empty string if it is one.
func notObject(m map[string]any) (why, hint string) {
	var missing []string
	for _, key := range []string{"apiVersion", "kind"} {
		if m[key] == nil {
			missing = append(missing, key)
			if hint == "" {
				hint = misspelt(key, m)
			}
		}
	}
	switch len(missing) {
	case 0:
		return "", ""
	case 1:
		return missing[0] + " is missing", hint
	}
	if m["metadata"] == nil && hint == "" {
		hint = "move the file elsewhere if it is no manifest"
	}
	return "apiVersion and kind are missing", hint
}

// misspelt looks for a key that was meant to be the wanted one.
func misspelt(wanted string, m map[string]any) string {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(key string) bool {
		return slices.Contains([]string{"apiVersion", "kind", "metadata", "spec", "status", "data"}, key)
	})
	for _, key := range keys {
		if strings.EqualFold(key, wanted) {
			return fmt.Sprintf("rename %q to %s", key, wanted)
		}
	}
	if key := diag.Suggest(wanted, keys); key != "" && len(key) > 2 {
		return fmt.Sprintf("rename %q to %s", key, wanted)
	}
	return ""
}

// checker collects the findings about one object.
type checker struct {
	object   Object
	findings diag.Findings
}

func (c *checker) report(message, hint string, path ...any) {
	f := diag.Finding{Severity: diag.Error, Position: c.object.FieldPosition(path...), Message: message, Hint: hint}
	f.Object, f.Field = looseReference(c.object.Object), fieldPath(path)
	c.findings = append(c.findings, f)
}

// looseReference names an object that may be broken.
func looseReference(m map[string]any) string {
	kind, _ := m["kind"].(string)
	metadata, _ := m["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if namespace, _ := metadata["namespace"].(string); namespace != "" {
		name = namespace + "/" + name
	}
	return strings.TrimSpace(kind + " " + name)
}

// fieldPath writes a path the way kubectl does, with keys that hold dots or slashes in brackets.
func fieldPath(path []any) string {
	var b strings.Builder
	for _, key := range path {
		switch key := key.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", key)
		case string:
			switch {
			case key == "" || strings.ContainsAny(key, "./[]\" "):
				fmt.Fprintf(&b, "[%q]", key)
			case b.Len() > 0:
				b.WriteString("." + key)
			default:
				b.WriteString(key)
			}
		}
	}
	return b.String()
}

// text checks a string that must be there.
func (c *checker) text(m map[string]any, path ...any) {
	switch value := m[path[len(path)-1].(string)].(type) {
	case string:
		if value == "" {
			c.report("must not be empty", "", path...)
		}
	default:
		c.wrongType(value, "a string", path...)
	}
}

func (c *checker) wrongType(value any, want string, path ...any) {
	hint := ""
	if _, scalar := value.(string); want == "a string" && !scalar {
		if written := c.object.written(path); written != "" {
			hint = fmt.Sprintf("put it in quotes: %q", written)
		}
	}
	c.report("must be "+want+", not "+typeName(value), hint, path...)
}

func (c *checker) metadata(value any) {
	m, ok := value.(map[string]any)
	switch {
	case value == nil:
		c.report("is missing", misspelt("metadata", c.object.Object), "metadata", "name")
		return
	case !ok:
		c.wrongType(value, "a mapping", "metadata")
		return
	case m["name"] == nil && m["generateName"] != nil:
		c.report("is missing", "generateName needs a live cluster; give the object a name", "metadata", "name")
	case m["name"] == nil:
		c.report("is missing", misspelt("name", m), "metadata", "name")
	default:
		c.text(m, "metadata", "name")
	}
	for _, key := range []string{"namespace", "generateName", "uid", "resourceVersion"} {
		if value := m[key]; value != nil && typeName(value) != "a string" {
			c.wrongType(value, "a string", "metadata", key)
		}
	}
	for _, key := range []string{"creationTimestamp", "deletionTimestamp"} {
		c.time(m[key], "metadata", key)
	}
	for _, key := range []string{"labels", "annotations"} {
		c.textMap(m[key], "metadata", key)
	}
	if v, ok := m["generation"]; ok && v != nil && typeName(v) != "a number" {
		c.wrongType(v, "a number", "metadata", "generation")
	}
	c.list(m["finalizers"], "a string", "metadata", "finalizers")
	c.list(m["ownerReferences"], "a mapping", "metadata", "ownerReferences")
}

func (c *checker) time(value any, path ...any) {
	s, ok := value.(string)
	switch {
	case value == nil:
	case !ok:
		c.wrongType(value, "a string", path...)
	default:
		if _, err := time.Parse(time.RFC3339, s); err != nil {
			c.report(fmt.Sprintf("%.40q is not a time", s), "write it like 2006-01-02T15:04:05Z", path...)
		}
	}
}

// textMap checks labels or annotations. An API server takes null for the empty string there, and so does this.
func (c *checker) textMap(value any, path ...any) {
	m, ok := value.(map[string]any)
	if value != nil && !ok {
		c.wrongType(value, "a mapping", path...)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch v := m[key].(type) {
		case string:
		case nil:
			c.emptyText(key, path)
		default:
			c.wrongType(v, "a string", append(path[:len(path):len(path)], key)...)
		}
	}
}

// emptyText makes a value of labels or annotations the empty string. It changes copies, since parts may be shared.
func (c *checker) emptyText(key string, path []any) {
	m := c.object.Object
	for _, step := range path {
		field := step.(string)
		below := maps.Clone(m[field].(map[string]any))
		m[field] = below
		m = below
	}
	m[key] = ""
}

func (c *checker) list(value any, element string, path ...any) {
	list, ok := value.([]any)
	if value != nil && !ok {
		c.wrongType(value, "a list", path...)
		return
	}
	for i, v := range list {
		if typeName(v) != element {
			c.wrongType(v, element, append(path[:len(path):len(path)], i)...)
		}
	}
}
