package evaluate

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// FieldChange is a field that differs between two states of an object.
type FieldChange struct {
	// Path is written as in spec.endpoints[0].targets, with keys that hold more than letters, digits and hyphens in quotes.
	Path string `json:"path"`
	// Before and After are nil where the field is not there.
	Before any `json:"before,omitempty"`
	After  any `json:"after,omitempty"`
}

// serverFields are those of the metadata that an API server sets itself.
var serverFields = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// secretFields are those of a Secret whose values are not shown.
var secretFields = []string{"data", "stringData"}

// FieldChanges gives the fields that differ, in the order of their paths. What only an API server sets is left out, and the values of
// Secrets are not shown.
func FieldChanges(before, after *unstructured.Unstructured) []FieldChange {
	d := differ{}
	d.maps("", WithoutServerFields(before).Object, WithoutServerFields(after).Object)
	if before.GetKind() == "Secret" && before.GroupVersionKind().Group == "" {
		for i, change := range d.changes {
			if isSecret(change.Path) {
				d.changes[i].Before, d.changes[i].After = hidden(change.Before), hidden(change.After)
			}
		}
	}
	return d.changes
}

// WithoutServerFields gives the object, which it shares, without what an API server sets.
func WithoutServerFields(object *unstructured.Unstructured) *unstructured.Unstructured {
	if object == nil {
		return nil
	}
	content := maps.Clone(object.Object)
	if metadata, isMap := content["metadata"].(map[string]any); isMap {
		metadata = maps.Clone(metadata)
		for _, field := range serverFields {
			delete(metadata, field)
		}
		content["metadata"] = metadata
	}
	return &unstructured.Unstructured{Object: content}
}

func isSecret(path string) bool {
	return slices.ContainsFunc(secretFields, func(field string) bool {
		return path == field || len(path) > len(field) && path[:len(field)] == field && (path[len(field)] == '.' || path[len(field)] == '[')
	})
}

func hidden(value any) any {
	if value == nil {
		return nil
	}
	return "(not shown)"
}

type differ struct{ changes []FieldChange }

func (d *differ) values(path string, before, after any) {
	switch from := before.(type) {
	case map[string]any:
		if to, isMap := after.(map[string]any); isMap {
			d.maps(path, from, to)
			return
		}
	case []any:
		if to, isList := after.([]any); isList && len(from) == len(to) {
			for i := range from {
				d.values(fmt.Sprintf("%s[%d]", path, i), from[i], to[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(before, after) {
		d.changes = append(d.changes, FieldChange{Path: path, Before: before, After: after})
	}
}

func (d *differ) maps(path string, before, after map[string]any) {
	keys := slices.Collect(maps.Keys(before))
	for key := range after {
		if _, both := before[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		d.values(join(path, key), before[key], after[key])
	}
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func join(path, key string) string {
	switch {
	case !plainKey.MatchString(key):
		return fmt.Sprintf("%s[%q]", path, key)
	case path == "":
		return key
	default:
		return path + "." + key
	}
}
