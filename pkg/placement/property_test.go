package placement

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

type values = map[string]any

// generator makes random hubs. All choices come from small sets, so that matches and mismatches are both common.
type generator struct{ *rand.Rand }

func (g generator) pick(words ...string) string { return words[g.Intn(len(words))] }

func (g generator) object(apiVersion, kind, namespace, name string, fields values) manifest.Object {
	object := &unstructured.Unstructured{Object: values{"apiVersion": apiVersion, "kind": kind}}
	for key, value := range fields {
		object.Object[key] = value
	}
	object.SetName(name)
	if namespace != "" {
		object.SetNamespace(namespace)
	}
	return manifest.Object{Unstructured: object, Position: diag.Position{File: kind + ".yaml", Line: 1}}
}

func (g generator) labels() values {
	labels := values{}
	for _, key := range []string{"env", "region", "cluster.open-cluster-management.io/clusterset"} {
		if g.Intn(3) > 0 {
			labels[key] = g.pick("one", "two", "One")
		}
	}
	return labels
}

func (g generator) taints() []any {
	var taints []any
	for range g.Intn(3) * g.Intn(2) {
		taints = append(taints, values{
			"key": g.pick("t", "u"), "value": g.pick("", "v"), "effect": g.pick("NoSelect", "NoSelectIfNew", "PreferNoSelect"),
			"timeAdded": noon.Add(-time.Duration(g.Intn(120)) * time.Second).Format(time.RFC3339),
		})
	}
	return taints
}

func (g generator) requirement(keys ...string) values {
	operator := g.pick("In", "NotIn", "Exists", "DoesNotExist", "In")
	requirement := values{"key": g.pick(keys...), "operator": operator}
	if operator == "In" || operator == "NotIn" {
		requirement["values"] = []any{g.pick("one", "two"), g.pick("One", "three")}
	}
	return requirement
}

func (g generator) selector() values {
	selector := values{}
	if g.Intn(2) == 0 {
		selector["labelSelector"] = values{"matchExpressions": []any{g.requirement("env", "region")}, "matchLabels": values{}}
	}
	if g.Intn(3) == 0 {
		selector["claimSelector"] = values{"matchExpressions": []any{g.requirement("claim")}}
	}
	if g.Intn(3) == 0 {
		selector["celSelector"] = values{"celExpressions": []any{g.pick(
			`managedCluster.metadata.name != "c1"`, `managedCluster.metadata.labels["env"] == "one"`, `managedCluster.spec.hubAcceptsClient`,
			`managedCluster.status.clusterClaims.exists(c, c.value == "one")`, `managedCluster.nonsense.`, `1 + 1`,
		)}}
	}
	return selector
}

func (g generator) placement(name string) manifest.Object {
	spec := values{}
	var predicates, tolerations []any
	for range g.Intn(4) {
		predicates = append(predicates, values{"requiredClusterSelector": g.selector()})
	}
	for range g.Intn(3) {
		toleration := values{"key": g.pick("t", "u", "t"), "operator": g.pick("Exists", "Equal", "Exists")}
		if toleration["operator"] == "Equal" {
			toleration["value"] = g.pick("", "v")
		}
		if g.Intn(2) == 0 {
			toleration["tolerationSeconds"] = int64(g.Intn(120))
		}
		if g.Intn(4) == 0 {
			toleration["effect"] = g.pick("NoSelect", "NoSelectIfNew")
		}
		tolerations = append(tolerations, toleration)
	}
	spec["predicates"], spec["tolerations"] = predicates, tolerations
	if g.Intn(3) == 0 {
		spec["numberOfClusters"] = int64(g.Intn(4))
	}
	if g.Intn(3) == 0 {
		spec["clusterSets"] = []any{g.pick("one", "two", "default", "global", "missing")}
	}
	return g.object("cluster.open-cluster-management.io/v1beta1", "Placement", g.pick("ns", "ns", "empty"), name, values{"spec": spec})
}

