package propagate

import (
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/placement"
)

const policyHead = "apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: p, namespace: ns}\nspec: "

const bindingHead = "apiVersion: policy.open-cluster-management.io/v1\nkind: PlacementBinding\nmetadata: {name: b, namespace: ns}\n"

func TestNewFindings(t *testing.T) {
	const (
		policyP  = policyHead + "{disabled: false, remediationAction: inform, policy-templates: []}"
		refP     = "placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}\n"
		subjectP = "subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: p}]"
	)
	cases := []struct{ name, objects, want string }{
		{"fine", policyP + "\n---\n" + bindingHead + refP + subjectP, ""},
		{
			"misspelled placement", policyP + "\n---\n" + bindingHead + strings.Replace(refP, "name: all", "name: al", 1) + subjectP,
			`PlacementBinding ns/b: placementRef.name: there is no Placement ns/al (did you mean "all"?)` + "\n" +
				"Policy ns/p: the placements of the policy select no cluster",
		},
		{
			"placement of another namespace", policyP + "\n---\n" + bindingHead + strings.Replace(refP, "name: all", "name: else", 1) + subjectP,
			"PlacementBinding ns/b: placementRef.name: there is no Placement ns/else (there is one in namespace other, but a binding reaches only its own namespace)\n" +
				"Policy ns/p: the placements of the policy select no cluster",
		},
		{
			"policy of another namespace", strings.Replace(policyP, "namespace: ns", "namespace: far", 1) + "\n---\n" + bindingHead + refP + subjectP,
			"PlacementBinding ns/b: subjects[0].name: there is no Policy ns/p (there is one in namespace far, but policies are found only in the namespace of the PlacementBinding)\n" +
				"Policy far/p: no PlacementBinding places the policy, so it reaches no cluster (create a PlacementBinding in namespace far)",
		},
		{
			"missing set", bindingHead + refP + "subjects: [{apiGroup: policy.open-cluster-management.io, kind: PolicySet, name: s}]",
			"PlacementBinding ns/b: subjects[0].name: there is no PolicySet ns/s",
		},
		{
			"wrong group", bindingHead + strings.Replace(refP, "cluster.open", "apps.open", 1) + subjectP,
			"PlacementBinding ns/b: placementRef.apiGroup: apps.open-cluster-management.io is not the API group of a Placement, so the binding is ignored (a Placement is in cluster.open-cluster-management.io)",
		},
		{
			"enumerations", bindingHead + "subFilter: Restricted\nbindingOverrides: {remediationAction: inform}\n" + refP + "subjects: [{apiGroup: policy, kind: policy, name: p}]",
			`PlacementBinding ns/b: bindingOverrides.remediationAction: must be one of enforce, Enforce, is "inform" (did you mean "enforce"?)` + "\n" +
				`PlacementBinding ns/b: subFilter: must be one of restricted, is "Restricted" (did you mean "restricted"?)` + "\n" +
				`PlacementBinding ns/b: subjects[0].apiGroup: must be one of policy.open-cluster-management.io, is "policy"` + "\n" +
				`PlacementBinding ns/b: subjects[0].kind: must be one of Policy, PolicySet, is "policy" (did you mean "Policy"?)`,
		},
		{"empty binding", bindingHead, "PlacementBinding ns/b: placementRef.apiGroup: is required\nPlacementBinding ns/b: placementRef.kind: is required\n" +
			"PlacementBinding ns/b: placementRef.name: is required\nPlacementBinding ns/b: subjects: is required"},
		{
			"no action", policyHead + "{disabled: false, policy-templates: [{objectDefinition: {kind: ConfigurationPolicy, metadata: {name: c}}}]}",
			"Policy ns/p: spec.policy-templates[0].objectDefinition.spec.remediationAction: neither the policy nor its template sets a remediationAction, so the webhook refuses the policy " +
				"(set spec.remediationAction of the policy to inform or enforce)",
		},
		{
			"null template", policyHead + "{remediationAction: enforced, policy-templates: [null]}",
			"Policy ns/p: spec.disabled: is required\nPolicy ns/p: spec.policy-templates[0].objectDefinition: is required\n" +
				`Policy ns/p: spec.remediationAction: must be one of inform, enforce, Inform, Enforce, is "enforced" (did you mean "enforce"?)`,
		},
		{
			"version", strings.Replace(policyP, "io/v1", "io/v1beta1", 1),
			"Policy ns/p: apiVersion: Policy policy.open-cluster-management.io/v1beta1 is not served (use policy.open-cluster-management.io/v1)",
		},
		{"replica of a captured hub", "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: c1}\n---\n" +
			"apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: ns.p, namespace: c1, labels: {policy.open-cluster-management.io/root-policy: ns.p}}", ""},
	}
	decisions := []placement.Result{selects("ns", "all", "c1"), selects("other", "else", "c1")}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, findings := New(parse(t, "hub.yaml", c.objects), decisions, memoryWatcher{})
			for i := range findings {
				findings[i].Position = diag.Position{}
			}
			findings.Sort()
			if got := findings.Error(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPolicySetOverride(t *testing.T) {
	objects := append(readFile(t, "testdata/23-binding-policyset-override.yaml"), parse(t, "policy.yaml", `
apiVersion: policy.open-cluster-management.io/v1beta1
kind: PolicySet
metadata: {name: virtualization, namespace: acm-policies}
spec: {policies: [p]}
---
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: p, namespace: acm-policies}
spec: {disabled: false, remediationAction: inform, policy-templates: []}
`)...)
	p, findings := New(objects, []placement.Result{
		selects("acm-policies", "prod", "aks-1", "prod-eu-1"), selects("acm-policies", "canary", "prod-eu-1", "test-eu-1"),
	}, memoryWatcher{})
	if len(findings) > 0 {
		t.Error(findings.Error())
	}
	for cluster, want := range map[string]string{"aks-1": "inform", "prod-eu-1": "enforce", "test-eu-1": ""} {
		list, _ := p.Cluster(cluster)
		got := ""
		if len(list) > 0 {
			got = string(list[0].Policy.Spec.RemediationAction)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", cluster, got, want)
		}
	}
}
