package plugin

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tool gives the program that an environment variable names. Without it the test is skipped, except where POLICYLOOM_E2E
// says that all programs have to be there.
func tool(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	switch {
	case path != "":
		return path
	case os.Getenv("POLICYLOOM_E2E") != "":
		t.Fatalf("%s is not set", variable)
	}
	t.Skipf("%s is not set; make e2e sets it", variable)
	return ""
}

// kustomize runs the real command with a plugin home that holds the test binary.
func kustomize(t *testing.T, program, home, directory string) (output []byte, failure string) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Install(InstallOptions{Home: home, Executable: executable}); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	command := exec.Command(program, "build", "--enable-alpha-plugins", directory)
	command.Env = append(os.Environ(), "KUSTOMIZE_PLUGIN_HOME="+home, "TMPDIR="+t.TempDir())
	command.Stdout, command.Stderr = &stdout, &stderr
	if command.Run() != nil {
		return nil, stderr.String()
	}
	return stdout.Bytes(), ""
}

func TestE2EBuildIsWhatKustomizePrints(t *testing.T) {
	program := tool(t, "POLICYLOOM_KUSTOMIZE")
	built := 0
	for name, directory := range buildCases(t) {
		want, err := os.ReadFile(filepath.Join("testdata", "build", name, "expected.yaml"))
		if err != nil || strings.HasPrefix(name, "krm-") {
			continue
		}
		built++
		t.Run(name, func(t *testing.T) {
			isolate(t)
			output, failure := kustomize(t, program, t.TempDir(), directory)
			if failure != "" {
				t.Fatalf("kustomize: %s", failure)
			}
			if !bytes.Equal(output, want) {
				t.Errorf("kustomize prints\n%s\nbut Build gives\n%s", output, want)
			}
		})
	}
	if built == 0 {
		t.Error("no case builds")
	}
}

func TestE2EKustomizeShowsFailures(t *testing.T) {
	program := tool(t, "POLICYLOOM_KUSTOMIZE")
	for name, want := range map[string]string{
		"plugin-fails": "Error: testdata/build/plugin-fails: VirtualMachineDNS vm-dns: spec.records.ttl: " +
			"must be positive (the default is 180)\n" +
			"testdata/build/plugin-fails: VirtualMachineDNS vm-dns: spec.names.allowedDomains[1].domain: is no domain\n",
		"generates-nothing":  "Error: testdata/build/generates-nothing: VirtualMachineDNS vm-dns: nothing was generated\n",
		"under-transformers": "there is no ConfigurationPolicy at all (write object-templates-raw: policyloom.dev/VirtualMachineDNS/vm-dns, ",
	} {
		t.Run(name, func(t *testing.T) {
			isolate(t)
			t.Setenv("PWD", workingDirectory(t))
			_, failure := kustomize(t, program, t.TempDir(), filepath.Join("testdata", "build", name))
			if !strings.Contains(failure, want) {
				t.Errorf("kustomize says\n%s\nwithout\n%s", failure, want)
			}
		})
	}
}

func TestE2EPolicyGenerator(t *testing.T) {
	program, policyGenerator := tool(t, "POLICYLOOM_KUSTOMIZE"), tool(t, "POLICYLOOM_POLICYGENERATOR")
	isolate(t)
	home := t.TempDir()
	if err := place(policyGenerator, policyGeneratorPath(home), false); err != nil {
		t.Fatal(err)
	}
	directory := filepath.Join("testdata", "policygenerator", "good")
	want, failure := kustomize(t, program, home, directory)
	if failure != "" {
		t.Fatalf("kustomize: %s", failure)
	}
	output, findings, err := Build(t.Context(), Options{Dir: directory, PolicyGenerator: policyGenerator})
	if err != nil || len(findings) > 0 {
		t.Fatalf("%v %v", err, findings)
	}
	if !bytes.Equal(output, want) || bytes.Count(output, []byte("\nkind: Policy\n")) != 2 {
		t.Errorf("kustomize prints\n%s\nbut Build gives\n%s", want, output)
	}
}

func TestE2EPolicyGeneratorFails(t *testing.T) {
	policyGenerator := tool(t, "POLICYLOOM_POLICYGENERATOR")
	isolate(t)
	for name, want := range map[string]string{
		"bad": "testdata/policygenerator/bad/kustomization.yaml: error processing the PolicyGenerator file 'configuration': ",
		"remote": "testdata/policygenerator/remote/input/kustomization.yaml:1:13: resources[0]: cannot fetch " +
			"https://example.com/a.yaml (policyloom works offline: keep a copy in the repository and name that)",
	} {
		directory := filepath.Join("testdata", "policygenerator", name)
		_, findings, err := Build(t.Context(), Options{Dir: directory, PolicyGenerator: policyGenerator})
		if err != nil || len(findings) != 1 {
			t.Fatalf("%s: %v %v", name, err, findings)
		}
		text := findings[0].String()
		t.Log(text)
		if !strings.HasPrefix(text, want) || strings.Contains(text, "kust-plugin-config") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestE2EReadyMadePolicies(t *testing.T) {
	program, kustomizeProgram := tool(t, "POLICYLOOM_BINARY"), tool(t, "POLICYLOOM_KUSTOMIZE")
	isolate(t)
	home := t.TempDir()
	if _, err := Install(InstallOptions{Home: home, Executable: program}); err != nil {
		t.Fatal(err)
	}
	for _, directory := range []string{"../..", "../../policies/vm-dns"} {
		command := exec.Command(kustomizeProgram, "build", "--enable-alpha-plugins", directory)
		command.Env = append(os.Environ(), "KUSTOMIZE_PLUGIN_HOME="+home)
		want, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		got, err := exec.Command(program, "build", directory).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) || !bytes.Contains(got, []byte("\nkind: Policy\n")) {
			t.Errorf("%s: kustomize prints\n%s\nbut policyloom build\n%s", directory, want, got)
		}
	}
}
