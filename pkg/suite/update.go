package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
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

// write rewrites the files of a test.
func (u *updates) write(fsys fs.FS, t *Test, write func(string, []byte) error) error {
	for file, objects := range u.files {
		var b bytes.Buffer
		for _, object := range objects {
			text, err := kubeyaml.Marshal(object.Object)
			if err != nil {
				return err
			}
			b.WriteString("---\n")
			b.Write(text)
		}
		if len(objects) == 0 {
			b.WriteString("# none\n")
		}
		if err := write(file, b.Bytes()); err != nil {
			return err
		}
	}
	if len(u.fields) == 0 {
		return nil
	}
	text, err := fs.ReadFile(fsys, t.File())
	if err != nil {
		return err
	}
	// Only one field is changed at a time: those before it keep their lines, so that the last comes first.
	slices.SortFunc(u.fields, func(a, b update) int {
		at, bt := t.at(a.field), t.at(b.field)
		return -cmp.Or(cmp.Compare(at.Line, bt.Line), cmp.Compare(at.Column, bt.Column), cmp.Compare(a.field, b.field))
	})
	for _, one := range u.fields {
		if text, err = rewritten(text, t.Name(), one); err != nil {
			return fmt.Errorf("%s: %s: %w", t.File(), one.field, err)
		}
	}
	return write(t.File(), text)
}

// errNotPlain says that a field is written in a way that cannot be changed in place.
var errNotPlain = errors.New("cannot be rewritten: write the maps and lists around it in lines of their own, without braces and anchors")

// rewritten gives the text of a file in which a field of a test has another value. All else stays as it is.
func rewritten(text []byte, test string, u update) ([]byte, error) {
	path := pathOf(u.field)
	parent, key, value := locate(text, test, path)
	if parent == nil {
		return nil, errNotPlain
	}
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n"
	}
	var changed []string
	switch {
	case parent.Style&yaml.FlowStyle != 0:
		return nil, errNotPlain
	case key == nil:
		first := parent.Content[0]
		end := endOfBlock(lines, first.Line-1, first.Column)
		for i := 0; i < len(parent.Content); i += 2 {
			end = max(end, endOfBlock(lines, parent.Content[i].Line-1, first.Column))
		}
		changed = slices.Insert(slices.Clone(lines), end, field(first.Column, fmt.Sprint(path[len(path)-1]), u.value)...)
	default:
		at := key.Line - 1
		before := lines[at][:key.Column-1]
		new := field(key.Column, key.Value, u.value)
		new[0] = before + strings.TrimLeft(new[0], " ")
		if comment := value.LineComment; comment != "" && len(new) == 1 {
			new[0] = strings.TrimSuffix(new[0], "\n") + "  " + comment + "\n"
		}
		changed = slices.Concat(lines[:at], new, lines[endOfBlock(lines, at, key.Column):])
	}
	result := []byte(strings.Join(changed, ""))
	if !holds(result, test, path, u.value) {
		return nil, errNotPlain
	}
	return result, nil
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
