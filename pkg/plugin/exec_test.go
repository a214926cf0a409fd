package plugin

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
)

func TestIsPlugin(t *testing.T) {
	root := map[string]string{"KUSTOMIZE_PLUGIN_CONFIG_ROOT": "/repo/policies"}
	for _, test := range []struct {
		name string
		args []string
		env  map[string]string
		want bool
	}{
		{"by its place", []string{"/home/u/plugin/policyloom.dev/v1alpha1/virtualmachinedns/VirtualMachineDNS", "/tmp/x"}, root, true},
		{"by hand", []string{"./VirtualMachineDNS", "vm-dns.yaml"}, nil, true},
		{"by hand without a file", []string{"VirtualMachineDNS"}, nil, true},
		{"on Windows", []string{"VirtualMachineDNS.exe", "x"}, nil, true},
		{"on Windows in capitals", []string{"VirtualMachineDNS.EXE", "x"}, nil, true},
		{"behind a wrapper script", []string{"/usr/bin/policyloom", "/tmp/kust-plugin-config-123"}, root, true},
		{"from a script that is a plugin", []string{"policyloom", "generate", "vm-dns.yaml"}, root, false},
		{"from a script that is a plugin, one argument", []string{"policyloom", "version"}, root, false},
		{"that file without kustomize", []string{"policyloom", "/tmp/kust-plugin-config-123"}, nil, false},
		{"the command", []string{"policyloom", "build", "VirtualMachineDNS"}, nil, false},
		{"as a kubectl plugin", []string{"kubectl-policyloom"}, nil, false},
		{"another case", []string{"virtualmachinedns", "x"}, nil, false},
		{"nothing", nil, root, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			call := Call{Args: test.args, Getenv: func(name string) string { return test.env[name] }}
			if got := call.IsPlugin(); got != test.want {
				t.Errorf("IsPlugin is %v", got)
			}
		})
	}
}

func TestRun(t *testing.T) {
	directory := t.TempDir()
	config := filepath.Join(directory, "kust-plugin-config-1")
	write(t, config, "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\n")
	root := filepath.Join(directory, "policies")
	finding := diag.Finding{
		Severity: diag.Error, Position: diag.Position{File: config, Line: 3, Column: 2},
		Object: "VirtualMachineDNS vm-dns", Field: "spec.x", Message: "is wrong",
	}
	warning := diag.Finding{Severity: diag.Warning, Message: "is odd"}

	for _, test := range []struct {
		name     string
		args     []string
		env      map[string]string
		stdin    string
		output   string
		findings diag.Findings
		want     string
		wantErr  string
	}{
		{
			name: "result", args: []string{"p", config}, output: "a: b\n", want: "a: b\n",
		}, {
			name: "result with a warning", args: []string{"p", config}, output: "a: b\n", findings: diag.Findings{warning}, want: "a: b\n",
		}, {
			name: "failure below the working directory", args: []string{"p", config},
			env:    map[string]string{"KUSTOMIZE_PLUGIN_CONFIG_ROOT": root, "PWD": directory},
			output: "a: b\n", findings: diag.Findings{finding},
			wantErr: "policies: VirtualMachineDNS vm-dns: spec.x: is wrong",
		}, {
			name: "failure elsewhere", args: []string{"p", config},
			env:     map[string]string{"KUSTOMIZE_PLUGIN_CONFIG_ROOT": "/repo/policies", "PWD": directory},
			output:  "a: b\n",
			wantErr: "/repo/policies: VirtualMachineDNS vm-dns: spec.x: is wrong\n/repo/policies: is odd", findings: diag.Findings{finding, warning},
		}, {
			name: "nothing generated", args: []string{"p", config}, output: " \n",
			wantErr: "VirtualMachineDNS vm-dns: nothing was generated",
		}, {
			name: "transformer without a placeholder", args: []string{"p", config}, stdin: "kind: ConfigMap\n",
			env: map[string]string{"KUSTOMIZE_PLUGIN_CONFIG_ROOT": "/repo"},
			wantErr: "/repo: VirtualMachineDNS vm-dns: no ConfigurationPolicy holds the placeholder to fill in; there is no ConfigurationPolicy at all " +
				"(write object-templates-raw: policyloom.dev/VirtualMachineDNS/vm-dns, or to generate policies, list the resource under generators:)",
		}, {
			name: "transformer of what is no YAML", args: []string{"p", config}, stdin: "{",
			env:     map[string]string{"KUSTOMIZE_PLUGIN_CONFIG_ROOT": "/repo"},
			wantErr: "/repo: reading the resources: MalformedYAMLError: yaml: line 1: did not find expected node content",
		}, {
			name: "no file", args: []string{"p"},
			wantErr: "the name of the configuration file is missing (kustomize runs this program as a plugin; use policyloom for everything else)",
		}, {
			name: "missing file", args: []string{"p", "testdata/nope"},
			wantErr: "reading the configuration: open testdata/nope: no such file or directory",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout bytes.Buffer
			call := Call{
				Args:   test.args,
				Getenv: func(name string) string { return test.env[name] },
				Stdin:  strings.NewReader(test.stdin), Stdout: &stdout,
			}
			program := fakeProgram
			program.Generate = func([]byte) ([]byte, diag.Findings) { return []byte(test.output), test.findings }
			err := call.Run(program)
			if got := errorText(err); got != test.wantErr {
				t.Errorf("the error is\n%s\nand not\n%s", got, test.wantErr)
			}
			if stdout.String() != test.want {
				t.Errorf("the output is %q", stdout.String())
			}
		})
	}
}

func TestRunByHandLeavesStandardInputAlone(t *testing.T) {
	terminal, _, err := os.Pipe() // reading from it would never end
	if err != nil {
		t.Fatal(err)
	}
	call := Call{
		Args:   []string{"VirtualMachineDNS", "testdata/build/single/vm-dns.yaml"},
		Getenv: func(string) string { return "" }, Stdin: terminal, Stdout: &bytes.Buffer{},
	}
	if err := call.Run(fakeProgram); err != nil {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
