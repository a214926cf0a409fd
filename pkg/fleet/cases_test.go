package fleet

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
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

// show writes a whole fleet as text.
func show(t *testing.T, fleet *Fleet, findings diag.Findings) (objects, errors string) {
	t.Helper()
	var b strings.Builder
	line := func(o manifest.Object) { fmt.Fprintf(&b, "  %s  %s\n", manifest.Reference(o.Unstructured), o.Position) }
	b.WriteString("hub\n")
	for _, o := range fleet.Hub {
		line(o)
	}
	for _, cluster := range fleet.Clusters {
		fmt.Fprintf(&b, "cluster %s synthetic=%t missing=%v\n", cluster.Name, cluster.Synthetic, cluster.MissingAPIs)
		loaded, problems := cluster.Load(t.Context())
		for _, o := range loaded {
			line(o)
		}
		findings = append(findings, problems...)
	}
	return b.String(), findingsText(findings)
}

// TestCases loads each fleet below testdata/cases and compares it with <case>.objects.txt and <case>.errors.txt.
func TestCases(t *testing.T) {
	cases, err := fs.ReadDir(os.DirFS("testdata/cases"), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if !c.IsDir() {
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			fleet, findings := Load(os.DirFS("testdata/cases"), c.Name())
			objects, errors := show(t, fleet, findings)
			file := filepath.Join("testdata", "cases", c.Name())
			golden(t, file+".objects.txt", objects)
			golden(t, file+".errors.txt", errors)
		})
	}
}
