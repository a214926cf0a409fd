package v1alpha1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	kubeyaml "sigs.k8s.io/yaml"
)

func TestDefault(t *testing.T) {
	const head = "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\n"
	tests := map[string]string{
		"minimal":            head + "spec: {policy: {namespace: policies}}\n",
		"existing-placement": head + "spec: {policy: {namespace: policies}, placement: {placementName: all}}\n",
		"what-is-set-stays": head + `spec:
  output: Template
  source: {selector: {}, namespaces: {include: [], exclude: [kube-*]}}
  names:
    annotationPrefix: dns.example.com
    matchInterfaceBy: [interfaceName]
    limits: {firstLabel: 20}
    allowWildcards: true
  records: {types: [], ttl: 60, whenNoAddress: Keep, skipLinkDown: true}
  endpoint: {per: VirtualMachine}
  policy:
    remediationAction: inform
    pruneObjectBehavior: None
    severity: high
    evaluationInterval: {noncompliant: 5m}
    categories: []
    controls: []
    standards: []
    disabled: true
    copyPolicyMetadata: false
    ignorePending: true
    dependencies: [{name: a}, {name: b, kind: ConfigurationPolicy, compliance: Pending}]
  placement:
    clusterSets: [prod]
    bindClusterSets: true
    tolerations: []
`,
		"tolerations": head + "spec: {placement: {name: own, labelSelector: {matchLabels: {env: prod}}, tolerations: [{key: a, value: b}]}}\n",
	}
	for name, input := range tests {
		t.Run(name, func(t *testing.T) {
			resources, findings := Decode("input.yaml", []byte(input))
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			resource := resources[0]
			resource.Default()
			got, err := kubeyaml.Marshal(resource)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/default-"+name+".yaml", string(got))

			resource.Default()
			again, err := kubeyaml.Marshal(resource)
			if err != nil {
				t.Fatal(err)
			}
			if difference := cmp.Diff(string(got), string(again)); difference != "" {
				t.Errorf("Default a second time (-first +second):\n%s", difference)
			}
		})
	}
}

func TestDefaultSharesNothing(t *testing.T) {
	var a, b VirtualMachineDNS
	a.Default()
	a.Spec.Source.Selector.MatchLabels["x"] = "y"
	a.Spec.Records.Types[0] = "X"
	*a.Spec.Records.TTL = 1
	b.Default()
	if len(b.Spec.Source.Selector.MatchLabels) != 1 || b.Spec.Records.Types[0] != RecordA || *b.Spec.Records.TTL != 180 {
		t.Errorf("a change of one resource shows in another: %+v", b.Spec)
	}
}
