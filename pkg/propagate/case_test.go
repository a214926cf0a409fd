package propagate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
)

const bindAll = `
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: all, namespace: acm-policies}
placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}
subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: NAME}]
`

// bound reads a sample policy of namespace acm-policies and binds it to clusters c1, c2 and c3.
func bound(t testing.TB, file, name string) []manifest.Object {
	return append(readFile(t, "testdata/"+file), parse(t, "binding.yaml", strings.Replace(bindAll, "NAME", name, 1))...)
}

func decisions() []placement.Result {
	return []placement.Result{selects("acm-policies", "all", "c1", "c2", "c3")}
}

// rawTemplates gives object-templates-raw of the first template.
func rawTemplates(t testing.TB, replicated Replicated) string {
	t.Helper()
	var object struct {
		Spec struct {
			Raw string `json:"object-templates-raw"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(replicated.Policy.Spec.PolicyTemplates[0].ObjectDefinition.Raw, &object); err != nil {
		t.Fatal(err)
	}
	return object.Spec.Raw
}

func TestHubConfigMapPerCluster(t *testing.T) {
	objects := append(bound(t, "p07-hub-configmap-per-cluster.yaml", "zones"), parse(t, "maps.yaml", `
apiVersion: v1
kind: ConfigMap
metadata: {name: c1, namespace: acm-policies}
data:
  zones: |
    - {name: a, domain: a.example.com}
    - {name: b, domain: b.example.com}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c3, namespace: acm-policies}
`)...)
	p, findings := New(objects, decisions(), memoryWatcher{objects})
	if len(findings) > 0 {
		t.Error(findings.Error())
	}
	if got := p.Clusters(); !slices.Equal(got, []string{"c1", "c2", "c3"}) {
		t.Errorf("clusters %v", got)
	}
	list, findings := p.Cluster("c1")
	if len(findings) > 0 || len(list) != 1 {
		t.Fatal(findings.Error(), list)
	}
	if raw := rawTemplates(t, list[0]); strings.Count(raw, "complianceType") != 2 || !strings.Contains(raw, "domain: 'b.example.com'") ||
		!strings.Contains(raw, `{{ fromClusterClaim "name" }}`) {
		t.Errorf("c1 got:\n%s", raw)
	}
	list, findings = p.Cluster("c2")
	want := "testdata/p07-hub-configmap-per-cluster.yaml:22: cluster c2: Policy acm-policies/zones: " +
		"spec.policy-templates[0].objectDefinition.spec.object-templates-raw: hub template of policy-templates[0] ConfigurationPolicy/zones, line 1: " +
		`<fromConfigMap "" .ManagedClusterName .PolicyMetadata.name>: error calling fromConfigMap: failed getting the ConfigMap c2 from : configmaps "c2" not found` +
		" (the fixtures of the hub hold no such object, and neither do the files with the policies)"
	if findings.Error() != want {
		t.Errorf("got  %s\nwant %s", findings.Error(), want)
	}
	if len(list) != 1 || list[0].HubError == nil || !strings.Contains(rawTemplates(t, list[0]), "{{hub- range") {
		t.Errorf("c2 must be replicated unresolved: %+v", list)
	}
	if raw := string(list[0].Policy.Spec.PolicyTemplates[0].ObjectDefinition.Raw); !strings.Contains(raw, "hub-templates-error") {
		t.Errorf("no annotation: %s", raw)
	}
	list, findings = p.Cluster("c3")
	if raw := rawTemplates(t, list[0]); strings.TrimSpace(raw) != "" || len(findings) > 0 {
		t.Errorf("c3 got %q, findings %s", raw, findings.Error())
	}
}

func TestLookupInOtherNamespace(t *testing.T) {
	objects := append(bound(t, "p08-hub-lookup-other-namespace.yaml", "bootstrap"), parse(t, "maps.yaml", `
apiVersion: v1
kind: ConfigMap
metadata: {name: environment-variables, namespace: openshift-gitops}
data: {REPO: "https://git.example.com/fleet.git"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-versions, namespace: openshift-gitops}
data: {c1: v1.2.3}
`)...)
	p, _ := New(objects, decisions(), memoryWatcher{objects})
	_, findings := p.Cluster("c1")
	for _, want := range []string{"line 9: ", "the namespace argument is restricted to acm-policies", "spec.hubTemplateOptions.serviceAccountName lifts the limit"} {
		if !strings.Contains(findings.Error(), want) {
			t.Errorf("no finding says %q:\n%s", want, findings.Error())
		}
	}

	spec := objects[0].Object["spec"].(map[string]any)
	spec["hubTemplateOptions"] = map[string]any{"serviceAccountName": "reader"}
	p, _ = New(objects, decisions(), memoryWatcher{objects})
	list, findings := p.Cluster("c1")
	want := "testdata/p08-hub-lookup-other-namespace.yaml:9:1: cluster c1: Policy acm-policies/bootstrap: spec.hubTemplateOptions.serviceAccountName: " +
		"the service account acm-policies/reader needs the verbs list and watch for: " +
		"configmaps openshift-gitops/cluster-versions, configmaps openshift-gitops/environment-variables (its rights are not checked offline)"
	if findings.Error() != want || findings.HasErrors() {
		t.Errorf("got  %s\nwant %s", findings.Error(), want)
	}
	if raw := rawTemplates(t, list[0]); !strings.Contains(raw, "targetRevision: 'v1.2.3'") || len(list[0].Lookups) != 2 {
		t.Errorf("got %v\n%s", list[0].Lookups, raw)
	}
}

func TestNameBudget(t *testing.T) {
	p, findings := New(readFile(t, "testdata/p15-name-too-long.yaml"), nil, memoryWatcher{})
	want := "testdata/p15-name-too-long.yaml:7:3: Policy platform-governance-prod1/vm-dns-records-for-production-clusters: metadata.name: " +
		"the replicated policy would be called platform-governance-prod1.vm-dns-records-for-production-clusters: 64 characters, 63 are allowed " +
		"(in namespace platform-governance-prod1 a policy name may have 37 characters, this one has 38)"
	if findings.Error() != want {
		t.Errorf("got  %s\nwant %s", findings.Error(), want)
	}
	if got := p.Clusters(); len(got) > 0 {
		t.Errorf("placed on %v", got)
	}
}

func TestEffectiveAction(t *testing.T) {
	p, findings := New(bound(t, "p20-inform-root-enforce-child.yaml", "eff"), decisions(), memoryWatcher{})
	want := "testdata/p20-inform-root-enforce-child.yaml:8:3: Policy acm-policies/eff: spec.remediationAction: " +
		"inform of the policy overrides enforce of its template policy-templates[0] ConfigurationPolicy/eff"
	if findings.Error() != want || findings.HasErrors() {
		t.Errorf("got  %s\nwant %s", findings.Error(), want)
	}
	list, _ := p.Cluster("c1")
	if len(list) != 1 || list[0].Policy.Spec.RemediationAction != "inform" {
		t.Errorf("replicated %+v", list)
	}
}

func TestHubTemplateInsideConfigMap(t *testing.T) {
	sample := readFile(t, "testdata/p26-hub-template-in-configmap.yaml")
	policy := parse(t, "policy.yaml", `
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: recursive, namespace: acm-policies}
spec: {disabled: false, remediationAction: enforce}
`)[0]
	policy.Object["spec"].(map[string]any)["policy-templates"] = []any{map[string]any{"objectDefinition": sample[1].Object}}
	objects := append(parse(t, "binding.yaml", strings.Replace(bindAll, "NAME", "recursive", 1)), sample[0], policy)
	p, findings := New(objects, []placement.Result{selects("acm-policies", "all", "cluster1")}, memoryWatcher{objects})
	if len(findings) > 0 {
		t.Error(findings.Error())
	}
	_, findings = p.Cluster("cluster1")
	want := "policy.yaml:5:1: cluster cluster1: Policy acm-policies/recursive: spec.policy-templates[0].objectDefinition: " +
		"policy-templates[0] ConfigurationPolicy/recursive holds an unresolved {{hub after the hub templates were resolved " +
		"(hub templates inside looked-up values, such as those of a ConfigMap, are not resolved)"
	if findings.Error() != want || !findings.HasErrors() {
		t.Errorf("got  %s\nwant %s", findings.Error(), want)
	}
}
