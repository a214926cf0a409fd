package crds

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The definitions are those of the engines in the program.
func TestDefinitionsAreThoseOfTheModules(t *testing.T) {
	t.Parallel()
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "open-cluster-management.io/config-policy-controller").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(output)), "deploy/crds/policy.open-cluster-management.io_configurationpolicies.yaml")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(configurationPolicies, want) {
		t.Errorf("differs from %s", file)
	}
}

func TestConfigurationPolicy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"severity: high":                        "",
		"severity: hi":                          `spec.severity: "hi" is not one of low, medium, high, critical`,
		"pruneObjectBehavior: Delete":           `spec.pruneObjectBehavior: "Delete" is not one of DeleteAll, DeleteIfCreated, None (did you mean "DeleteAll"?)`,
		"evaluationInterval: {compliant: soon}": `spec.evaluationInterval.compliant: "soon" is not an interval (a duration such as 1h25m3s, watch or never)`,
		"evaluationInterval: {compliant: 1h25m3s, noncompliant: watch}": "",
	} {
		content := map[string]any{}
		if err := yaml.Unmarshal([]byte("apiVersion: v1\nspec:\n  remediationAction: inform\n  object-templates-raw: x\n  "+text), &content); err != nil {
			t.Fatal(err)
		}
		problems, err := ConfigurationPolicy(content)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range problems {
			line := p.Field + ": " + p.Message
			if p.Hint != "" {
				line += " (" + p.Hint + ")"
			}
			got = append(got, line)
		}
		if text2 := strings.Join(got, "\n"); text2 != want {
			t.Errorf("%s: got %q, want %q", text, text2, want)
		}
	}
}
