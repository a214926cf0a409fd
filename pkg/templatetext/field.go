// Package templatetext finds places of the text that the template engine parses in the text that the user wrote. The engine
// rewrites a template before it parses it: JSON becomes YAML, and around some functions quotes and line breaks are dropped.
package templatetext

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"go.yaml.in/yaml/v3"
)

// movesLines matches the functions for which the engine joins lines before it parses the template, so that its line
// numbers are not those of the text any more.
var movesLines = regexp.MustCompile(`toInt|toBool|toLiteral|copyConfigMapData|copySecretData`)

// Field maps a place in the YAML that the engine makes of an object's JSON back to the field, and to the line within the
// field's text; line is 0 if the text has one line only or the line is not known.
func Field(raw []byte, line, column int) (field string, fieldLine int) {
	text, err := templates.JSONToYAML(raw)
	if err != nil {
		return "", 0
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 {
		return "", 0
	}
	if movesLines.Match(raw) {
		return "", 0
	}
	path, node := findScalar(document.Content[0], "", line)
	if node == nil {
		return "", 0
	}
	return path, lineWithin(node, strings.Split(string(text), "\n"), line, column)
}

// findScalar gives the last scalar that begins at or above the line: what stands on the line belongs to it, for the
// encoder breaks only block scalars into lines.
func findScalar(node *yaml.Node, path string, line int) (string, *yaml.Node) {
	var (
		foundPath string
		found     *yaml.Node
	)
	visit := func(node *yaml.Node, path string) {
		if p, n := findScalar(node, path, line); n != nil {
			foundPath, found = p, n
		}
	}
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if key.Line > line {
				break
			}
			visit(node.Content[i+1], child(path, key.Value))
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			if item.Line > line {
				break
			}
			visit(item, fmt.Sprintf("%s[%d]", path, i))
		}
	case yaml.ScalarNode:
		if node.Line <= line {
			return path, node
		}
	}
	return foundPath, found
}

// child appends a key to a path; keys that hold dots are quoted.
func child(path, key string) string {
	if strings.ContainsAny(key, ".[") {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

// lineWithin gives the line within the text of a scalar.
func lineWithin(node *yaml.Node, lines []string, line, column int) int {
	switch {
	case node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return line - node.Line
	case node.Style&yaml.DoubleQuotedStyle != 0 && strings.Contains(node.Value, "\n") && line-1 < len(lines):
		if column == 0 {
			return 0
		}
		// The whole text is on one line, with its line breaks as escapes.
		before := lines[line-1][:min(column, len(lines[line-1]))]
		before = strings.ReplaceAll(before, `\\`, "")
		return 1 + strings.Count(before, `\n`)
	}
	return 0
}
