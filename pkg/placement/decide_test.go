package placement

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// nonprod is the set that a binding of the fleet names and that the fleet lacks.
const nonprod = `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: nonprod}
`

func TestSampleFleet(t *testing.T) {
	cases := []struct {
		file, name string
		clusters   []string
		findings   []string
	}{
		{"02-label-env-region", "prod", []string{"aks-1", "prod-eu-1"}, nil},
		{"03-vm-dnsrecord", "vm-dnsrecord-placement", []string{"prod-eu-1"}, nil},
		{"05-no-binding-in-namespace", "rosa", nil, []string{"NoManagedClusterSetBindings", "create a ManagedClusterSetBinding in namespace openshift-acm-policies"}},
		{"06-tolerate-unreachable", "vm-dns-tol", []string{"prod-eu-1", "prod-us-1"}, nil},
		{"08-predicates-are-ored", "or", []string{"aks-1", "prod-eu-1", "test-eu-1"}, nil},
		{"08-predicates-are-ored", "and", []string{"aks-1", "prod-eu-1"}, nil},
		{"10-cel", "cel-ok", []string{"prod-eu-1"}, nil},
		{"10-cel", "cel-bad", nil, []string{"misconfigured", "Syntax error: token recognition error at: '= '"}},
		{
			"10-cel", "cel-misindented",
			[]string{"aks-1", "importing-1", "local-cluster", "prod-eu-1", "prod-us-2", "test-eu-1"},
			[]string{"spec.predicates[0].celSelector: unknown field (it belongs inside requiredClusterSelector: check the indentation)"},
		},
		{"11-number-of-clusters", "one", []string{"aks-1"}, []string{"1 of 2 matching clusters are chosen; the fixtures hold no PlacementDecision"}},
		{"12-decision-groups", "waves", []string{"local-cluster", "prod-eu-1", "prod-us-2", "test-eu-1"}, []string{"a PlacementBinding ignores decision groups"}},
		{
			"14-label-without-metadata", "everything",
			[]string{"aks-1", "importing-1", "local-cluster", "prod-eu-1", "prod-us-2", "test-eu-1"},
			[]string{"without predicates the hub itself (local-cluster) is selected, too", "cluster importing-1 is selected, but the hub has not accepted it yet"},
		},
		{"24-placementrule-legacy", "old", nil, []string{"PlacementRule is deprecated and not simulated", "convert it to a Placement"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			objects := slices.Concat(fleet(t), parse(t, "nonprod.yaml", nonprod), readFile(t, filepath.Join("testdata/cases", c.file+".yaml")))
			results, findings := decide(t, objects)
			if got := results[c.name].Clusters(); !slices.Equal(got, c.clusters) {
				t.Errorf("selected %v, want %v", got, c.clusters)
			}
			for _, want := range c.findings {
				if !strings.Contains(findings, want) {
					t.Errorf("no finding says %q:\n%s", want, findings)
				}
			}
			if len(c.findings) == 0 && strings.Contains(findings, "/"+c.name+":") {
				t.Errorf("unexpected findings:\n%s", findings)
			}
		})
	}
}

func TestBindingToMissingSetHasNoEffect(t *testing.T) {
	results, findings := decide(t, append(fleet(t), readFile(t, "testdata/cases/08-predicates-are-ored.yaml")...))
	if got := strings.Join(results["or"].Clusters(), " "); got != "aks-1 prod-eu-1" {
		t.Errorf("selected %s", got)
	}
	want := "ManagedClusterSetBinding acm-policies/nonprod: spec.clusterSet: ManagedClusterSet nonprod does not exist, so the binding has no effect " +
		"(create it: the label cluster.open-cluster-management.io/clusterset puts test-eu-1 into it)"
	if !strings.Contains(findings, want) {
		t.Errorf("findings:\n%s", findings)
	}
}

func TestDecisionGroups(t *testing.T) {
	objects := slices.Concat(fleet(t), parse(t, "nonprod.yaml", nonprod), readFile(t, "testdata/cases/12-decision-groups.yaml"))
	results, _ := decide(t, objects)
	var got []string
	for _, group := range results["waves"].Groups {
		got = append(got, group.Name+":"+strings.Join(group.Clusters, ","))
	}
	if text := strings.Join(got, " "); text != "canary:test-eu-1 :local-cluster,prod-eu-1 :prod-us-2" {
		t.Errorf("groups: %s", text)
	}
}

