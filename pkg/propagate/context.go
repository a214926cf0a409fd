package propagate

import (
	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var managedClusterGVK = schema.GroupVersionKind{Group: "cluster.open-cluster-management.io", Version: "v1", Kind: "ManagedCluster"}

// templateContext is what hub templates see as "."; its field names are part of the template language.
type templateContext struct {
	ManagedClusterName   string
	ManagedClusterLabels map[string]string
	PolicyMetadata       map[string]any
}

func (r *resolution) context() templateContext {
	return templateContext{
		ManagedClusterName: r.cluster,
		PolicyMetadata: map[string]any{
			"annotations": r.root.Annotations,
			"labels":      r.root.Labels,
			"name":        r.root.Name,
			"namespace":   r.root.Namespace,
		},
	}
}

// addManagedClusterLabels fills .ManagedClusterLabels from the hub. A cluster that the hub does not know has none.
func addManagedClusterLabels(cluster string) func(templates.CachingQueryAPI, any) (any, error) {
	return func(api templates.CachingQueryAPI, context any) (any, error) {
		typed, ok := context.(templateContext)
		if !ok {
			return context, nil
		}
		object, err := api.Get(managedClusterGVK, "", cluster)
		if err != nil {
			return context, err
		}
		if object != nil {
			typed.ManagedClusterLabels = object.GetLabels()
		}
		return typed, nil
	}
}
