package manifest

import "go.yaml.in/yaml/v3"

// jsonTree gives the syntax tree of a JSON text in the form that the YAML parser has, or nil if it has errors.
func jsonTree(text string) *yaml.Node {
	b := treeBuilder{jsonParser: jsonParser{text: text, intern: newInterner()}, lines: lineCounter{text: text, line: 1}}
	root, err := b.node()
	if err != nil {
		return nil
	}
	return root
}

// treeBuilder reads JSON into nodes.
type treeBuilder struct {
	jsonParser
	lines lineCounter
}

// mark makes a node for what begins at the current position.
func (b *treeBuilder) mark(kind yaml.Kind) *yaml.Node {
	line, column := b.lines.place(b.pos)
	return &yaml.Node{Kind: kind, Line: line, Column: column}
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