// small is a hub of two clusters for tests that need few words.
const small = `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: a, labels: {vm-dns: "True"}}
spec:
  hubAcceptsClient: true
  taints: [{key: maintenance, effect: NoSelect, timeAdded: "2025-11-01T11:59:00Z"}]
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: b, labels: {VM-DNS: "true"}}
spec:
  hubAcceptsClient: true
  taints: [{key: fresh, value: "yes", effect: NoSelectIfNew}]
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c, deletionTimestamp: "2025-11-01T10:00:00Z"}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: ns}
spec: {clusterSet: default}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: p, namespace: ns}
spec:
`

func TestReasons(t *testing.T) {
	decision := `
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata: {name: p-decision-1, namespace: ns, labels: {cluster.open-cluster-management.io/placement: p}}
status: {decisions: [{clusterName: b, reason: ""}]}
`
	cases := []struct{ name, spec, cluster, want string }{
		{"taint", "  clusterSets: [default]", "a", "Taint: taint maintenance is not tolerated"},
		{
			"toleration over", "  tolerations: [{key: maintenance, operator: Exists, tolerationSeconds: 60}]", "a",
			"Taint: taint maintenance is not tolerated any more: 60 seconds were over at 2025-11-01T12:00:00Z",
		},
		{"toleration lasts", "  tolerations: [{key: maintenance, operator: Exists, tolerationSeconds: 61}]", "a", ""},
		{
			"value of toleration", "  tolerations: [{key: fresh, value: \"no\"}]", "b",
			`Taint: taint fresh=yes is not tolerated (the toleration of fresh wants the value "no"; operator Exists tolerates any)`,
		},
		{
			"effect of toleration", "  tolerations: [{key: fresh, operator: Exists, effect: NoSelect}]", "b",
			"Taint: taint fresh=yes is not tolerated (the toleration of fresh is for effect NoSelect)",
		},
		{"chosen before", "  clusterSets: [default]" + decision, "b", ""},
		{"deleting", "  clusterSets: [default]", "c", "Deleting: the ManagedCluster is being deleted"},
		{
			"value in other letter case",
			"  tolerations: [{operator: Exists}]\n  predicates: [{requiredClusterSelector: {labelSelector: {matchLabels: {vm-dns: \"true\"}}}}]", "a",
			`Predicate: label vm-dns: want "true", is "True" (label values are compared exactly, letter case included)`,
		},
		{
			"key in other letter case",
			"  tolerations: [{operator: Exists}]\n  predicates: [{requiredClusterSelector: {labelSelector: {matchLabels: {vm-dns: \"true\"}}}}]", "b",
			`Predicate: label vm-dns: want "true", is missing (the cluster has label VM-DNS: "true")`,
		},
		{
			"set not in clusterSets", "  tolerations: [{operator: Exists}]\n  clusterSets: [global]", "a",
			"NotInSet: the cluster is in default, global, but spec.clusterSets wants global",
		},
		{
			"count", "  tolerations: [{operator: Exists}]\n  numberOfClusters: 1", "b",
			"Count: the placement wants 1 cluster; this one ranks below a (score 100, a has 100; ties go by name)",
		},
		{"count of none", "  tolerations: [{operator: Exists}]\n  numberOfClusters: 0", "b", "Count: the placement wants 0 clusters"},
		{
			"closest of two predicates", "  tolerations: [{operator: Exists}]\n  predicates:\n" +
				"  - requiredClusterSelector: {labelSelector: {matchLabels: {x: one, z: two}}}\n" +
				"  - requiredClusterSelector: {claimSelector: {matchExpressions: [{key: region, operator: In, values: [eu, us]}]}}", "a",
			`Predicate: cluster claim region: want "eu" or "us", is missing`,
		},
		{
			"misconfigured", "  tolerations: [{operator: Exists, value: x}]", "a",
			"Misconfigured: the placement selects nothing: TaintToleration:If the operator is Exists, the value should be empty.",
		},
		{"unknown cluster", "  clusterSets: [default]", "aa", "NotFound: the hub has no ManagedCluster aa (did you mean \"a\"?)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			results, _ := decide(t, parse(t, "hub.yaml", small+c.spec))
			if got := messages(results["p"].Why(c.cluster)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestUnboundSets(t *testing.T) {
	results, _ := decide(t, append(fleet(t), readFile(t, "testdata/cases/02-label-env-region.yaml")...))
	want := "NoBinding: cluster set edge is not bound to namespace acm-policies (no ManagedClusterSetBinding) (ManagedClusterSet edge does not exist either)"
	if got := messages(results["prod"].Why("edge-17")); !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	results, _ = decide(t, append(fleet(t), readFile(t, "testdata/cases/05-no-binding-in-namespace.yaml")...))
	want = "NoBinding: no ManagedClusterSetBinding in namespace openshift-acm-policies"
	if got := messages(results["rosa"].Why("prod-eu-1")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRecordedDecisionsStick(t *testing.T) {
	objects := append(fleet(t), readFile(t, "testdata/cases/11-number-of-clusters.yaml")...)
	objects = append(objects, parse(t, "decision.yaml", `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata: {name: one-decision-1, namespace: acm-policies, labels: {cluster.open-cluster-management.io/placement: one}}
status: {decisions: [{clusterName: prod-eu-1, reason: ""}]}
`)...)
	results, findings := decide(t, objects)
	if got := results["one"].Clusters(); !slices.Equal(got, []string{"prod-eu-1"}) {
		t.Errorf("selected %v", got)
	}
	if strings.Contains(findings, "numberOfClusters") {
		t.Errorf("findings:\n%s", findings)
	}
}

func TestDisabledSchedulingKeepsRecordedDecisions(t *testing.T) {
	text := strings.Replace(small, "{name: p, namespace: ns}",
		`{name: p, namespace: ns, annotations: {cluster.open-cluster-management.io/experimental-scheduling-disable: "true"}}`, 1)
	results, _ := decide(t, parse(t, "hub.yaml", text+`  clusterSets: [default]
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata: {name: other, namespace: ns, labels: {cluster.open-cluster-management.io/placement: p}}
status: {decisions: [{clusterName: a, reason: ""}]}
`))
	if got := results["p"].Clusters(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("selected %v", got)
	}
	if got := messages(results["p"].Why("b")); !strings.HasPrefix(got, "NotScheduled: the annotation") {
		t.Errorf("reason %s", got)
	}
}

func TestPlacementRuleStatus(t *testing.T) {
	results, findings := decide(t, parse(t, "rule.yaml", `
apiVersion: apps.open-cluster-management.io/v1
kind: PlacementRule
metadata: {name: old, namespace: ns}
spec: {clusterSelector: {matchLabels: {a: b}}}
status: {decisions: [{clusterName: z, clusterNamespace: z}, {clusterName: a, clusterNamespace: a}]}
`))
	if got := results["old"].Clusters(); !slices.Equal(got, []string{"a", "z"}) || findings != "" {
		t.Errorf("selected %v, findings %s", got, findings)
	}
}

func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	var forward, backward []manifest.Object
	for _, file := range files {
		forward = append(forward, readFile(t, file)...)
		backward = append(readFile(t, file), backward...)
	}
	first, firstFindings := decideText(t, forward)
	second, secondFindings := decideText(t, backward)
	if first != second || firstFindings != secondFindings {
		t.Errorf("results differ:\n%s\n%s\n%s\n%s", first, second, firstFindings, secondFindings)
	}
}

func decideText(t *testing.T, objects []manifest.Object) (string, string) {
	hub, findings := FromObjects(objects)
	results, more := Decide(context.Background(), hub, noon.Add(time.Hour))
	var b strings.Builder
	for _, result := range results {
		b.WriteString(result.Namespace + "/" + result.Name + ": " + strings.Join(result.Clusters(), " ") + "\n")
		for _, exclusion := range result.Excluded() {
			b.WriteString(exclusion.Cluster + "\n" + messages(exclusion.Reasons) + "\n")
		}
	}
	return b.String(), append(findings, more...).Error()
}
