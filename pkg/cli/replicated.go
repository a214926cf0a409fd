package cli

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/propagate"
	"github.com/policyloom/policyloom/pkg/render"
)

// replicatedOnly shows the replicated policies in the place of the objects.
func replicatedOnly(cluster *render.Cluster) {
	cluster.Objects = make([]evaluate.Object, 0, len(cluster.Policies))
	for _, replicated := range cluster.Policies {
		cluster.Objects = append(cluster.Objects, replicatedObject(replicated))
	}
}

// replicatedObject gives a replicated policy as an object of the hub, without a status.
func replicatedObject(replicated propagate.Replicated) evaluate.Object {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	if text, err := json.Marshal(replicated.Policy); err == nil {
		_ = json.Unmarshal(text, &object.Object)
	}
	unstructured.RemoveNestedField(object.Object, "status")
	unstructured.RemoveNestedField(object.Object, "metadata", "creationTimestamp")
	return evaluate.Object{
		Policy:            replicated.Root.String(),
		Template:          "Policy " + replicated.Root.Name,
		Index:             -1,
		ComplianceType:    "musthave",
		RemediationAction: string(replicated.Policy.Spec.RemediationAction),
		Source:            replicated.RootPosition,
		Object:            object,
	}
}
