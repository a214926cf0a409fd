package plugin

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// behaviorAnnotation tells kustomize what to do with a generated object that is there already.
const behaviorAnnotation = "kustomize.config.k8s.io/behavior"

// behavior finds annotations below the configuration of a generator that make kustomize merge its objects into others.
func (s *survey) behavior(where listing) {
	if where.list != "generators" {
		return
	}
	seen := map[*yaml.Node]bool{}
	var walk func(node *yaml.Node, field string)
	walk = func(node *yaml.Node, field string) {
		node = contentOf(node)
		if node == nil || seen[node] {
			return
		}
		seen[node] = true
		if node.Kind == yaml.SequenceNode {
			for i, child := range node.Content {
				walk(child, fmt.Sprintf("%s[%d]", field, i))
			}
			return
		}
		if node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], contentOf(node.Content[i+1])
			if key.Value == behaviorAnnotation && value.Value == "merge" {
				s.behaviors = append(s.behaviors, diag.Finding{
					Severity: diag.Error, Position: diag.Position{File: where.file, Line: key.Line, Column: key.Column},
					Object: textOf(where.node, "kind") + " " + textOf(where.node, "metadata", "name"),
					Field:  field + "[" + behaviorAnnotation + "]", Message: "merge merges metadata only: the spec of the Policy that is there already is dropped",
					Hint: "to change that Policy, patch it; to put this one in its place, write replace",
				})
				continue
			}
			name := key.Value
			if field != "" {
				name = field + "." + name
			}
			walk(value, name)
		}
	}
	walk(where.node, "")
}
