package plugin

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// TestMain lets the test binary be the plugin or the function that kustomize runs.
func TestMain(m *testing.M) {
	call := Call{Args: os.Args, Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout}
	if call.IsFunction() {
		findings, err := call.RunFunction(fakeProgram)
		fmt.Fprintln(os.Stderr, findings, err)
		if err != nil || findings.HasErrors() {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if !call.IsPlugin() {
		os.Exit(m.Run())
	}
	if err := call.Run(fakeProgram); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fakeGenerate makes a Policy that tells the TTL. Special TTLs make it fail in several ways.
func fakeGenerate(data []byte) ([]byte, diag.Findings) {
	var config struct {
		Metadata struct{ Name string }
		Spec     struct{ Records struct{ TTL int } }
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		return nil, diag.Findings{{Severity: diag.Error, Message: err.Error()}}
	}
	name, ttl := config.Metadata.Name, config.Spec.Records.TTL
	finding := diag.Finding{
		Severity: diag.Error, Position: diag.Position{File: "config", Line: 3, Column: 4},
		Object: "VirtualMachineDNS " + name, Field: "spec.records.ttl", Message: "must be positive", Hint: "the default is 180",
	}
	switch ttl {
	case -1:
		other := finding
		other.Field, other.Message, other.Hint = "spec.names.allowedDomains[1].domain", "is no domain", ""
		return nil, diag.Findings{finding, other}
	case -2:
		return []byte("# nothing\n---\n")[:0], nil
	case -3:
		time.Sleep(time.Minute)
	case 1:
		finding.Severity, finding.Message, finding.Hint = diag.Warning, "is short", ""
	default:
		finding = diag.Finding{}
	}
	output := fmt.Sprintf(strings.TrimPrefix(`
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: %[1]s, namespace: policies}
spec:
  object-templates-raw: |
    {{- range (lookup "v1" "ConfigMap" "" "").items }}
    ttl: %[2]d
    {{- end }}
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: binding-%[1]s, namespace: policies}
subjects: [{kind: Policy, name: %[1]s}]
`, "\n"), name, ttl)
	if finding.Severity == "" {
		return []byte(output), nil
	}
	return []byte(output), diag.Findings{finding}
}

// fakeProgram fills in templates that tell whose they are.
var fakeProgram = Program{
	Check: func(config []byte) diag.Findings {
		_, findings := fakeGenerate(config)
		return findings
	},
	Generate: fakeGenerate,
	Template: func(config []byte, owner Owner) (string, diag.Findings) {
		return "{{- $policy := \"" + owner.String() + "\" }}\n- a: b", nil
	},
}
