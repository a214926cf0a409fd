package plugin

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// contentOf gives what a node stands for: the content of a document, the target of an alias.
func contentOf(node *yaml.Node) *yaml.Node {
	switch {
	case node == nil:
		return nil
	case node.Kind == yaml.DocumentNode && len(node.Content) > 0:
		return contentOf(node.Content[0])
	case node.Kind == yaml.AliasNode && node.Alias != nil:
		return node.Alias
	}
	return node
}

// hasAliases tells whether there is an alias below a node.
func hasAliases(node *yaml.Node) bool {
	return node.Kind == yaml.AliasNode || slices.ContainsFunc(node.Content, hasAliases)
}

// fieldOf gives the key and the value of a field, or nil.
func fieldOf(node *yaml.Node, name string) (key, value *yaml.Node) {
	node = contentOf(node)
	if node == nil || node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i], contentOf(node.Content[i+1])
		}
	}
	return nil, nil
}

// textOf gives the text below a chain of fields, or the empty string.
func textOf(node *yaml.Node, names ...string) string {
	for _, name := range names {
		_, node = fieldOf(node, name)
	}
	if node == nil || node.Kind != yaml.ScalarNode {
		return ""
	}
	return node.Value
}

// functionAnnotations make a document the configuration of a KRM function.
var functionAnnotations = []string{"config.kubernetes.io/function", "config.k8s.io/function", "config.kubernetes.io/container"}

// functionPlace gives the field that makes a document the configuration of a KRM function for kustomize, and its place;
// nil if there is none.
func functionPlace(document *yaml.Node) (field string, place *yaml.Node) {
	_, metadata := fieldOf(document, "metadata")
	if key, value := fieldOf(metadata, "configFn"); value != nil {
		return "metadata.configFn", key
	}
	_, annotations := fieldOf(metadata, "annotations")
	for _, name := range functionAnnotations {
		if key, value := fieldOf(annotations, name); value != nil && value.Value != "" {
			return "metadata.annotations[" + name + "]", key
		}
	}
	return "", nil
}

// functionPath gives the program that a KRM function runs, empty for one that runs a container or nothing.
func functionPath(document *yaml.Node) string {
	for _, name := range functionAnnotations {
		var spec struct {
			Exec struct{ Path string }
		}
		text := textOf(document, "metadata", "annotations", name)
		if text != "" && yaml.Unmarshal([]byte(text), &spec) == nil && spec.Exec.Path != "" {
			return spec.Exec.Path
		}
	}
	return ""
}

// isInline tells whether an entry of a list of plugins is the configuration itself and not the name of a file.
func isInline(entry string) bool {
	var node yaml.Node
	return strings.ContainsAny(entry, ":\n") && yaml.Unmarshal([]byte(entry), &node) == nil &&
		contentOf(&node).Kind == yaml.MappingNode
}

// moveTo gives all nodes below node the place of another one.
func moveTo(node, place *yaml.Node) {
	node.Line, node.Column = place.Line, place.Column
	for _, child := range node.Content {
		moveTo(child, place)
	}
}
