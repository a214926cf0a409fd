package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// rewritten gives the text of a file in which a field of a test has another value. All else stays as it is. ok is false if that cannot
// be done.
func rewritten(text []byte, test string, u update) (result []byte, ok bool) {
	path := pathOf(u.field)
	parent, key, value := locate(text, test, path)
	if parent == nil || len(parent.Content) == 0 {
		return nil, false
	}
	lines := linesOf(text)
	if value != nil {
		// What is in one line stays in it.
		if changed, ok := inLine(lines, value, u.value); ok && isOnlyChange(text, changed, test, path, u.value) {
			return changed, true
		}
	}
	if parent.Style&yaml.FlowStyle != 0 {
		return nil, false
	}
	var changed []string
	if key == nil {
		first := parent.Content[0]
		end := 0
		for i := 0; i < len(parent.Content); i += 2 {
			end = max(end, endOfBlock(lines, parent.Content[i].Line-1, first.Column))
		}
		changed = slices.Insert(slices.Clone(lines), end, field(first.Column, fmt.Sprint(path[len(path)-1]), u.value, endOf(lines))...)
	} else {
		at := key.Line - 1
		rewritten := field(key.Column, key.Value, u.value, endOf(lines))
		rewritten[0] = lines[at][:key.Column-1] + strings.TrimLeft(rewritten[0], " ")
		changed = slices.Concat(lines[:at], rewritten, lines[endOfBlock(lines, at, key.Column):])
	}
	result = []byte(strings.Join(changed, ""))
	return result, isOnlyChange(text, result, test, path, u.value)
}

// linesOf gives the lines of a text, each with its end.
func linesOf(text []byte) []string {
	lines := slices.Collect(strings.Lines(string(text)))
	if last := len(lines) - 1; last >= 0 && !strings.HasSuffix(lines[last], "\n") {
		lines[last] += endOf(lines)
	}
	return lines
}

// endOf gives the end that the lines of a text have.
func endOf(lines []string) string {
	if len(lines) > 1 && strings.HasSuffix(lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// plainList matches a list of plain words in brackets.
var plainList = regexp.MustCompile(`^\[[^\[\]{}'"#]*\]`)

// inLine replaces a value that is a word, or a list of words in brackets, by another one.
func inLine(lines []string, value *yaml.Node, by any) (text []byte, ok bool) {
	if value.Anchor != "" || value.Line == 0 || value.Line > len(lines) {
		return nil, false
	}
	line := lines[value.Line-1]
	start := value.Column - 1
	if start > len(line) || strings.ContainsFunc(line[:min(start, len(line))], func(r rune) bool { return r > '~' }) {
		return nil, false
	}
	written := ""
	switch {
	case value.Kind == yaml.ScalarNode && value.Style == 0:
		written = value.Value
	case value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle != 0:
		written = plainList.FindString(line[start:])
	}
	if written == "" || !strings.HasPrefix(line[start:], written) {
		return nil, false
	}
	var with string
	switch by := by.(type) {
	case string, int64:
		with = fmt.Sprint(by)
	case []any:
		words := make([]string, 0, len(by))
		for _, item := range by {
			word, isWord := item.(string)
			if !isWord {
				return nil, false
			}
			words = append(words, word)
		}
		with = "[" + strings.Join(words, ", ") + "]"
	default:
		return nil, false
	}
	changed := slices.Clone(lines)
	changed[value.Line-1] = line[:start] + with + line[start+len(written):]
	return []byte(strings.Join(changed, "")), true
}

// field writes a field whose key begins at a column, counted from 1, as lines.
func field(column int, key string, value any, end string) []string {
	text, err := kubeyaml.Marshal(map[string]any{key: value})
	if err != nil {
		return []string{"\n"}
	}
	indent := strings.Repeat(" ", column-1)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line != "\n" {
			line = indent + line
		}
		lines = append(lines, strings.TrimSuffix(line, "\n")+end)
	}
	return lines
}

// endOfBlock gives the index of the first line after a field whose key is in the line at and begins at the column. Items of a list may
// begin at the same column.
func endOfBlock(lines []string, at, column int) int {
	end := at + 1
	for i := at + 1; i < len(lines); i++ {
		content := strings.TrimLeft(lines[i], " ")
		indent := len(lines[i]) - len(content)
		blank := strings.TrimSpace(content) == "" || content[0] == '#'
		inside := indent >= column || indent == column-1 && strings.HasPrefix(content, "- ")
		switch {
		case blank:
		case inside:
			end = i + 1
		default:
			return end
		}
	}
	return end
}

// locate finds a field of a test: the map that it is in, and its key and value, which are nil if it is not there.
func locate(text []byte, test string, path []any) (parent, key, value *yaml.Node) {
	node := documentOf(text, test)
	for i, step := range path {
		if node == nil {
			return nil, nil, nil
		}
		if index, isIndex := step.(int); isIndex {
			if node.Kind != yaml.SequenceNode || index >= len(node.Content) {
				return nil, nil, nil
			}
			node = node.Content[index]
			continue
		}
		if node.Kind != yaml.MappingNode {
			return nil, nil, nil
		}
		parent, key, value = node, nil, nil
		for j := 0; j+1 < len(node.Content); j += 2 {
			if node.Content[j].Value == step {
				key, value = node.Content[j], node.Content[j+1]
			}
		}
		if i < len(path)-1 {
			node = value
		}
	}
	return parent, key, value
}

// documentOf gives the root of the test of a name.
func documentOf(text []byte, test string) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return nil
		}
		if len(document.Content) == 0 {
			continue
		}
		var head struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if document.Decode(&head) == nil && head.Kind == v1alpha1.PolicyTestKind && head.Metadata.Name == test {
			return document.Content[0]
		}
	}
}

// isOnlyChange tells whether two texts of a file mean the same but for a field of a test, which has the value in the second one.
func isOnlyChange(before, after []byte, test string, path []any, value any) bool {
	was, err := allDocuments(before)
	if err != nil {
		return false
	}
	is, err := allDocuments(after)
	if err != nil {
		return false
	}
	// The value as a reader of YAML has it.
	text, err := kubeyaml.Marshal(value)
	if err != nil {
		return false
	}
	var read any
	if yaml.Unmarshal(text, &read) != nil {
		return false
	}
	for _, document := range was {
		if isTest(document, test) {
			return set(document, path, read) && reflect.DeepEqual(was, is)
		}
	}
	return false
}

func allDocuments(text []byte) ([]any, error) {
	var documents []any
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}

func isTest(document any, name string) bool {
	content, _ := document.(map[string]any)
	metadata, _ := content["metadata"].(map[string]any)
	return content["kind"] == v1alpha1.PolicyTestKind && metadata["name"] == name
}

// set changes a field of a document. It fails if what is around the field is not there.
func set(document any, path []any, value any) bool {
	for i, step := range path {
		switch step := step.(type) {
		case int:
			list, _ := document.([]any)
			if step >= len(list) || i == len(path)-1 {
				return false
			}
			document = list[step]
		case string:
			fields, isMap := document.(map[string]any)
			if !isMap {
				return false
			}
			if i == len(path)-1 {
				fields[step] = value
				return true
			}
			document = fields[step]
		}
	}
	return false
}
