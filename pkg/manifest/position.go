package manifest

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
	"weak"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/diag"
)

// origin is the text that an object was read from: its document, or its part of a List.
type origin struct {
	file string
	excerpt
	// line and column are the place of the text's first character in the file.
	line, column int
	json         bool
	// path leads from the root of the text to the object.
	path []any
	// fragment says that the object was made of a document that holds object-templates-raw alone.
	fragment bool
	// cache is set where many objects share one text.
	cache *treeCache
}

// treeCache keeps a syntax tree for as long as the garbage collector lets it.
type treeCache struct {
	mutex sync.Mutex
	tree  weak.Pointer[yaml.Node]
}

// tree parses the text. It returns nil if the text cannot be parsed.
func (o *origin) tree() *yaml.Node {
	if o.cache == nil {
		return parseTree(o.get(), o.json)
	}
	o.cache.mutex.Lock()
	defer o.cache.mutex.Unlock()
	tree := o.cache.tree.Value()
	if tree == nil {
		tree = parseTree(o.get(), o.json)
		o.cache.tree = weak.Make(tree)
	}
	return tree
}

// position gives the place of a node of the tree.
func (o *origin) position(node *yaml.Node) diag.Position {
	at := diag.Position{File: o.file, Line: o.line + node.Line - 1, Column: node.Column}
	if node.Line == 1 {
		at.Column += o.column - 1
	}
	return at
}

// FieldPosition gives the place of a field: of its key in a mapping, or of the element of a list. The path holds
// strings and ints, as in FieldPosition("spec", "rules", 0, "host"). A field that does not exist has the place of its
// nearest parent that does. Each call parses the object's document again, so that no tree is kept: ask for the places
// that a message shows, not for those of all fields.
func (o Object) FieldPosition(path ...any) diag.Position {
	node, at := o.find(path)
	if o.placed && o.isChanged(node, path) {
		return o.elsewhere
	}
	return at
}

// isChanged tells whether a field of an object that was made of another one differs from what the file says.
func (o Object) isChanged(node *yaml.Node, path []any) bool {
	value := o.valueAt(path)
	switch {
	case node == nil:
		return value != nil
	case node.Kind != yaml.ScalarNode:
		return false
	}
	return value == nil || fmt.Sprint(value) != node.Value
}

// BlockPosition gives the place of the first line of the text of a block scalar (| or >): line n of a literal block's
// text is line n-1 below it. ok is false if the field is not written as a block scalar.
func (o Object) BlockPosition(path ...any) (at diag.Position, ok bool) {
	node, _ := o.find(path)
	if node == nil || node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || o.placed && o.isChanged(node, path) {
		return diag.Position{}, false
	}
	whole := o.origin.get()
	rest := skipLines(whole, node.Line-1)
	for range node.Column - 1 {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	header := node.Line + headerLine(rest)
	text := skipLines(whole, header)
	blank := len(text) - len(strings.TrimLeft(text, " \n"))
	indent := blank - 1 - strings.LastIndexByte(text[:blank], '\n')
	return diag.Position{File: o.origin.file, Line: o.origin.line + header, Column: indent + 1}, true
}

// PlacedAs gives the object with the places of another one, from which it was made by changing some of its fields, and with
// another place for those.
func (o Object) PlacedAs(source Object, elsewhere diag.Position) Object {
	o.Position, o.origin, o.placed, o.elsewhere = source.Position, source.origin, source.origin != nil, elsewhere
	return o
}

// valueAt gives a field, or nil.
func (o Object) valueAt(path []any) any {
	var value any = o.Object
	for _, step := range path {
		switch container := value.(type) {
		case map[string]any:
			key, _ := step.(string)
			value = container[key]
		case []any:
			index, _ := step.(int)
			if index < 0 || index >= len(container) {
				return nil
			}
			value = container[index]
		default:
			return nil
		}
	}
	return value
}

// skipLines gives the text without its first n lines.
func skipLines(text string, n int) string {
	for ; n > 0; n-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// headerLine counts the lines from the beginning of a block scalar, which may be its anchor or tag, to its indicator.
func headerLine(text string) int {
	for line := 0; ; line++ {
		first, rest, more := strings.Cut(text, "\n")
		for _, word := range strings.Fields(first) {
			if word[0] == '|' || word[0] == '>' {
				return line
			}
			if word[0] == '#' {
				break
			}
		}
		if !more {
			return 0
		}
		text = rest
	}
}

// find follows the path. It returns the node, or nil if the path does not lead to one, and the place that it got to.
func (o Object) find(path []any) (*yaml.Node, diag.Position) {
	if o.origin == nil {
		return nil, o.Position
	}
	if o.origin.fragment {
		if len(path) < 2 || path[0] != "spec" || path[1] != rawTemplates {
			return nil, o.Position
		}
		path = path[1:]
	}
	node := o.origin.tree()
	for _, key := range o.origin.path {
		_, node = step(node, key, 0)
	}
	at := o.Position
	for _, key := range path {
		var place *yaml.Node
		if place, node = step(node, key, 0); node == nil {
			return nil, at
		}
		at = o.origin.position(place)
	}
	return node, at
}

// written gives a scalar as it is written in the file, or an empty string if the field is no scalar.
func (o Object) written(path []any) string {
	node, _ := o.find(path)
	if node == nil || node.Kind != yaml.ScalarNode {
		return ""
	}
	return node.Value
}

// step goes from a node to one of its fields or elements. It returns the node that marks its place, and its value.
func step(node *yaml.Node, key any, depth int) (place, value *yaml.Node) {
	if node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node == nil || depth > maxDepth {
		return nil, nil
	}
	switch key := key.(type) {
	case int:
		if node.Kind == yaml.SequenceNode && key >= 0 && key < len(node.Content) {
			return node.Content[key], node.Content[key]
		}
	case string:
		if node.Kind != yaml.MappingNode {
			return nil, nil
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if keyText(node.Content[i]) == key {
				return node.Content[i], node.Content[i+1]
			}
		}
		return stepMerged(node, key, depth)
	}
	return nil, nil
}

// stepMerged looks a key up in what a mapping merges in.
func stepMerged(node *yaml.Node, key string, depth int) (place, value *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Tag != "!!merge" {
			continue
		}
		sources := []*yaml.Node{node.Content[i+1]}
		if sources[0].Kind == yaml.SequenceNode {
			sources = sources[0].Content
		}
		for _, source := range sources {
			if place, value = step(source, key, depth+1); value != nil {
				return place, value
			}
		}
	}
	return nil, nil
}
