package generate

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// TestE2EPolicyGeneratorMakesTheSame gives the same options to PolicyGenerator, with the template as its manifest.
func TestE2EPolicyGeneratorMakesTheSame(t *testing.T) {
	program := os.Getenv("POLICYLOOM_POLICYGENERATOR")
	if program == "" {
		if os.Getenv("POLICYLOOM_E2E") != "" {
			t.Fatal("POLICYLOOM_POLICYGENERATOR is not set")
		}
		t.Skip("needs PolicyGenerator: make e2e")
	}
	type object = map[string]any
	for name, test := range map[string]struct{ policy, placement object }{
		"defaults":       {},
		"inform":         {policy: object{"remediationAction": "inform", "severity": "critical", "disabled": true}},
		"annotations":    {policy: object{"policyAnnotations": object{"a": "b"}, "policyLabels": object{"c": "d"}, "description": "text: \"x\""}},
		"standards":      {policy: object{"categories": []string{"A", "B"}, "controls": []string{}, "standards": []string{"C"}}},
		"configuration":  {policy: object{"configurationPolicyAnnotations": object{"a": "b"}, "pruneObjectBehavior": "None"}},
		"interval":       {policy: object{"evaluationInterval": object{"compliant": "10m", "noncompliant": "never"}}},
		"copy metadata":  {policy: object{"copyPolicyMetadata": false}},
		"hub templates":  {policy: object{"hubTemplateOptions": object{"serviceAccountName": "reader"}}},
		"messages":       {policy: object{"customMessage": object{"compliant": "fine", "noncompliant": "{{ .Policy.metadata.name }}"}}},
		"dependencies":   {policy: object{"dependencies": []object{{"name": "first"}, {"name": "second", "compliance": "NonCompliant"}}}},
		"extra":          {policy: object{"extraDependencies": []object{{"name": "c", "kind": "ConfigurationPolicy"}}, "ignorePending": true}},
		"labels":         {placement: object{"labelSelector": object{"matchLabels": object{"a": "b"}}}},
		"expressions":    {placement: object{"labelSelector": object{"matchExpressions": []object{{"key": "a", "operator": "In", "values": []string{"b"}}}}}},
		"placement name": {placement: object{"name": "mine", "labelSelector": object{"matchLabels": object{"a": "b"}}}},
		"everything":     {placement: object{"labelSelector": object{}}},
		"existing":       {placement: object{"placementName": "mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			policy := object{
				"namespace": "policies", "remediationAction": "enforce", "pruneObjectBehavior": "DeleteIfCreated",
				"evaluationInterval": object{"compliant": "watch", "noncompliant": "watch"},
			}
			maps.Copy(policy, test.policy)
			placement := test.placement
			if placement == nil {
				placement = object{"labelSelector": object{"matchLabels": object{"vm-dns": "true"}}}
			}

			resource := resourceOf(t, object{"policy": policy, "placement": placement})
			ours, err := YAML([]*v1alpha1.VirtualMachineDNS{resource})
			if err != nil {
				t.Fatal(err)
			}
			text, err := Template(resource)
			if err != nil {
				t.Fatal(err)
			}
			defaults := maps.Clone(policy)
			defaults["placement"] = placement
			theirs := policyGenerator(t, program, text, object{
				"apiVersion": "policy.open-cluster-management.io/v1", "kind": "PolicyGenerator", "metadata": object{"name": "g"},
				"policyDefaults": defaults,
				"policies":       []object{{"name": "vm-dns", "manifests": []object{{"path": "raw.yaml"}}}},
			})
			got, want := byReference(t, ours), byReference(t, theirs)
			if !reflect.DeepEqual(got, want) {
				gotText, _ := yaml.Marshal(got)
				wantText, _ := yaml.Marshal(want)
				t.Errorf("got\n%s\nPolicyGenerator makes\n%s", shorten(string(gotText)), shorten(string(wantText)))
			}
		})
	}
}

func resourceOf(t *testing.T, spec map[string]any) *v1alpha1.VirtualMachineDNS {
	t.Helper()
	data, err := yaml.Marshal(map[string]any{
		"apiVersion": v1alpha1.APIVersion, "kind": v1alpha1.VirtualMachineDNSKind, "metadata": map[string]any{"name": "vm-dns"}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	resources, findings := v1alpha1.Decode("input", data)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if findings := resources[0].Validate(); findings.HasErrors() {
		t.Fatal(findings)
	}
	resources[0].Default()
	return resources[0]
}

func policyGenerator(t *testing.T, program, template string, config map[string]any) []byte {
	t.Helper()
	dir := t.TempDir()
	for file, content := range map[string]any{"raw.yaml": map[string]any{"object-templates-raw": template}, "config.yaml": config} {
		data, err := yaml.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(program, "config.yaml")
	command.Dir = dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	return output
}

func byReference(t *testing.T, stream []byte) map[string]any {
	t.Helper()
	objects, findings := manifest.Decode("output", stream)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	result := map[string]any{}
	for _, object := range objects {
		result[manifest.Reference(object.Unstructured)] = object.Object
	}
	return result
}
