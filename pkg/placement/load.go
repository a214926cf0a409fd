package placement

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	placementrulev1 "open-cluster-management.io/multicloud-operators-subscription/pkg/apis/apps/placementrule/v1"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

const clusterGroup = "cluster.open-cluster-management.io"

// servedVersion gives the one version of a kind that a hub serves, or "" for kinds that have no say in placement.
func servedVersion(gk schema.GroupKind) string {
	if gk == (schema.GroupKind{Group: placementrulev1.SchemeGroupVersion.Group, Kind: "PlacementRule"}) {
		return "v1"
	}
	if gk.Group != clusterGroup {
		return ""
	}
	switch gk.Kind {
	case "ManagedCluster":
		return "v1"
	case "ManagedClusterSet", "ManagedClusterSetBinding":
		return "v1beta2"
	case "Placement", "PlacementDecision":
		return "v1beta1"
	case "AddOnPlacementScore":
		return "v1alpha1"
	}
	return ""
}

// loader fills a Hub from manifests.
type loader struct {
	hub      *Hub
	seen     map[string]bool
	findings diag.Findings
}

func (l *loader) add(object manifest.Object) {
	gvk := object.GroupVersionKind()
	want := servedVersion(gvk.GroupKind())
	if want == "" {
		return
	}
	if gvk.Version != want {
		finding := strict.Finding(object, "apiVersion", fmt.Sprintf("%s %s is not served any more", gvk.Kind, object.GetAPIVersion()))
		finding.Hint = fmt.Sprintf("use %s/%s", gvk.Group, want)
		l.findings = append(l.findings, finding)
		return
	}
	if !l.checkName(object) {
		return
	}
	switch gvk.Kind {
	case "ManagedCluster":
		load(l, object, &l.hub.clusters, &clusterv1.ManagedCluster{}, checkCluster)
	case "ManagedClusterSet":
		load(l, object, &l.hub.sets, &clusterv1beta2.ManagedClusterSet{}, checkSet)
	case "ManagedClusterSetBinding":
		load(l, object, &l.hub.bindings, &clusterv1beta2.ManagedClusterSetBinding{}, checkBinding)
	case "Placement":
		load(l, withDefaults(object), &l.hub.placements, &clusterv1beta1.Placement{}, checkPlacement)
	case "PlacementDecision":
		load(l, object, &l.hub.decisions, &clusterv1beta1.PlacementDecision{}, noCheck)
	case "AddOnPlacementScore":
		load(l, object, &l.hub.scores, &clusterv1alpha1.AddOnPlacementScore{}, noCheck)
	case "PlacementRule":
		load(l, object, &l.hub.rules, &placementrulev1.PlacementRule{}, noCheck)
	}
}

// checkName refuses objects without the name or namespace that they need, and a second one of the same name.
func (l *loader) checkName(object manifest.Object) bool {
	clusterScoped := object.GetKind() == "ManagedCluster" || object.GetKind() == "ManagedClusterSet"
	switch {
	case object.GetName() == "":
		l.findings = append(l.findings, strict.Finding(object, "metadata.name", "is required"))
		return false
	case !clusterScoped && object.GetNamespace() == "":
		l.findings = append(l.findings, strict.Finding(object, "metadata.namespace", "is required"))
		return false
	}
	key := manifest.Reference(object.Unstructured)
	if l.seen[key] {
		l.findings = append(l.findings, strict.Finding(object, "", "is defined twice: the first definition is used"))
		return false
	}
	l.seen[key] = true
	return true
}

// load decodes the object into typed and appends it to list unless it has a wrong type or the check refuses it.
func load[T metav1.Object](l *loader, object manifest.Object, list *[]T, typed T, check func(manifest.Object, T) (bool, diag.Findings)) {
	ok, findings := strict.Decode(object, typed)
	l.findings = append(l.findings, findings...)
	if !ok {
		return
	}
	ok, findings = check(object, typed)
	l.findings = append(l.findings, findings...)
	if !ok {
		return
	}
	typed.SetManagedFields(nil)
	l.hub.origin[typed] = object
	*list = append(*list, typed)
}

func noCheck[T any](manifest.Object, T) (bool, diag.Findings) { return true, nil }
