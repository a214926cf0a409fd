package fleet

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
)

const clusterGroup = "cluster.open-cluster-management.io"

func isManagedCluster(object manifest.Object) bool {
	return object.GetKind() == "ManagedCluster" && object.GroupVersionKind().Group == clusterGroup
}

// since is when a made-up cluster joined; it is fixed so that results are.
const since = "2025-01-01T00:00:00Z"

// managedCluster makes a ManagedCluster that has joined, is available, and has the labels that an import gives. More
// labels come on top and win.
func managedCluster(name string, labels map[string]string) *unstructured.Unstructured {
	var conditions []any
	for _, c := range []struct{ kind, reason, message string }{
		{"HubAcceptedManagedCluster", "HubClusterAdminAccepted", "Accepted by hub cluster admin"},
		{"ManagedClusterJoined", "ManagedClusterJoined", "Managed cluster joined"},
		{"ManagedClusterConditionAvailable", "ManagedClusterAvailable", "Managed cluster is available"},
	} {
		conditions = append(conditions, map[string]any{
			"type": c.kind, "status": "True", "reason": c.reason, "message": c.message, "lastTransitionTime": since,
		})
	}
	cluster := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": clusterGroup + "/v1",
		"kind":       "ManagedCluster",
		"metadata":   map[string]any{"name": name, "creationTimestamp": since},
		"spec":       map[string]any{"hubAcceptsClient": true, "leaseDurationSeconds": int64(60)},
		"status":     map[string]any{"conditions": conditions},
	}}
	all := map[string]string{"name": name, clusterGroup + "/clusterset": "default"}
	maps.Copy(all, labels)
	cluster.SetLabels(all)
	return cluster
}
