package evaluate

import (
	"fmt"
	"strings"
	"text/template"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

// trail remembers the items of the ranges that a template is in.
type trail []step

type step struct {
	number int
	// item is the item at hand, the count-th of the range.
	item  any
	count int
}

// functions are those that a traced template calls.
func (t *trail) functions() template.FuncMap {
	return template.FuncMap{
		templatetext.ItemFunction: func(number int, item any) string {
			steps := *t
			if len(steps) > 0 && steps[len(steps)-1].number == number {
				last := &steps[len(steps)-1]
				last.item, last.count = item, last.count+1
				return ""
			}
			*t = append(steps, step{number: number, item: item, count: 1})
			return ""
		},
		templatetext.EndFunction: func(number int) string {
			// A range over nothing has no step.
			if steps := *t; len(steps) > 0 && steps[len(steps)-1].number == number {
				*t = steps[:len(steps)-1]
			}
			return ""
		},
	}
}

// where tells what a template that fails when it is executed was at: it executes it once more, and follows the ranges. It is
// empty outside of ranges.
func (r *renderer) where(text string, context any) string {
	traced, ok := templatetext.Traced(text)
	if !ok {
		return ""
	}
	var t trail
	if _, err := r.resolve([]byte(traced), true, context, t.functions()); err == nil {
		return ""
	}
	var lines []string
	for _, s := range t {
		lines = append(lines, fmt.Sprintf("at item %d of a range: %s", s.count, r.describe(s.item, text)))
	}
	return strings.Join(lines, "\n")
}

// describe names an item: an object by its reference and its place in the fixtures, a text by itself. Of templates that may
// read Secrets no texts are shown.
func (r *renderer) describe(item any, text string) string {
	switch item := item.(type) {
	case map[string]any:
		object := &unstructured.Unstructured{Object: item}
		if object.GetKind() == "" {
			return "a map"
		}
		name := manifest.Reference(object)
		if known, found, err := r.cluster.Get(object.GroupVersionKind(), object.GetNamespace(), object.GetName()); err == nil && found && known.File != "" {
			name += ", " + known.Position.String()
		}
		return name
	case string:
		if strings.Contains(text, "Secret") {
			return "a text"
		}
		return fmt.Sprintf("%.80q", item)
	case nil:
		return "nothing"
	default:
		return fmt.Sprintf("a value of type %T", item)
	}
}
