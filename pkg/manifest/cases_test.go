package manifest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file, or writes it with -update. An empty text stands for no file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if got == "" {
			return
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

func findingsText(findings diag.Findings) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f)
	}
	return b.String()
}

func objectsText(objects []Object) string {
	var b strings.Builder
	for _, o := range objects {
		fmt.Fprintf(&b, "%s: %s\n", o.Position, Reference(o.Unstructured))
	}
	return b.String()
}

// TestCases reads each folder below testdata/cases and compares objects and findings with objects.txt and errors.txt.
func TestCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/cases/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no cases", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var opts []Option
			if filepath.Base(dir) == "fragments" {
				opts = append(opts, AllowFragments())
			}
			objects, findings := LoadFS(os.DirFS(dir), ".", opts...)
			golden(t, filepath.Join(dir, "errors.txt"), findingsText(findings))
			golden(t, filepath.Join(dir, "objects.txt"), objectsText(objects))
			for _, f := range findings {
				if f.File == "" || f.Line == 0 && f.Severity == diag.Error {
					t.Errorf("no place: %s", f)
				}
			}
			if !slices.IsSortedFunc(objects, func(a, b Object) int { return strings.Compare(a.File, b.File) }) {
				t.Error("objects are not in the order of their files")
			}
		})
	}
}
