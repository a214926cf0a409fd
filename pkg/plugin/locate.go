package plugin

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// locate replaces the directory that a finding has for a file by a place that the user can open: the field in the file
// that configures the plugin, or else the kustomization file.
func (s *survey) locate(finding diag.Finding) diag.Finding {
	directory := finding.File
	if directory == "" {
		directory = s.root
	}
	file, known := s.files[directory]
	if !known {
		return finding
	}
	finding.Position = diag.Position{File: file}
	var match *config
	for i, c := range s.configs {
		if c.directory != directory || !c.is(finding.Object) {
			continue
		}
		if match != nil {
			return finding // two of one name: no telling which
		}
		match = &s.configs[i]
	}
	if match != nil {
		place := fieldPlace(match.node, finding.Field)
		finding.Position = diag.Position{File: match.file, Line: place.Line, Column: place.Column}
	}
	return finding
}

// is tells whether the configuration is the object that a reference such as "Kind namespace/name" or "Kind name" names.
func (c config) is(object string) bool {
	kind, name, _ := strings.Cut(object, " ")
	if i := strings.LastIndex(name, "/"); i >= 0 {
		name = name[i+1:]
	}
	return name != "" && textOf(c.node, "kind") == kind && textOf(c.node, "metadata", "name") == name
}

// fieldPlace gives the node at a path such as spec.names.allowedDomains[0].domain, or the deepest one on the way there.
// For a field of a map that is its key.
func fieldPlace(document *yaml.Node, path string) *yaml.Node {
	node := contentOf(document)
	place := node
	for _, step := range fieldSteps(path) {
		if node.Kind == yaml.SequenceNode {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node.Content) {
				break
			}
			node = contentOf(node.Content[i])
			place = node
			continue
		}
		key, value := fieldOf(node, step)
		if value == nil {
			break
		}
		place, node = key, value
	}
	return place
}

// fieldSteps splits a path at its dots and brackets. What is in brackets is one step, with or without quotes.
func fieldSteps(path string) []string {
	var steps []string
	for path != "" {
		if path[0] == '[' {
			inside, rest, _ := strings.Cut(path[1:], "]")
			steps = append(steps, strings.Trim(inside, `"'`))
			path = strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return append(steps, path)
		}
		if end > 0 {
			steps = append(steps, path[:end])
		}
		path = strings.TrimPrefix(path[end:], ".")
	}
	return steps
}
