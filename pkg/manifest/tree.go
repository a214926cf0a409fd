package manifest

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// parseTree gives the syntax tree of a text, or nil if it has none.
func parseTree(text string, json bool) (root *yaml.Node) {
	if json {
		return jsonTree(text)
	}
	defer func() {
		if recover() != nil {
			root = nil
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil || len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// keyText gives the key of a mapping as Kubernetes sees it, or "" if it is not a scalar.
func keyText(key *yaml.Node) string {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		return ""
	}
	if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.TaggedStyle) == 0 {
		switch value, _, _ := resolvePlain(key.Value); value := value.(type) {
		case bool, int64:
			return fmt.Sprint(value)
		case float64:
			return strconv.FormatFloat(value, 'g', -1, 32)
		}
	}
	return key.Value
}

// duplicate is a key that a mapping holds twice.
type duplicate struct{ first, second *yaml.Node }

// duplicates finds the keys below a node that are set twice in one mapping, in the order of the text.
func duplicates(node *yaml.Node) (found []duplicate) {
	if node == nil {
		return nil
	}
	if node.Kind == yaml.MappingNode {
		seen := make(map[string]*yaml.Node, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
				continue
			}
			text := keyText(key)
			if first, twice := seen[text]; twice {
				found = append(found, duplicate{first, key})
				continue
			}
			seen[text] = key
		}
	}
	for _, child := range node.Content {
		found = append(found, duplicates(child)...)
	}
	return found
}

// findNode gives the first node below root, in the order of the text, that matches.
func findNode(root *yaml.Node, match func(*yaml.Node) bool) *yaml.Node {
	if root == nil || match(root) {
		return root
	}
	for _, child := range root.Content {
		if found := findNode(child, match); found != nil {
			return found
		}
	}
	return nil
}
