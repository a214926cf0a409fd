package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestNoArguments checks that the program alone prints its help whatever standard input is, and is a KRM function only for a
// ResourceList.
func TestNoArguments(t *testing.T) {
	t.Parallel()
	help := run(t.Context(), "").stdout
	if !strings.Contains(help, "Usage:") {
		t.Fatalf("the help is %q", help)
	}
	for name, stdin := range map[string]string{"": "", "nothing": "", "text": "hello\n", "manifests": "kind: List\nitems: []\n"} {
		command := program(t)
		if name != "" {
			command.Stdin = strings.NewReader(stdin) // a pipe; without it, a device
		}
		output, err := command.CombinedOutput()
		if err != nil || string(output) != help {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}

// TestFunction runs the program as kustomize runs a function.
func TestFunction(t *testing.T) {
	t.Parallel()
	input, err := os.ReadFile("testdata/function/generator.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(input), "items:\n")
	_, config, _ := strings.Cut(rest, "functionConfig:\n")
	withItems := func(items string) string { return before + items + "functionConfig:\n" + config }
	for name, test := range map[string]struct {
		input          string
		code           int
		stdout, stderr []string
	}{
		"generator": {string(input), ExitFine, []string{"kind: ResourceList\n", "  kind: PlacementBinding\n", `$policy := "policies.vm-dns"`}, nil},
		"mistake": {
			strings.Replace(string(input), "namespace: policies", "namespace: Policies", 1), ExitFindings,
			[]string{"results:\n", "severity: error\n", "path: spec.policy.namespace\n"},
			[]string{`error: VirtualMachineDNS vm-dns: spec.policy.namespace: "Policies" is not a valid namespace`},
		},
		"template without a place": {
			strings.Replace(string(input), "spec:\n", "spec:\n    output: Template\n", 1), ExitFindings, nil,
			[]string{"error: VirtualMachineDNS vm-dns: spec.output: a Template is no object", "policyloom.dev/VirtualMachineDNS/vm-dns"},
		},
		"another kind": {
			strings.ReplaceAll(string(input), "kind: VirtualMachineDNS", "kind: VirtualMachineDSN"), ExitFindings, nil,
			[]string{`VirtualMachineDSN`},
		},
		"no lists": {
			withItems("items: 3\nresults: {}\n"), ExitFindings, nil,
			[]string{"error: ResourceList: items: must be a list\n"},
		},
		"no objects": {
			withItems("items: [1]\nresults: [a]\n"), ExitFindings, nil,
			[]string{"error: ResourceList: items[0]: must be a mapping\n", "error: ResourceList: results[0]: must be a mapping\n"},
		},
		"another version": {
			strings.Replace(string(input), "config.kubernetes.io/v1", "config.kubernetes.io/v2", 1), ExitFindings, nil,
			[]string{`error: ResourceList: apiVersion: unknown apiVersion "config.kubernetes.io/v2" (known are config.kubernetes.io/v1, `},
		},
		"malformed": {"kind: ResourceList\nitems: [\n", ExitUsage, nil, []string{"error: "}},
	} {
		var stdout, stderr bytes.Buffer
		command := program(t)
		command.Stdin, command.Stdout, command.Stderr = strings.NewReader(test.input), &stdout, &stderr
		_ = command.Run()
		if code := command.ProcessState.ExitCode(); code != test.code {
			t.Errorf("%s: exit code %d", name, code)
		}
		for _, want := range test.stdout {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s: no %q on standard output\n%s", name, want, stdout.String())
			}
		}
		for _, want := range test.stderr {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: no %q on standard error\n%s", name, want, stderr.String())
			}
		}
		if test.code == ExitFine && stderr.Len() > 0 {
			t.Errorf("%s: %s", name, stderr.String())
		}
	}
}
