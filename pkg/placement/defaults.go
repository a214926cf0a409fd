package placement

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"

	"github.com/policyloom/policyloom/pkg/manifest"
)

const (
	defaultSet = "default"
	globalSet  = "global"
)

// withDefaults sets the defaults of the Placement API that change a decision: a prioritizer that names no weight has
// weight 1, not 0, and a score coordinate without a type is built in.
func withDefaults(object manifest.Object) manifest.Object {
	list, found, err := unstructured.NestedSlice(object.Object, "spec", "prioritizerPolicy", "configurations")
	if !found || err != nil {
		return object
	}
	for _, item := range list {
		configuration, ok := item.(map[string]any)
		if !ok {
			continue
		}
		setDefault(configuration, "weight", int64(1))
		if coordinate, ok := configuration["scoreCoordinate"].(map[string]any); ok {
			setDefault(coordinate, "type", "BuiltIn")
		}
	}
	object.Unstructured = object.DeepCopy()
	// The parents exist and are mappings: they were read above.
	_ = unstructured.SetNestedSlice(object.Object, list, "spec", "prioritizerPolicy", "configurations")
	return object
}

func setDefault(object map[string]any, field string, value any) {
	if object[field] == nil {
		object[field] = value
	}
}

// addStandardSets adds the sets that OCM's registration controller keeps on every hub, and gives them the selector that
// it would restore.
func (h *Hub) addStandardSets() {
	standard := map[string]clusterv1beta2.ManagedClusterSelector{
		defaultSet: {SelectorType: clusterv1beta2.ExclusiveClusterSetLabel},
		globalSet:  {SelectorType: clusterv1beta2.LabelSelector, LabelSelector: &metav1.LabelSelector{}},
	}
	for _, name := range []string{defaultSet, globalSet} {
		i := slices.IndexFunc(h.sets, func(set *clusterv1beta2.ManagedClusterSet) bool { return set.Name == name })
		if i < 0 {
			h.sets = append(h.sets, &clusterv1beta2.ManagedClusterSet{ObjectMeta: metav1.ObjectMeta{Name: name}})
			i = len(h.sets) - 1
		}
		h.sets[i].Spec.ClusterSelector = standard[name]
	}
}

// defaultClusterSet labels clusters that name no cluster set, as the admission webhook of OCM does.
func (h *Hub) defaultClusterSet() {
	for _, cluster := range h.clusters {
		if cluster.Labels[clusterv1beta2.ClusterSetLabel] == "" {
			if cluster.Labels == nil {
				cluster.Labels = map[string]string{}
			}
			cluster.Labels[clusterv1beta2.ClusterSetLabel] = defaultSet
		}
	}
}
