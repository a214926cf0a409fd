// Package externaldns_test compares the endpoints that pkg/dnsplan expects of DNSEndpoints and Services with those of the sources
// of external-dns. Their package is too large to be linked in: it is compiled inside of its own module, with two files added.
package externaldns_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected files")

const cases = "../../../pkg/dnsplan/testdata/sources"

// TestSources runs the cases of pkg/dnsplan inside of external-dns, several times, since it takes its endpoints from maps. The first
// time takes minutes, for all that its sources depend on is compiled.
func TestSources(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/external-dns")
	list.Dir = "../../.."
	module, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	// Nothing can be added to the module where it is.
	directory := filepath.Join(t.TempDir(), "external-dns")
	if err := os.CopyFS(directory, os.DirFS(strings.TrimSpace(string(module)))); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"source/policyloom.go": "added/source.go.txt", "source/wrappers/policyloom_test.go": "added/wrappers_test.go.txt",
	} {
		add(t, text, filepath.Join(directory, filepath.FromSlash(file)))
	}
	run := exec.CommandContext(t.Context(), "go", "test", "-trimpath", "-count=5", "-run", "^TestEndpoints$", "./source/wrappers")
	run.Dir = directory
	run.Env = append(os.Environ(), "POLICYLOOM_CASES="+absolute(t, cases))
	if *update {
		run.Env = append(run.Env, "POLICYLOOM_UPDATE=1")
	}
	output, err := run.CombinedOutput()
	t.Log(string(output))
	if err != nil {
		t.Error(err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// add copies a file. Directories of the module cache cannot be written to, and so neither can their copies.
func add(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
