package crds

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// directoryOf gives the directory of a module. The program does not use all of them, so go.mod may not name the version.
func directoryOf(t *testing.T, module string) string {
	t.Helper()
	if strings.Contains(module, "@") {
		output, err := exec.Command("go", "mod", "download", "-json", module).Output()
		if err != nil {
			t.Fatal(err)
		}
		var downloaded struct{ Dir string }
		if err := json.Unmarshal(output, &downloaded); err != nil {
			t.Fatal(err)
		}
		return downloaded.Dir
	}
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}

// Each bundled definition is that of its module, in the version that go.mod names, byte for byte. Those that are made of Go types are
// compared by tools/kubevirt.
func TestBundledDefinitions(t *testing.T) {
	t.Parallel()
	directories := map[string]string{}
	for name, from := range bundled {
		if from.path == "" {
			if definition, err := Definition(name); err != nil || definition.Name != name {
				t.Errorf("the definition of %s: %v, %v", name, definition, err)
			}
			continue
		}
		if directories[from.module] == "" {
			directories[from.module] = directoryOf(t, from.module)
		}
		want, err := os.ReadFile(filepath.Join(directories[from.module], from.path))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := files.ReadFile(fileOf(name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s of %s (%v)", fileOf(name), from.path, from.module, err)
		}
		definition, err := Definition(name)
		if err != nil || definition.Name != name {
			t.Errorf("the definition of %s: %v, %v", name, definition, err)
		}
	}
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) != len(bundled) {
		t.Errorf("%d files for %d definitions (%v)", len(entries), len(bundled), err)
	}
}
