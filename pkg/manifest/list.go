package manifest

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
)

// add takes the value of a document, or of one item of a List, as an object or as a List of them. spans tell where the
// elements of a List lie in the text, where that is known.
func (d *decoder) add(value any, o *origin, at diag.Position, spans []itemSpan) {
	m, ok := value.(map[string]any)
	switch {
	case !ok:
		d.notObject(at, "it is "+typeName(value), "a manifest is a mapping with apiVersion, kind and metadata")
	case d.anyMap:
		d.objects = append(d.objects, Object{&unstructured.Unstructured{Object: m}, at, o, false, diag.Position{}})
	case isFragment(m):
		d.addFragment(m, o, at)
	case isList(m):
		d.addList(m, o, at, spans)
	default:
		d.addObject(m, o, at)
	}
}

// isList tells whether the mapping is a List, or a typed one such as PodList. A kind of its own whose name ends in List
// has no items.
func isList(m map[string]any) bool {
	kind, _ := m["kind"].(string)
	_, items := m["items"]
	return kind == "List" || items && strings.HasSuffix(kind, "List")
}

func (d *decoder) addList(list map[string]any, o *origin, at diag.Position, spans []itemSpan) {
	items, ok := list["items"].([]any)
	if !ok && list["items"] != nil {
		d.report(diag.Finding{Position: at, Object: "List", Field: "items", Message: "must be a list, not " + typeName(list["items"])})
		return
	}
	if len(spans) != len(items) {
		spans = nil
	}
	for i, item := range items {
		inheritType(item, list)
		if spans == nil {
			child, place := o.element(i)
			d.add(item, child, place, nil)
			continue
		}
		child, place := o.item(spans[i])
		d.add(item, child, place, nil)
	}
}

// item gives the origin of an element of a List that has a stretch of the text to itself.
func (o *origin) item(span itemSpan) (*origin, diag.Position) {
	child := &origin{file: o.file, excerpt: o.excerpt.part(span.start, span.end), json: o.json}
	if o.json {
		child.line, child.column = o.line+span.line, span.column
	} else {
		// The stretch begins with the line of the dash: it is a list of one.
		child.line, child.column, child.path = o.line+span.dash, 1, []any{0}
	}
	return child, diag.Position{File: o.file, Line: o.line + span.line, Column: span.column}
}

// element gives the origin of an element of a List whose place in the text is not known by offset.
func (o *origin) element(i int) (*origin, diag.Position) {
	if o.cache == nil {
		o.cache = &treeCache{}
	}
	child := *o
	child.path = append(o.path[:len(o.path):len(o.path)], "items", i)
	node := o.tree()
	for _, key := range child.path {
		_, node = step(node, key, 0)
	}
	if node == nil {
		return &child, diag.Position{File: o.file, Line: o.line}
	}
	return &child, o.position(node)
}

// inheritType gives an item without a type that of its List: the API server leaves it out in lists of built-in kinds.
func inheritType(item any, list map[string]any) {
	m, ok := item.(map[string]any)
	kind, _ := list["kind"].(string)
	if !ok || kind == "List" || m["kind"] != nil || m["apiVersion"] != nil {
		return
	}
	m["kind"], m["apiVersion"] = strings.TrimSuffix(kind, "List"), list["apiVersion"]
}

func (d *decoder) notObject(at diag.Position, why, hint string) {
	f := diag.Finding{Severity: diag.Error, Position: at, Message: "not a Kubernetes object: " + why, Hint: hint}
	if !d.strict {
		f.Severity, f.Message, f.Hint = diag.Info, "skipped: "+f.Message, ""
	}
	d.findings = append(d.findings, f)
}
