package manifest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestNotations reads the same objects from a stream and from a List, in YAML and JSON, and compares them with what
// Kubernetes reads.
func TestNotations(t *testing.T) {
	const n = 200 // enough for several goroutines
	inputs := vmis(t, n)
	stream, findings := Decode("stream.yaml", inputs["stream.yaml"])
	if len(findings) > 0 || len(stream) != n {
		t.Fatal(len(stream), findings)
	}
	for i, text := range strings.Split(string(inputs["stream.yaml"]), "---\n")[1:] {
		want, err := reference(text)
		if err != nil || !reflect.DeepEqual(any(stream[i].Object), want) {
			t.Fatalf("object %d differs from what Kubernetes reads", i)
		}
		if _, _, ok := parseBlock(text, newInterner()); !ok {
			t.Fatal("the block parser does not read what kubectl prints")
		}
	}
	for name, data := range inputs {
		objects, findings := Decode(name, data)
		if len(findings) > 0 || len(objects) != n {
			t.Fatal(name, len(objects), findings)
		}
		lines := strings.Split(string(data), "\n")
		for i, o := range objects {
			if !reflect.DeepEqual(o.Object, stream[i].Object) {
				t.Fatalf("%s: object %d differs", name, i)
			}
			at := o.FieldPosition("metadata", "name")
			if line := lines[at.Line-1]; !strings.Contains(line, o.GetName()) || !strings.HasPrefix(strings.Trim(line[at.Column-1:], `"`), "name") {
				t.Fatalf("%s: the name of object %d is not at %s", name, i, at)
			}
		}
	}
}

func TestRead(t *testing.T) {
	objects, findings := Read(strings.NewReader("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), "-")
	if len(findings) > 0 || len(objects) != 1 || objects[0].File != "-" {
		t.Error(objects, findings)
	}
	if _, findings := Read(iotest.ErrReader(errors.New("pipe broke")), "-"); !strings.Contains(findings.Error(), "pipe broke") {
		t.Error(findings)
	}
}

func TestAnyMap(t *testing.T) {
	objects, findings := Decode("f.yaml", []byte("missingAPIs: [x]\n---\n- y\n"), AnyMap())
	if len(objects) != 1 || objects[0].FieldPosition("missingAPIs", 0).String() != "f.yaml:1:15" || len(findings) != 1 {
		t.Error(objects, findings)
	}
}

func TestLenient(t *testing.T) {
	data := []byte("version: 1\n---\na: [\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	objects, findings := Decode("f.yaml", data, Lenient(func(string) bool { return true }))
	if len(objects) != 1 || len(findings) != 2 || findings.HasErrors() {
		t.Error(objects, findings)
	}
}

// TestInputIsNotKept changes the input afterwards, which must not reach the objects.
func TestInputIsNotKept(t *testing.T) {
	data := []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: original\n")
	objects, _ := Decode("f.yaml", data)
	copy(data, bytes.Repeat([]byte("x"), len(data)))
	if objects[0].GetName() != "original" || objects[0].FieldPosition("metadata", "name").Line != 4 {
		t.Error(objects[0])
	}
}

// FuzzDecode looks for panics, places that are none and results that are not the same twice.
func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("testdata/cases/*/*.*")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && IsManifestFile(file) {
			f.Add(data)
		}
	}
	f.Add([]byte(positions))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 8192 {
			t.Skip()
		}
		lines := 1 + bytes.Count(data, []byte("\n"))
		objects, findings := Decode("f.yaml", data, AllowFragments())
		for _, o := range objects {
			if o.GetKind() == "" || o.GetName() == "" || o.Line < 1 || o.Line > lines {
				t.Fatalf("%s: %s", o.Position, Reference(o.Unstructured))
			}
			o.FieldPosition("metadata", "labels", "a")
			o.BlockPosition("data", "literal")
			_ = o.DeepCopy()
		}
		for _, finding := range findings {
			if finding.Line < 1 {
				t.Fatal(finding)
			}
		}
		again, _ := Decode("f.yaml", data, AllowFragments())
		if objectsText(again) != objectsText(objects) {
			t.Fatal("two readings differ")
		}
	})
}
