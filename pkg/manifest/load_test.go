package manifest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func configMap(name string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n")}
}

func TestLoadFS(t *testing.T) {
	fsys := fstest.MapFS{
		"p/b.yaml": configMap("b"), "p/a/z.yml": configMap("z"), "p/a/y.json": {Data: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"}}`)},
		"p/notes.txt": {Data: []byte("text")}, "p/.hidden/x.yaml": configMap("hidden"), "p/.x.yaml": configMap("hidden"), "p/skip.yaml": configMap("skip"),
		"single": configMap("single"),
	}
	objects, findings := LoadFS(fsys, "p", Skip(func(file string) bool { return strings.HasSuffix(file, "skip.yaml") }))
	if got, want := objectsText(objects), "p/a/y.json:1:1: ConfigMap y\np/a/z.yml:1:1: ConfigMap z\np/b.yaml:1:1: ConfigMap b\n"; got != want || len(findings) > 0 {
		t.Errorf("got\n%s%v", got, findings)
	}
	if objects, findings := LoadFS(fsys, "single"); len(objects) != 1 || len(findings) > 0 {
		t.Error("a file that is named is read whatever its name", objects, findings)
	}
	if _, findings := LoadFS(fsys, "gone"); findings.Error() != "gone: no such file or directory" {
		t.Error(findings)
	}
}

func TestLoadLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), configMap(strings.TrimSuffix(name, ".yaml")).Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("real.yaml")
	for name, target := range map[string]string{"linked.yaml": "real.yaml", "loop": ".", "dangling.yaml": "gone", "self.yaml": "self.yaml", "other": "gone"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	objects, findings := LoadFS(os.DirFS(dir), ".")
	if got := objectsText(objects); got != "linked.yaml:1:1: ConfigMap real\nreal.yaml:1:1: ConfigMap real\n" {
		t.Error(got)
	}
	text := findingsText(findings)
	for _, want := range []string{"error: dangling.yaml: the link leads nowhere", "warning: loop: skipped", "error: self.yaml: the link leads nowhere"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(findings) != 3 {
		t.Error(text)
	}
}

// anyFS takes every path that the operating system takes.
type anyFS struct{}

func (anyFS) Open(name string) (fs.File, error) { return os.Open(name) }

func TestLoadAnyPath(t *testing.T) {
	objects, findings := LoadFS(anyFS{}, "../manifest/testdata/cases/tree")
	if len(objects) != 2 || objects[0].File != "../manifest/testdata/cases/tree/sub/a.YAML" || findings.HasErrors() {
		t.Error(objectsText(objects), findings)
	}
}
