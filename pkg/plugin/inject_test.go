package plugin

import (
	"bytes"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/policyloom/policyloom/pkg/diag"
)

// fakeInjection fills in a text that names the owner.
func fakeInjection(name string) injection {
	return injection{name: name, template: func(owner Owner) (string, diag.Findings) {
		return "{{- $policy := \"" + owner.String() + "\" }}\n- {{hub .ManagedClusterName hub}}: \"a: b\"", nil
	}}
}

func TestTransformKeepsTheRest(t *testing.T) {
	const stream = `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: a, namespace: n}
spec:
  policy-templates:
  - objectDefinition: {kind: ConfigurationPolicy, metadata: {name: one}, spec: {object-templates-raw: policyloom.dev/VirtualMachineDNS/x}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: &name a}
data: {a: *name, b: "yes"}
`
	output, findings := transform([]byte(stream), fakeInjection("x"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for _, want := range []string{
		"object-templates-raw: |-\n          {{- $policy := \"n.a\" }}\n          - {{hub .ManagedClusterName hub}}: \"a: b\"\n",
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: &name a}\ndata: {a: *name, b: \"yes\"}\n",
	} {
		if !strings.Contains(string(output), want) {
			t.Errorf("no %q in\n%s", want, output)
		}
	}

	shared := strings.NewReplacer("objectDefinition: {", "objectDefinition: &one {", "---", "  - objectDefinition: *one\n---").Replace(stream)
	_, findings = transform([]byte(shared), fakeInjection("x"))
	if len(findings) != 2 || !strings.Contains(findings[0].String(), "the policy has YAML aliases") {
		t.Errorf("the same twice: %v", findings)
	}
}

// FuzzTransform checks that no stream makes a transformer fail without a message, or change what it has nothing to do with.
func FuzzTransform(f *testing.F) {
	f.Add("kind: Policy\napiVersion: policy.open-cluster-management.io/v1\nmetadata: {name: a}\nspec: {policy-templates: " +
		"[{objectDefinition: {kind: ConfigurationPolicy, spec: {object-templates-raw: policyloom.dev/VirtualMachineDNS/x}}}]}\n---\na: b\n")
	f.Add("kind: ConfigurationPolicy\napiVersion: policy.open-cluster-management.io/v1\nspec: &a {object-templates-raw: *a}\n")
	f.Add("apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nspec: {policy-templates: {objectDefinition: []}}\n")
	f.Fuzz(func(t *testing.T, stream string) {
		output, findings := transform([]byte(stream), fakeInjection("x"))
		if findings.HasErrors() {
			return
		}
		before, err := (&kio.ByteReader{Reader: strings.NewReader(stream), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
		if err != nil {
			t.Fatal(err)
		}
		after, err := (&kio.ByteReader{Reader: bytes.NewReader(output), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
		if err != nil || len(after) != len(before) {
			t.Fatalf("%d resources became %d: %v\n%s", len(before), len(after), err, output)
		}
		for i := range before {
			if strings.HasPrefix(before[i].GetApiVersion(), policyGroup) {
				continue
			}
			want, err1 := before[i].String()
			got, err2 := after[i].String()
			if err1 == nil && (err2 != nil || got != want) {
				t.Errorf("%q became %q: %v", want, got, err2)
			}
		}
	})
}
