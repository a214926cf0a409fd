package plugin

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
)

const functionList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: kept, annotations: {config.kubernetes.io/index: '7'}}
  data: {a: "yes"} # kept
functionConfig:
  apiVersion: policyloom.dev/v1alpha1
  kind: VirtualMachineDNS
  metadata:
    name: vm-dns
    annotations:
      config.kubernetes.io/function: |
        exec: {path: ./policyloom}
      config.kubernetes.io/local-config: 'true'
  spec: {records: {ttl: 180}}
`

// inputFile gives a text as an open file.
func inputFile(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stdin")
	write(t, path, text)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func TestIsFunction(t *testing.T) {
	for name, test := range map[string]struct {
		args  []string
		stdin string
		want  bool
	}{
		"what kustomize writes":      {[]string{"./policyloom"}, functionList, true},
		"under the name of a plugin": {[]string{"/plugins/VirtualMachineDNS"}, functionList, true},
		"JSON":                       {[]string{"policyloom"}, `{"items": [], "kind": "ResourceList"}`, true},
		"quoted":                     {[]string{"policyloom"}, "kind: 'ResourceList'\n", true},
		"with a command":             {[]string{"policyloom", "version"}, functionList, false},
		"a configuration file":       {[]string{"VirtualMachineDNS", "vm-dns.yaml"}, functionList, false},
		"another kind":               {[]string{"policyloom"}, "kind: ResourceListing\n", false},
		"inside of something else":   {[]string{"policyloom"}, "kind: List\nitems:\n- kind: ResourceList\n", false},
		"nothing":                    {[]string{"policyloom"}, "", false},
		"more than is looked at":     {[]string{"policyloom"}, strings.Repeat("# x\n", 20000) + functionList, false},
	} {
		t.Run(name, func(t *testing.T) {
			call := Call{Args: test.args, Stdin: inputFile(t, test.stdin)}
			if got := call.IsFunction(); got != test.want {
				t.Errorf("IsFunction is %v", got)
			}
		})
	}

	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = writer.WriteString("apiVersion: config.kubernetes.io/v1\n")
		_, _ = writer.WriteString("kind: ResourceList\n")
		_ = writer.Close()
	}()
	pipe := Call{Args: []string{"policyloom"}, Stdin: reader}
	if !pipe.IsFunction() {
		t.Error("a pipe that is written in parts is not taken")
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	device := Call{Args: []string{"policyloom"}, Stdin: null}
	if device.IsFunction() {
		t.Error("a device is read")
	}
}

func TestRunFunction(t *testing.T) {
	const policy = "- apiVersion: policy.open-cluster-management.io/v1\n  kind: Policy\n  metadata: {name: dns, namespace: lab}\n" +
		"  spec: {policy-templates: [{objectDefinition: {kind: ConfigurationPolicy, metadata: {name: dns}, " +
		"spec: {object-templates-raw: TEXT}}}]}\nfunctionConfig:\n"
	withPolicy := func(text string) string {
		return strings.Replace(functionList, "functionConfig:\n", strings.Replace(policy, "TEXT", text, 1), 1)
	}
	for name, test := range map[string]struct {
		input    string
		want     []string
		wantNot  string
		findings string
	}{
		"generator": {
			input: functionList,
			want: []string{
				`data: {a: "yes"} # kept`, "config.kubernetes.io/index: '7'", "kind: PlacementBinding", "    ttl: 180\n",
				"exec: {path: ./policyloom}",
			},
			wantNot: "results:",
		},
		"generated before": {
			input:   strings.Replace(withPolicy("x"), "{name: dns, namespace: lab}", "{name: vm-dns, namespace: policies}", 1),
			want:    []string{"ttl: 180"},
			wantNot: "object-templates-raw: x",
		},
		"transformer": {
			input:   withPolicy("policyloom.dev/VirtualMachineDNS/vm-dns"),
			want:    []string{`data: {a: "yes"} # kept`, `{{- $policy := "lab.dns" }}`},
			wantNot: "PlacementBinding",
		},
		"transformer of kustomize without a placeholder": {
			input:    strings.Replace(withPolicy("x"), "config.kubernetes.io/index", "kustomize.config.k8s.io/id", 1),
			want:     []string{"results:\n- message: 'no ConfigurationPolicy holds the placeholder", "severity: error", "name: vm-dns"},
			wantNot:  "PlacementBinding",
			findings: "there are ConfigurationPolicy dns in Policy lab/dns (write object-templates-raw: policyloom.dev/VirtualMachineDNS/vm-dns)",
		},
		"mistake in the configuration": {
			input: strings.Replace(functionList, "180", "-1", 1),
			want: []string{
				"- message: must be positive (the default is 180)\n  severity: error\n", "path: spec.records.ttl", "path: spec.names",
			},
			wantNot:  "PlacementBinding",
			findings: "VirtualMachineDNS vm-dns: spec.records.ttl: must be positive (the default is 180)\n",
		},
		"mistake in the configuration of a transformer": {
			input:    strings.Replace(withPolicy("policyloom.dev/VirtualMachineDNS/vm-dns"), "180", "-1", 1),
			want:     []string{"path: spec.records.ttl", "object-templates-raw: policyloom.dev/VirtualMachineDNS/vm-dns"},
			findings: "VirtualMachineDNS vm-dns: spec.records.ttl: must be positive (the default is 180)\n",
		},
		"warning": {
			input:    strings.Replace(functionList, "180", "1", 1),
			want:     []string{"- message: is short\n  severity: warning", "kind: PlacementBinding"},
			findings: "VirtualMachineDNS vm-dns: spec.records.ttl: is short",
		},
		"no configuration": {
			input:    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
			want:     []string{"results:\n- message: the ResourceList has no functionConfig"},
			findings: "the ResourceList has no functionConfig",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout bytes.Buffer
			call := Call{Args: []string{"policyloom"}, Stdin: inputFile(t, test.input), Stdout: &stdout}
			if !call.IsFunction() {
				t.Fatal("is no function")
			}
			findings, err := call.RunFunction(fakeProgram)
			if err != nil {
				t.Fatal(err)
			}
			if got := findings.Error(); test.findings == "" && got != "" || !strings.Contains(got, test.findings) {
				t.Errorf("the findings are\n%s\nwithout\n%s", got, test.findings)
			}
			for _, want := range test.want {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("no %q in\n%s", want, stdout.String())
				}
			}
			if test.wantNot != "" && strings.Contains(stdout.String(), test.wantNot) {
				t.Errorf("%q is in\n%s", test.wantNot, stdout.String())
			}
		})
	}

	call := Call{Stdin: strings.NewReader("kind: ResourceList\nitems: ["), Stdout: &bytes.Buffer{}}
	if findings, err := call.RunFunction(fakeProgram); err == nil {
		t.Errorf("malformed input: %v", findings)
	}
}

func TestUnused(t *testing.T) {
	s := inspect(filepath.Join("testdata", "build", "patched-away", "overlay"))
	if len(s.listings) != 2 {
		t.Fatalf("%d resources are listed", len(s.listings))
	}
	if findings := s.unused([]runReport{{Directory: s.root, Name: "lab"}}); len(findings) > 0 {
		t.Errorf("one has run: %v", findings)
	}
	findings := s.unused([]runReport{{Directory: filepath.Dir(s.root), Name: "lab"}})
	if len(findings) != 2 || findings[0].Severity != diag.Error || !strings.Contains(findings[0].String(), "kustomize did not run it") {
		t.Errorf("none has run: %v", findings)
	}
}
