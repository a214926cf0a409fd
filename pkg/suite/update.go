package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

// updates collects what expectations of a test are to be, instead of what they are.
type updates struct {
	lock   sync.Mutex
	fields []update
	files  map[string][]*unstructured.Unstructured
}

type update struct {
	field string
	value any
}

// updatable compares, and takes the differences for an update if there are to be any: the field then gets the value.
func (l *look) updatable(field string, value any, compare func()) {
	n := len(l.result.Failures)
	compare()
	if l.updates == nil || len(l.result.Failures) == n || !l.updates.add(l.field+field, value) {
		return
	}
	l.result.Updated = append(l.result.Updated, l.result.Failures[n:]...)
	l.result.Failures = l.result.Failures[:n]
}

// updatableObjects is updatable for objects, which may be in a file of their own.
func (l *look) updatableObjects(field string, expected v1alpha1.ExactObjects, is []*unstructured.Unstructured, compare func()) {
	if expected.File == "" {
		list := make([]any, 0, len(is))
		for _, object := range is {
			list = append(list, object.Object)
		}
		l.updatable(field+".exactly", list, compare)
		return
	}
	n := len(l.result.Failures)
	compare()
	if l.updates == nil || len(l.result.Failures) == n || !l.updates.addFile(l.test.path(expected.File), is) {
		return
	}
	l.result.Updated = append(l.result.Updated, l.result.Failures[n:]...)
	l.result.Failures = l.result.Failures[:n]
}

// add remembers an update, unless the field is to be something else already.
func (u *updates) add(field string, value any) bool {
	u.lock.Lock()
	defer u.lock.Unlock()
	for _, known := range u.fields {
		if known.field == field {
			return reflect.DeepEqual(known.value, value)
		}
	}
	u.fields = append(u.fields, update{field, value})
	return true
}

func (u *updates) addFile(file string, objects []*unstructured.Unstructured) bool {
	u.lock.Lock()
	defer u.lock.Unlock()
	if known, found := u.files[file]; found {
		return reflect.DeepEqual(known, objects)
	}
	if u.files == nil {
		u.files = map[string][]*unstructured.Unstructured{}
	}
	u.files[file] = objects
	return true
}

// write rewrites the files of a test. The findings say what is written in a way that cannot be changed in place. The error is that of
// the file system.
func (u *updates) write(fsys fs.FS, t *Test, write func(string, []byte) error) (diag.Findings, error) {
	for file, objects := range u.files {
		var b bytes.Buffer
		for _, object := range objects {
			text, err := kubeyaml.Marshal(object.Object)
			if err != nil {
				return nil, err
			}
			b.WriteString("---\n")
			b.Write(text)
		}
		if len(objects) == 0 {
			b.WriteString("# none\n")
		}
		if err := write(file, b.Bytes()); err != nil {
			return nil, err
		}
	}
	if len(u.fields) == 0 {
		return nil, nil
	}
	text, err := fs.ReadFile(fsys, t.File())
	if err != nil {
		return nil, err
	}
	// Only one field is changed at a time: those before it keep their lines, so that the last comes first.
	slices.SortFunc(u.fields, func(a, b update) int {
		at, bt := t.at(a.field), t.at(b.field)
		return -cmp.Or(cmp.Compare(at.Line, bt.Line), cmp.Compare(at.Column, bt.Column), cmp.Compare(a.field, b.field))
	})
	var findings diag.Findings
	for _, one := range u.fields {
		changed, ok := rewritten(text, t.Name(), one)
		if !ok {
			findings = append(findings, t.finding(one.field, "cannot be rewritten in place",
				"write the maps and lists around it in lines of their own, without braces and anchors"))
			continue
		}
		text = changed
	}
	findings.Sort()
	return findings, write(t.File(), text)
}

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
		if changed, ok := inLine(lines, value, u.value); ok && holds(changed, test, path, u.value) {
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
		changed = slices.Insert(slices.Clone(lines), end, field(first.Column, fmt.Sprint(path[len(path)-1]), u.value)...)
	} else {
		at := key.Line - 1
		rewritten := field(key.Column, key.Value, u.value)
		rewritten[0] = lines[at][:key.Column-1] + strings.TrimLeft(rewritten[0], " ")
		changed = slices.Concat(lines[:at], rewritten, lines[endOfBlock(lines, at, key.Column):])
	}
	result = []byte(strings.Join(changed, ""))
	return result, holds(result, test, path, u.value)
}

// linesOf gives the lines of a text, each with its end.
func linesOf(text []byte) []string {
	lines := slices.Collect(strings.Lines(string(text)))
	if last := len(lines) - 1; last >= 0 && !strings.HasSuffix(lines[last], "\n") {
		lines[last] += "\n"
	}
	return lines
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
func field(column int, key string, value any) []string {
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
		lines = append(lines, line)
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

// holds tells whether a field has a value, so that nothing is written that reads otherwise.
func holds(text []byte, test string, path []any, want any) bool {
	_, _, value := locate(text, test, path)
	if value == nil {
		return false
	}
	written, err := yaml.Marshal(value)
	if err != nil {
		return false
	}
	var is, wanted any
	expected, err := kubeyaml.Marshal(want)
	return err == nil && kubeyaml.Unmarshal(written, &is) == nil && kubeyaml.Unmarshal(expected, &wanted) == nil && reflect.DeepEqual(is, wanted)
}
