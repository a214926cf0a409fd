package plugin

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// functionCase copies a case of testdata/build and gives it the test binary as the program of its function.
func functionCase(t *testing.T, name string) string {
	t.Helper()
	directory := t.TempDir()
	if err := os.CopyFS(directory, os.DirFS(filepath.Join("testdata", "build", name))); err != nil {
		t.Fatal(err)
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(executable, filepath.Join(directory, "policyloom")); err != nil {
		t.Fatal(err)
	}
	return directory
}

func kustomizeFunctions(t *testing.T, directory string, flags ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, failure bytes.Buffer
	command := exec.CommandContext(t.Context(), tool(t, "POLICYLOOM_KUSTOMIZE"), append([]string{"build", "--enable-alpha-plugins", directory}, flags...)...)
	command.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	command.Stdout, command.Stderr = &out, &failure
	err = command.Run()
	return out.String(), failure.String(), err
}

func TestE2EFunctions(t *testing.T) {
	tool(t, "POLICYLOOM_KUSTOMIZE")
	isolate(t)
	for _, name := range []string{"krm-function", "krm-inject"} {
		want, err := os.ReadFile(filepath.Join("testdata", "build", name, "expected.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		output, failure, err := kustomizeFunctions(t, functionCase(t, name), "--enable-exec")
		if err != nil || output != string(want) {
			t.Errorf("%s: kustomize prints\n%s%s%v\nbut Build gives\n%s", name, output, failure, err, want)
		}
	}
}

func TestE2EFunctionFails(t *testing.T) {
	tool(t, "POLICYLOOM_KUSTOMIZE")
	isolate(t)
	directory := functionCase(t, "krm-inject")
	write(t, filepath.Join(directory, "a.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
	output, failure, err := kustomizeFunctions(t, directory, "--enable-exec")
	if err == nil || output != "" || !strings.Contains(failure, "write object-templates-raw: policyloom.dev/VirtualMachineDNS/vm-dns") {
		t.Errorf("%v\n%s%s", err, output, failure)
	}
}

// TestE2ESkippedFunction shows the silence that Diagnose breaks.
func TestE2ESkippedFunction(t *testing.T) {
	tool(t, "POLICYLOOM_KUSTOMIZE")
	isolate(t)
	for name, want := range map[string]string{"krm-function": "", "krm-inject": "object-templates-raw: |\n          policyloom.dev/VirtualMachineDNS/vm-dns\n"} {
		directory := functionCase(t, name)
		output, failure, err := kustomizeFunctions(t, directory)
		if err != nil || failure != "" || strings.Contains(output, "$policy") || !strings.Contains(output, want) {
			t.Errorf("%s: kustomize is not silent: %v\n%s%s", name, err, output, failure)
		}
		findings, err := Diagnose(t.Context(), Options{Dir: directory}, false)
		if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Message, "kustomize skips the function silently") {
			t.Errorf("%s: %v %v", name, err, findings)
		}
		if findings, err := Diagnose(t.Context(), Options{Dir: directory}, true); err != nil || len(findings) > 0 {
			t.Errorf("%s: with --enable-exec %v %v", name, err, findings)
		}
	}
}
