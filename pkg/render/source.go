package render

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// source finds places in the user's file: those of a policy template, which may be a part of a root policy.
type source struct {
	// object is what was read from the file, and path leads in it to the policy template.
	object manifest.Object
	path   []any
	// resolved is the policy template after its hub templates are resolved.
	resolved *unstructured.Unstructured
}

// place gives the place of a field of the policy template. Objects that were built or generated have no lines.
func (s source) place(field string) diag.Position {
	if s.object.Unstructured == nil || s.object.Line == 0 {
		return s.object.Position
	}
	return s.object.FieldPosition(s.full(field)...)
}

// line gives the place of a line of the text of a field, if the text is a block scalar in the user's file.
func (s source) line(field string, line int) (diag.Position, bool) {
	if s.object.Unstructured == nil || s.object.Line == 0 {
		return diag.Position{}, false
	}
	at, ok := s.object.BlockPosition(s.full(field)...)
	if !ok {
		return diag.Position{}, false
	}
	written, _ := lookUp(s.object.Object, s.full(field)).(string)
	resolved, _ := lookUp(s.resolved.Object, strict.Path(field)).(string)
	if line, ok = writtenLine(written, resolved, line); !ok {
		return diag.Position{}, false
	}
	return diag.Position{File: at.File, Line: at.Line + line - 1}, true
}

// written gives the text of a field in the user's file.
func (s source) written(field string) string {
	text, _ := lookUp(s.object.Object, s.full(field)).(string)
	return text
}

func (s source) full(field string) []any { return slices.Concat(s.path, strict.Path(field)) }

// lookUp follows a path of keys and indexes.
func lookUp(value any, path []any) any {
	for _, step := range path {
		switch container := value.(type) {
		case map[string]any:
			key, _ := step.(string)
			value = container[key]
		case []any:
			index, isIndex := step.(int)
			if !isIndex || index < 0 || index >= len(container) {
				return nil
			}
			value = container[index]
		default:
			return nil
		}
	}
	return value
}
