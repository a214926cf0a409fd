package suite

import (
	"bytes"
	"cmp"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"

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

// write rewrites the files of a test. It gives the fields that are written in a way that cannot be changed in place. The error is that
// of the file system.
func (u *updates) write(fsys fs.FS, t *Test, write func(string, []byte) error) (left []string, err error) {
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
	for _, one := range u.fields {
		changed, ok := rewritten(text, t.Name(), one)
		if !ok {
			left = append(left, one.field)
			continue
		}
		text = changed
	}
	if len(left) == len(u.fields) {
		return left, nil
	}
	return left, write(t.File(), text)
}

// takeBack makes failures again of those whose fields are left as they are.
func (c *CaseResult) takeBack(left []string) {
	var updated []Failure
	for _, f := range c.Updated {
		if !slices.ContainsFunc(left, func(field string) bool { return f.Field == field || strings.HasPrefix(f.Field, field+"[") }) {
			updated = append(updated, f)
			continue
		}
		f.Hint = "cannot be rewritten: write the maps and lists around it in lines of their own, without braces and anchors"
		c.Failures = append(c.Failures, f)
	}
	c.Updated = updated
}
