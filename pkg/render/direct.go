package render

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
)

// direct replaces all PlacementBindings by one for each policy, and all decisions by one that selects every cluster.
func direct(objects []manifest.Object, clusters []string) ([]manifest.Object, []placement.Result) {
	const name = "every-cluster"
	var kept []manifest.Object
	var decisions []placement.Result
	for _, object := range objects {
		if object.GroupVersionKind().Group != policyGroup || object.GetKind() != "PlacementBinding" {
			kept = append(kept, object)
		}
		if !isRootPolicy(object) {
			continue
		}
		kept = append(kept, manifest.Object{Position: object.Position, Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion":   policyGroup + "/v1",
			"kind":         "PlacementBinding",
			"metadata":     map[string]any{"name": object.GetName(), "namespace": object.GetNamespace()},
			"placementRef": map[string]any{"apiGroup": "cluster.open-cluster-management.io", "kind": "Placement", "name": name},
			"subjects":     []any{map[string]any{"apiGroup": policyGroup, "kind": "Policy", "name": object.GetName()}},
		}}})
		if !slices.ContainsFunc(decisions, func(r placement.Result) bool { return r.Namespace == object.GetNamespace() }) {
			decisions = append(decisions, placement.Result{
				Kind: "Placement", Namespace: object.GetNamespace(), Name: name, Groups: []placement.Group{{Clusters: clusters}},
			})
		}
	}
	return kept, decisions
}
