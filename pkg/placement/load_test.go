package placement

import (
	"context"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
)

func TestFromObjectsFindings(t *testing.T) {
	const group = "apiVersion: cluster.open-cluster-management.io/"
	cases := []struct{ name, object, want string }{
		{
			"old version of a set", group + "v1beta1\nkind: ManagedClusterSet\nmetadata: {name: s}",
			"ManagedClusterSet s: apiVersion: ManagedClusterSet cluster.open-cluster-management.io/v1beta1 is not served any more (use cluster.open-cluster-management.io/v1beta2)",
		},
		{
			"old version of a placement", group + "v1alpha1\nkind: Placement\nmetadata: {name: p, namespace: ns}",
			"Placement ns/p: apiVersion: Placement cluster.open-cluster-management.io/v1alpha1 is not served any more (use cluster.open-cluster-management.io/v1beta1)",
		},
		{
			"unknown field", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {predicate: []}",
			`Placement ns/p: spec.predicate: unknown field (did you mean "predicates"?)`,
		},
		{
			"wrong type", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {numberOfClusters: one}",
			`Placement ns/p: spec.numberOfClusters: must be a whole number of 32 bits, is the string "one"`,
		},
		{
			"negative count", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {numberOfClusters: -1}",
			"Placement ns/p: spec.numberOfClusters: must not be negative, is -1",
		},
		{
			"operator of a selector", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {predicates: [{requiredClusterSelector: {labelSelector: {matchExpressions: [{key: a, operator: in}]}}}]}",
			`Placement ns/p: spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0].operator: "in" is not one of In, NotIn, Exists, DoesNotExist, so it never matches (did you mean "In"?)`,
		},
		{
			"operator of a toleration", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {tolerations: [{key: a, operator: Exist}]}",
			`Placement ns/p: spec.tolerations[0].operator: "Exist" is not one of Equal, Exists, so it never matches (did you mean "Exists"?)`,
		},
		{
			"effect of a toleration", group + "v1beta1\nkind: Placement\nmetadata: {name: p, namespace: ns}\nspec: {tolerations: [{key: a, effect: NoSchedule}]}",
			`Placement ns/p: spec.tolerations[0].effect: must be one of NoSelect, PreferNoSelect, NoSelectIfNew, is "NoSchedule"`,
		},
		{
			"effect of a taint", group + "v1\nkind: ManagedCluster\nmetadata: {name: c}\nspec: {taints: [{key: a}]}",
			`ManagedCluster c: spec.taints[0].effect: must be one of NoSelect, PreferNoSelect, NoSelectIfNew, is ""`,
		},
		{
			"selector type", group + "v1beta2\nkind: ManagedClusterSet\nmetadata: {name: s}\nspec: {clusterSelector: {selectorType: LegacyClusterSetLabel}}",
			`ManagedClusterSet s: spec.clusterSelector.selectorType: must be one of ExclusiveClusterSetLabel, LabelSelector, is "LegacyClusterSetLabel" (did you mean "ExclusiveClusterSetLabel"?)`,
		},
		{
			"name of a binding", group + "v1beta2\nkind: ManagedClusterSetBinding\nmetadata: {name: b, namespace: ns}\nspec: {clusterSet: s}",
			`ManagedClusterSetBinding ns/b: spec.clusterSet: the binding must be named like its set, "s" (rename the binding)`,
		},
		{"no namespace", group + "v1beta1\nkind: Placement\nmetadata: {name: p}", "Placement p: metadata.namespace: is required"},
		{
			"twice", group + "v1\nkind: ManagedCluster\nmetadata: {name: c}\n---\n" + group + "v1\nkind: ManagedCluster\nmetadata: {name: c}",
			"ManagedCluster c: is defined twice: the first definition is used",
		},
		{"unknown fields of a status", group + "v1\nkind: ManagedCluster\nmetadata: {name: c}\nstatus: {managedNamespaces: [], newer: {}}", ""},
		{"other kinds", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: ns}\nnonsense: 1", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			hub, findings := FromObjects(parse(t, "hub.yaml", c.object))
			for i := range findings {
				findings[i].Position = diag.Position{}
			}
			if got := findings.Error(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			Decide(context.Background(), hub, noon)
		})
	}
}

func TestDefaultWeightOfPrioritizers(t *testing.T) {
	text := small + `  tolerations: [{operator: Exists}]
  numberOfClusters: 1
  prioritizerPolicy: {mode: Exact, configurations: [{scoreCoordinate: {type: AddOn, addOn: {resourceName: r, scoreName: s}}}]}
---
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: {name: r, namespace: b}
status: {scores: [{name: s, value: 50}], validUntil: "2025-11-01T13:00:00Z"}
`
	results, _ := decide(t, parse(t, "hub.yaml", text))
	if got := strings.Join(results["p"].Clusters(), " "); got != "b" {
		t.Errorf("selected %s with scores %v, want the cluster with the score", got, results["p"].Scores)
	}
	expired := strings.Replace(text, "T13:00", "T11:00", 1)
	results, findings := decide(t, parse(t, "hub.yaml", expired))
	if got := strings.Join(results["p"].Clusters(), " "); got != "a" || !strings.Contains(findings, "AddOnPlacementScores b/r expired") {
		t.Errorf("selected %s, findings:\n%s", got, findings)
	}
}
