package manifest

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// jsonTree gives the syntax tree of a JSON text in the form that the YAML parser has, or nil if it has errors.
func jsonTree(text string) *yaml.Node {
	b := treeBuilder{jsonParser: jsonParser{text: text, intern: newInterner()}, line: 1}
	root, err := b.node()
	if err != nil {
		return nil
	}
	return root
}

// treeBuilder reads JSON into nodes. It counts the lines up to counted, of which the last begins at lineStart.
type treeBuilder struct {
	jsonParser
	line, counted, lineStart int
}

// mark makes a node for what begins at the current position.
func (b *treeBuilder) mark(kind yaml.Kind) *yaml.Node {
	for ; b.counted < b.pos; b.counted++ {
		if b.text[b.counted] == '\n' {
			b.line, b.lineStart = b.line+1, b.counted+1
		}
	}
	return &yaml.Node{Kind: kind, Line: b.line, Column: 1 + utf8.RuneCountInString(b.text[b.lineStart:b.pos])}
}

func (b *treeBuilder) node() (*yaml.Node, error) {
	switch b.peek() {
	case '{':
		node := b.mark(yaml.MappingNode)
		return node, b.children(node, '}', b.member)
	case '[':
		node := b.mark(yaml.SequenceNode)
		return node, b.children(node, ']', func(node *yaml.Node) error {
			child, err := b.node()
			node.Content = append(node.Content, child)
			return err
		})
	}
	node := b.mark(yaml.ScalarNode)
	start := b.pos
	_, err := b.value()
	node.Value = b.text[start:b.pos]
	return node, err
}

func (b *treeBuilder) member(node *yaml.Node) error {
	b.space()
	key := b.mark(yaml.ScalarNode)
	key.Style = yaml.DoubleQuotedStyle
	var err error
	if key.Value, err = b.key(); err != nil {
		return err
	}
	value, err := b.node()
	node.Content = append(node.Content, key, value)
	return err
}

func (b *treeBuilder) children(node *yaml.Node, closing byte, read func(*yaml.Node) error) error {
	if err := b.enter(); err != nil {
		return err
	}
	err := b.members(closing, func() error { return read(node) })
	b.depth--
	return err
}
