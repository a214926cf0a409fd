// Package placement decides which managed clusters each Placement selects, with OCM's own scheduling controller, and says
// why each other cluster is not selected.
package placement

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	placementrulev1 "open-cluster-management.io/multicloud-operators-subscription/pkg/apis/apps/placementrule/v1"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// Hub holds the hub's objects that decide about placement. Build it with FromObjects.
type Hub struct {
	clusters   []*clusterv1.ManagedCluster
	sets       []*clusterv1beta2.ManagedClusterSet
	bindings   []*clusterv1beta2.ManagedClusterSetBinding
	placements []*clusterv1beta1.Placement
	decisions  []*clusterv1beta1.PlacementDecision
	scores     []*clusterv1alpha1.AddOnPlacementScore
	rules      []*placementrulev1.PlacementRule

	// origin finds the manifest of a typed object, for findings.
	origin map[metav1.Object]manifest.Object
}

// FromObjects picks the objects that matter to placement out of the hub's manifests and ignores all others. What an API
// server or an admission webhook would refuse is an error. Placements and clusters with unknown fields are kept, without
// these fields, as an API server that prunes would keep them.
//
// As OCM does, it adds the ManagedClusterSets default and global if they are missing, and puts clusters without a cluster
// set label into the set default.
func FromObjects(objects []manifest.Object) (Hub, diag.Findings) {
	hub := Hub{origin: map[metav1.Object]manifest.Object{}}
	loader := loader{hub: &hub, seen: map[string]bool{}}
	for _, object := range sorted(objects) {
		loader.add(object)
	}
	hub.addStandardSets()
	hub.defaultClusterSet()
	loader.findings.Sort()
	return hub, loader.findings
}

// sorted gives the objects in the order of their names and places, so that no result depends on the order of files.
func sorted(objects []manifest.Object) []manifest.Object {
	list := slices.Clone(objects)
	slices.SortStableFunc(list, func(a, b manifest.Object) int {
		return cmp.Or(
			cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
		)
	})
	return list
}

// finding gives a finding about a typed object; objects that FromObjects added have no position.
func (h *Hub) finding(object metav1.Object, severity diag.Severity, field, message, hint string) diag.Finding {
	origin, ok := h.origin[object]
	if !ok {
		return diag.Finding{Severity: severity, Field: field, Message: message, Hint: hint}
	}
	f := strict.Finding(origin, field, message)
	f.Severity, f.Hint = severity, hint
	return f
}
