package v1alpha1

import (
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// value gives a node as the JSON value of a type. It gives false for a null and for a value that it had to report.
func (d *decoder) value(node *yaml.Node, t reflect.Type, path string) (any, bool) {
	if node = d.follow(node, path); node == nil {
		return nil, false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[AllowedDomain]() && node.Kind == yaml.ScalarNode {
		t = reflect.TypeFor[string]()
	}
	if isNull(node) {
		return nil, false
	}
	switch t.Kind() {
	case reflect.Struct:
		return d.structure(node, t, path)
	case reflect.Map:
		return d.stringMap(node, path)
	case reflect.Slice:
		return d.list(node, t, path)
	default:
		return d.scalar(node, t, path)
	}
}

// follow gives the node that an alias stands for. It gives nil once the document has become too large.
func (d *decoder) follow(node *yaml.Node, path string) *yaml.Node {
	for node != nil && d.spend(1, node, path) {
		if node.Kind != yaml.AliasNode {
			return node
		}
		node = node.Alias
	}
	return nil
}

// spend counts n more values, and tells whether the document may have so many.
func (d *decoder) spend(n int, node *yaml.Node, path string) bool {
	before := d.nodes
	d.nodes += n
	if before <= maxNodes && d.nodes > maxNodes {
		d.fault(node, path, fmt.Sprintf("the document has more than %d values", maxNodes), "do its aliases multiply?")
	}
	return d.nodes <= maxNodes
}

func (d *decoder) structure(node *yaml.Node, t reflect.Type, path string) (any, bool) {
	if node.Kind != yaml.MappingNode {
		d.fault(node, path, "want a map, got "+describe(node), "")
		return nil, false
	}
	types := map[string]reflect.Type{}
	for _, f := range jsonFields(t) {
		types[f.name] = f.typ
	}
	object := map[string]any{}
	for _, e := range d.entries(node, path, childField) {
		field := childField(path, e.key.Value)
		fieldType, known := types[e.key.Value]
		if !known {
			d.unknownField(e, t, path)
			continue
		}
		d.mark(field, e.key, e.value)
		if value, ok := d.value(e.value, fieldType, field); ok {
			object[e.key.Value] = value
		}
	}
	return object, true
}

// stringMap decodes labels and annotations.
func (d *decoder) stringMap(node *yaml.Node, path string) (any, bool) {
	if node.Kind != yaml.MappingNode {
		d.fault(node, path, "want a map, got "+describe(node), "")
		return nil, false
	}
	object := map[string]any{}
	for _, e := range d.entries(node, path, keyField) {
		field := keyField(path, e.key.Value)
		d.mark(field, e.key, e.value)
		if key := d.follow(e.key, field); key != nil {
			if _, ok := d.scalar(key, reflect.TypeFor[string](), field); !ok {
				continue
			}
		}
		if value := d.follow(e.value, field); value != nil {
			if text, ok := d.scalar(value, reflect.TypeFor[string](), field); ok {
				object[e.key.Value] = text
			}
		}
	}
	return object, true
}

func (d *decoder) list(node *yaml.Node, t reflect.Type, path string) (any, bool) {
	if node.Kind != yaml.SequenceNode {
		hint := ""
		if node.Kind == yaml.ScalarNode && t.Elem().Kind() == reflect.String {
			hint = "write [" + node.Value + "]"
		}
		d.fault(node, path, "want a list, got "+describe(node), hint)
		return nil, false
	}
	items := []any{}
	for i, item := range node.Content {
		field := keyField(path, strconv.Itoa(i))
		d.mark(field, item, item)
		// A list keeps the place of an item that is faulty, since the paths of the others count on it.
		value, ok := d.value(item, t.Elem(), field)
		if !ok {
			if resolved := d.follow(item, field); resolved != nil && isNull(resolved) {
				d.fault(item, field, "an item of the list is empty", "remove it")
			}
			value = nil
		}
		items = append(items, value)
	}
	return items, true
}

// mark remembers where a field stands: at its value if that is a scalar or in flow style, else at its key.
func (d *decoder) mark(field string, key, value *yaml.Node) {
	node := value
	if node.Kind != yaml.ScalarNode && node.Kind != yaml.AliasNode && node.Style&yaml.FlowStyle == 0 || isNull(node) {
		node = key
	}
	d.source.positions[field] = d.position(node)
}
