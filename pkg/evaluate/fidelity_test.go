package evaluate

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated part of docs/fidelity.md")

// ModuleDirectory gives where a module is.
func ModuleDirectory(t *testing.T, module string) string {
	t.Helper()
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}

// Documented compares a part of docs/fidelity.md, between two comments that name it, with what the tests found.
func Documented(t *testing.T, part, text string) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", "fidelity.md")
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+part+" -->\n", "<!-- end of "+part+" -->"
	before, rest, found := strings.Cut(string(page), begin)
	is, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no part %q", file, part)
	}
	if is == text {
		return
	}
	if !*update {
		t.Fatalf("%s is outdated, run this test with -update: want\n%s", file, text)
	}
	if err := os.WriteFile(file, []byte(before+begin+text+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
