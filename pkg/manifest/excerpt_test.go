package manifest

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// TestFixturePositions wants the places of fields to be those of objects that keep their text, whatever the file system can do.
func TestFixturePositions(t *testing.T) {
	files := fstest.MapFS{
		"f/a.yaml": {Data: []byte(positions)},
		"f/b.yaml": {Data: []byte(strings.ReplaceAll(positions, "\n", "\r\n"))},
		"f/c.yaml": {Data: []byte("\ufeff" + positions)},
		"f/d.json": {Data: []byte(`{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "five",
    "labels": {"a": "x"}}}]}
{"apiVersion": "v1", "kind": "ConfigMap", "metadata":
  {"name": "six"}}`)},
		"f/e.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMapList\nitems:\n  # c\n- metadata:\n    name: seven\n  data:\n    literal: |\n      x\n" +
			"- metadata:\n    name: eight\n    labels: {a: b}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: nine\n")},
	}
	paths := [][]any{{"metadata", "name"}, {"metadata", "labels", "a"}, {"data", "literal"}, {"data", "folded"}, {"gone"}}
	for name, fsys := range map[string]fs.FS{"seeks": files, "streams": streamFS{files}} {
		t.Run(name, func(t *testing.T) {
			plain, _ := LoadFS(fsys, "f")
			fixtures, findings := LoadFS(fsys, "f", Fixtures())
			if len(findings) > 0 || len(fixtures) != len(plain) || len(plain) != 17 {
				t.Fatal(len(fixtures), len(plain), findings)
			}
			again := 0
			for i := range plain {
				if fixtures[i].origin.text == "" {
					again++
				}
				for _, path := range paths {
					if got, want := fixtures[i].FieldPosition(path...), plain[i].FieldPosition(path...); got != want {
						t.Errorf("%s %v: %s, want %s", plain[i].GetName(), path, got, want)
					}
					got, gotOK := fixtures[i].BlockPosition(path...)
					if want, wantOK := plain[i].BlockPosition(path...); got != want || gotOK != wantOK {
						t.Errorf("%s %v: block at %s, want %s", plain[i].GetName(), path, got, want)
					}
				}
			}
			if again != 5 {
				t.Errorf("only %d objects let their text go", again)
			}
		})
	}
}

func TestFixtureThatChanged(t *testing.T) {
	text := []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n")
	files := fstest.MapFS{"f.yaml": {Data: text}}
	objects, _ := LoadFS(files, "f.yaml", Fixtures())
	place := func() string { return objects[0].FieldPosition("metadata", "name").String() }
	if got := place(); got != "f.yaml:4:3" {
		t.Error(got)
	}
	files["f.yaml"] = &fstest.MapFile{Data: bytes.Replace(text, []byte("v1\n"), []byte("\nv1"), 1)}
	if got := place(); got != "f.yaml:1:1" {
		t.Errorf("in a file that changed the field is at %s", got)
	}
	files["f.yaml"] = &fstest.MapFile{Data: text[:10]}
	if got := place(); got != "f.yaml:1:1" {
		t.Errorf("in a file that is shorter now the field is at %s", got)
	}
	delete(files, "f.yaml")
	if got := place(); got != "f.yaml:1:1" {
		t.Errorf("in a file that is gone the field is at %s", got)
	}
}

// streamFS has files that can only be read from their beginning to their end.
type streamFS struct{ fs.FS }

type stream struct {
	file fs.File
	io.Reader
}

func (s streamFS) Open(name string) (fs.File, error) {
	file, err := s.FS.Open(name)
	if _, isDir := file.(fs.ReadDirFile); err != nil || isDir {
		return file, err
	}
	return stream{file, file}, nil
}

func (s stream) Stat() (fs.FileInfo, error) { return s.file.Stat() }
func (s stream) Close() error               { return s.file.Close() }
