package plugin

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// reference is a text in a kustomization or in the configuration of a plugin that names a file, a directory or a URL.
type reference struct {
	// list is the name of the field that holds it, or that holds the list that it is in.
	list string
	// field is the path of the text, such as resources[0].
	field string
	// node is the text itself.
	node *yaml.Node
}

var (
	// directoryLists may name other kustomizations, which kustomize clones if they look like a repository.
	directoryLists = []string{"resources", "bases", "components", "generators", "transformers", "validators"}
	// pluginLists name the configurations of plugins, or hold them as text.
	pluginLists = []string{"generators", "transformers", "validators"}
	// fileLists name files, which kustomize fetches if they are URLs.
	fileLists = []string{"crds", "configurations", "patchesStrategicMerge"}
	// fileFields name files wherever they are: in a kustomization, or in the configuration of a plugin.
	fileFields = []string{
		"path", "paths", "files", "env", "envs", "targetFilePath", "argsFromFile", "valuesFile", "additionalValuesFiles",
	}
	// dataFields hold the user's own data, whose names and values mean nothing here.
	dataFields = []string{"annotations", "commonAnnotations", "commonLabels", "labels", "literals", "patch"}
)

// references collects the references below a node. Aliases are followed; what was seen already is not seen again, so that
// neither a cycle nor an explosion of aliases takes long.
func references(node *yaml.Node) []reference {
	c := &collector{seen: map[seenNode]bool{}}
	c.walk(node, "", "")
	return c.found
}

type collector struct {
	found []reference
	seen  map[seenNode]bool
}

// seenNode is a node and all that matters of where it was seen.
type seenNode struct {
	node *yaml.Node
	list string
	top  bool
}

// walk looks at a node that is at field and belongs to the field called list.
func (c *collector) walk(node *yaml.Node, list, field string) {
	key := seenNode{node, list, !strings.Contains(field, ".")}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	switch node.Kind {
	case yaml.DocumentNode:
		for _, child := range node.Content {
			c.walk(child, list, field)
		}
	case yaml.AliasNode:
		if node.Alias != nil {
			c.walk(node.Alias, list, field)
		}
	case yaml.SequenceNode:
		for i, child := range node.Content {
			c.walk(child, list, fmt.Sprintf("%s[%d]", field, i))
		}
	case yaml.MappingNode:
		c.walkMapping(node, list, field)
	case yaml.ScalarNode:
		if isReference(list, field) {
			c.found = append(c.found, reference{list: list, field: field, node: node})
		}
	}
}

func (c *collector) walkMapping(node *yaml.Node, list, field string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1]
		switch {
		case name == "<<":
			c.walk(value, list, field)
		case slices.Contains(dataFields, name):
		case field == "":
			c.walk(value, name, name)
		default:
			c.walk(value, name, field+"."+name)
		}
	}
}

// isReference tells whether a text names a file: the known lists do at the top level only, the known fields everywhere.
func isReference(list, field string) bool {
	if slices.Contains(fileFields, list) {
		return true
	}
	item := strings.TrimPrefix(field, list+"[")
	return item != field && !strings.Contains(item, ".") &&
		(slices.Contains(directoryLists, list) || slices.Contains(fileLists, list))
}