func (g generator) hub(clusters, placements int) []manifest.Object {
	const group = "cluster.open-cluster-management.io/"
	objects := []manifest.Object{
		g.object(group+"v1beta2", "ManagedClusterSet", "", "one", values{}),
		g.object(group+"v1beta2", "ManagedClusterSet", "", "two", values{"spec": values{"clusterSelector": values{
			"selectorType": "LabelSelector", "labelSelector": values{"matchLabels": values{"region": "two"}},
		}}}),
	}
	for _, set := range []string{"one", "two", "default", "global", "missing"} {
		if g.Intn(2) == 0 {
			objects = append(objects, g.object(group+"v1beta2", "ManagedClusterSetBinding", "ns", set, values{"spec": values{"clusterSet": set}}))
		}
	}
	for i := range clusters {
		metadata := values{"labels": g.labels()}
		if g.Intn(10) == 0 {
			metadata["deletionTimestamp"] = noon.Format(time.RFC3339)
		}
		var claims []any
		if g.Intn(2) == 0 {
			claims = append(claims, values{"name": "claim", "value": g.pick("one", "two")})
		}
		objects = append(objects, g.object(group+"v1", "ManagedCluster", "", fmt.Sprintf("c%d", i), values{
			"metadata": metadata, "spec": values{"hubAcceptsClient": g.Intn(5) > 0, "taints": g.taints()}, "status": values{"clusterClaims": claims},
		}))
	}
	for i := range placements {
		placement := g.placement(fmt.Sprintf("p%d", i))
		objects = append(objects, placement)
		if g.Intn(3) == 0 {
			objects = append(objects, g.object(group+"v1beta1", "PlacementDecision", placement.GetNamespace(), placement.GetName()+"-decision-1", values{
				"metadata": values{"labels": values{"cluster.open-cluster-management.io/placement": placement.GetName()}},
				"status":   values{"decisions": []any{values{"clusterName": g.pick("c0", "c1", "c2"), "reason": ""}}},
			}))
		}
	}
	return objects
}

// TestReasonsAgreeWithTheEngine checks over random hubs that each cluster is either selected and has no reason against
// it, or is not selected and has at least one.
func TestReasonsAgreeWithTheEngine(t *testing.T) {
	selected, kinds := 0, map[Kind]int{}
	for seed := range int64(60) {
		g := generator{rand.New(rand.NewSource(seed))}
		hub, findings := FromObjects(g.hub(12, 10))
		if err := findings.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		results, _ := Decide(context.Background(), hub, noon)
		for _, result := range results {
			for _, name := range result.explainer.index.clusterNames {
				_, passed := result.Scores[name]
				reasons := slices.DeleteFunc(result.explainer.why(name, result), func(r Reason) bool { return r.Kind == Count })
				if passed != (len(reasons) == 0) {
					t.Errorf("seed %d: %s passes the filters for %s: %v, but the reasons are: %s", seed, name, result.Name, passed, messages(reasons))
				}
			}
			selected += len(result.Clusters())
			for _, exclusion := range result.Excluded() {
				if len(exclusion.Reasons) == 0 {
					t.Errorf("seed %d: %s does not select %s, and nothing says why", seed, result.Name, exclusion.Cluster)
				}
				for _, reason := range exclusion.Reasons {
					kinds[reason.Kind]++
					if strings.ContainsAny(reason.Message, "\n\t") || reason.Message == "" {
						t.Errorf("seed %d: message %q", seed, reason.Message)
					}
				}
			}
		}
	}
	for _, kind := range []Kind{NoBinding, NotInSet, Deleting, Misconfigured, Predicate, Taint, Count} {
		if kinds[kind] == 0 {
			t.Errorf("the random hubs never lead to the reason %s", kind)
		}
	}
	if selected < 500 {
		t.Errorf("the random hubs lead to %d selected clusters only", selected)
	}
}

func TestNoGoroutineIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		decide(t, fleet(t))
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buffer := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buffer[:runtime.Stack(buffer, true)])
}

func BenchmarkDecide(b *testing.B) {
	const clusters, placements = 1000, 50
	g := generator{rand.New(rand.NewSource(1))}
	objects := g.hub(clusters, 0)
	objects = append(objects, parse(b, "binding.yaml", `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: global, namespace: bench}
spec: {clusterSet: global}
`)...)
	for i := range placements {
		objects = append(objects, g.object("cluster.open-cluster-management.io/v1beta1", "Placement", "bench", fmt.Sprintf("p%d", i), values{
			"spec": values{
				"predicates":  []any{values{"requiredClusterSelector": values{"labelSelector": values{"matchLabels": values{"env": "one"}}}}},
				"tolerations": []any{values{"operator": "Exists"}},
			},
		}))
	}
	for b.Loop() {
		hub, _ := FromObjects(objects)
		results, _ := Decide(context.Background(), hub, noon)
		if len(results) != placements || len(results[0].Clusters()) < clusters/10 {
			b.Fatal(len(results))
		}
	}
}
