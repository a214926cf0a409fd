package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInit writes a first policy, whose test passes, also under another name, and which kustomize builds.
func TestInit(t *testing.T) {
	for _, args := range [][]string{nil, {"--name", "web-dns", "--namespace", "rhacm-policies"}} {
		directory := filepath.Join(t.TempDir(), "new")
		written := run(t.Context(), "", append([]string{"init", directory}, args...)...)
		if written.code != ExitFine || len(strings.Split(strings.TrimSpace(written.stdout), "\n")) != 5 {
			t.Fatalf("%+v", written)
		}
		for _, file := range strings.Fields(written.stdout) {
			if text := optional(t, file); text == "" || strings.Contains(text, "@NAME") {
				t.Errorf("%s holds %q", file, text)
			}
		}
		tested := run(t.Context(), "", "test", directory, "--require-tests")
		if tested.code != ExitFine || !strings.HasSuffix(tested.stdout, "\nok: 1 case\n") || tested.stderr != "" {
			t.Errorf("%+v", tested)
		}
		again := run(t.Context(), "", append([]string{"init", directory}, args...)...)
		if again.code != ExitUsage || strings.Count(again.stderr, "exists already") != 5 || again.stdout != "" {
			t.Errorf("%+v", again)
		}
	}
}

func TestInitRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"--name", "A b"},
		{"--namespace", "x: y"},
		{"a", "b"},
		{"--name", strings.Repeat("a", 40), "--namespace", strings.Repeat("b", 40)},
	} {
		t.Chdir(t.TempDir())
		got := run(t.Context(), "", append([]string{"init"}, args...)...)
		entries, err := os.ReadDir(".")
		if got.code == ExitFine || got.stderr == "" || got.stdout != "" || err != nil || len(entries) > 0 {
			t.Errorf("%q: %+v, %v", args, got, entries)
		}
	}
}

// TestReadyMadeTests runs the tests of the policies that users copy.
func TestReadyMadeTests(t *testing.T) {
	got := run(t.Context(), "", "test", "../../policies", "--require-tests", "--coverage")
	if got.code != ExitFine || strings.Contains(got.stdout, "no case looks at") {
		t.Errorf("%+v", got)
	}
}
