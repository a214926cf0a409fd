package generate

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/manifest"
)

type object = map[string]any

// option is something that one can ask of PolicyGenerator and of a resource in the same words.
type option struct {
	name              string
	policy, placement object
	sets              []object
}

// policyOptions are all options that both have, with values that are not the defaults.
var policyOptions = []option{
	{name: "inform", policy: object{"remediationAction": "inform", "severity": "critical"}},
	{name: "disabled", policy: object{"disabled": true}},
	{name: "annotations", policy: object{"policyAnnotations": object{"a": "b"}, "policyLabels": object{"c": "d"}, "description": "text: \"x\""}},
	{name: "standards", policy: object{"categories": []string{"A", "B"}, "controls": []string{}, "standards": []string{"C"}}},
	{name: "configuration", policy: object{"configurationPolicyAnnotations": object{"a": "b"}}},
	{name: "prune", policy: object{"pruneObjectBehavior": "None"}},
	{name: "interval", policy: object{"evaluationInterval": object{"compliant": "10m", "noncompliant": "never"}}},
	{name: "copy metadata", policy: object{"copyPolicyMetadata": false}},
	{name: "hub templates", policy: object{"hubTemplateOptions": object{"serviceAccountName": "reader"}}},
	{name: "messages", policy: object{"customMessage": object{"compliant": "fine", "noncompliant": "{{ .Policy.metadata.name }}"}}},
	{name: "dependencies", policy: object{"dependencies": []object{{"name": "first"}, {"name": "second", "compliance": "NonCompliant"}}}},
	{name: "extra", policy: object{"extraDependencies": []object{{"name": "c", "kind": "ConfigurationPolicy"}}}},
	{name: "pending", policy: object{"ignorePending": true}},
	{name: "namespaces", policy: object{"namespaceSelector": object{"include": []string{"a*"}, "exclude": []string{"ab"}, "matchLabels": object{"c": "d"}}}},
	{name: "namespaces by expression", policy: object{"namespaceSelector": object{"matchExpressions": []object{{"key": "a", "operator": "Exists"}}}}},
	{name: "object options", policy: object{"metadataComplianceType": "mustonlyhave", "recordDiff": "None", "recreateOption": "IfRequired"}},
	{name: "unplaced", policy: object{"generatePolicyPlacement": false}},
	{name: "in a set", policy: object{"policySets": []string{"dns"}}},
	{name: "in a set and placed", policy: object{"policySets": []string{"dns"}, "generatePlacementWhenInSet": true}},
	{
		name: "described set", policy: object{"policySets": []string{"dns"}},
		sets: []object{{"name": "dns", "description": "names", "placement": object{"labelSelector": object{"matchLabels": object{"a": "b"}}}}},
	},
	{name: "unplaced set", policy: object{"policySets": []string{"dns"}}, sets: []object{{"name": "dns", "generatePolicySetPlacement": false}}},
	{name: "set on an existing placement", policy: object{"policySets": []string{"dns"}}, sets: []object{{"name": "dns", "placement": object{"placementName": "x"}}}},
	{name: "labels", placement: object{"labelSelector": object{"matchLabels": object{"a": "b"}}}},
	{name: "expressions", placement: object{"labelSelector": object{"matchExpressions": []object{{"key": "a", "operator": "In", "values": []string{"b"}}}}}},
	{name: "placement name", placement: object{"name": "mine", "labelSelector": object{"matchLabels": object{"a": "b"}}}},
	{name: "everything", placement: object{"labelSelector": object{}}},
	{name: "existing", placement: object{"placementName": "mine"}},
}

// intended are the differences that are meant, by what the names of the options have in common.
var intended = map[[2]string]string{
	{"set", "placement name"}: "PolicyGenerator falls back to the name of the policy's Placement for that of the set, and numbers them",
}

func (o option) isIntended() bool {
	for parts := range intended {
		if strings.Contains(o.name, parts[0]) && strings.Contains(o.name, parts[1]) {
			return true
		}
	}
	return false
}

// with joins two options; ok is false where both are about the same.
func (o option) with(other option) (joined option, ok bool) {
	for key := range other.policy {
		if _, both := o.policy[key]; both {
			return option{}, false
		}
	}
	if o.placement != nil && other.placement != nil {
		return option{}, false
	}
	joined = option{name: o.name + ", " + other.name, policy: maps.Clone(o.policy), placement: o.placement, sets: append(slices.Clone(o.sets), other.sets...)}
	if joined.policy == nil {
		joined.policy = object{}
	}
	maps.Copy(joined.policy, other.policy)
	if other.placement != nil {
		joined.placement = other.placement
	}
	return joined, true
}

// TestE2EPolicyGeneratorMakesTheSame gives the same options to PolicyGenerator, with the template as its manifest: each option
// alone and every two of them.
func TestE2EPolicyGeneratorMakesTheSame(t *testing.T) {
	program := os.Getenv("POLICYLOOM_POLICYGENERATOR")
	if program == "" {
		if os.Getenv("POLICYLOOM_E2E") != "" {
			t.Fatal("POLICYLOOM_POLICYGENERATOR is not set")
		}
		t.Skip("needs PolicyGenerator: make e2e")
	}
	cases := []option{{name: "defaults"}}
	for i, one := range policyOptions {
		cases = append(cases, one)
		for _, other := range policyOptions[:i] {
			if both, ok := other.with(one); ok && !both.isIntended() {
				cases = append(cases, both)
			}
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comparePolicyGenerator(t, program, c)
		})
	}
}

func comparePolicyGenerator(t *testing.T, program string, c option) {
	t.Helper()
	// Where the two have other defaults: ours enforces, prunes and watches.
	policy := object{
		"namespace": "policies", "remediationAction": "enforce", "pruneObjectBehavior": "DeleteIfCreated",
		"evaluationInterval": object{"compliant": "watch", "noncompliant": "watch"},
	}
	maps.Copy(policy, c.policy)
	placement := c.placement
	if placement == nil {
		placement = object{"labelSelector": object{"matchLabels": object{"vm-dns": "true"}}}
	}
	spec := object{"policy": policy, "placement": placement}
	config := object{
		"apiVersion": "policy.open-cluster-management.io/v1", "kind": "PolicyGenerator", "metadata": object{"name": "g"},
		"policies": []object{{"name": "vm-dns", "manifests": []object{{"path": "raw.yaml"}}}},
		// PolicyGenerator gives the binding of a set no name of its own.
		"placementBindingDefaults": object{"name": "binding-dns"},
	}
	if c.sets != nil {
		spec["policySets"], config["policySets"] = c.sets, c.sets
	}
	resource := resourceOf(t, spec)
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
	config["policyDefaults"] = defaults
	got, want := byReference(t, ours), byReference(t, policyGenerator(t, program, text, config))
	if !reflect.DeepEqual(got, want) {
		gotText, _ := yaml.Marshal(got)
		wantText, _ := yaml.Marshal(want)
		t.Errorf("got\n%s\nPolicyGenerator makes\n%s", shorten(string(gotText)), shorten(string(wantText)))
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
