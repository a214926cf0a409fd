// Package kubevirt makes the CustomResourceDefinitions of KubeVirt from its Go types, in a module of its own.
package kubevirt

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "kubevirt.io/api/core/v1"
)

var update = flag.Bool("update", false, "write the definitions")

// TestDefinitions compares the bundled definitions with what the types of KubeVirt give. Descriptions are left out.
func TestDefinitions(t *testing.T) {
	directory := t.TempDir()
	generator := exec.Command("go", "tool", "controller-gen", "crd:allowDangerousTypes=true,maxDescLen=0",
		"paths=kubevirt.io/api/core/v1", "output:crd:dir="+directory)
	if output, err := generator.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, plural := range []string{"virtualmachines", "virtualmachineinstances", "virtualmachineinstancemigrations"} {
		want, err := os.ReadFile(filepath.Join(directory, "kubevirt.io_"+plural+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		bundled := filepath.Join("..", "..", "pkg", "crds", plural+".yaml")
		if *update {
			if err := os.WriteFile(bundled, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(bundled); err != nil || string(got) != string(want) {
			t.Errorf("%s is outdated: run make generate (%v)", bundled, err)
		}
	}
}
