package generate

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// placementName gives the name of the Placement, generated or not.
func placementName(p *v1alpha1.Placement) string { return cmp.Or(p.PlacementName, p.Name) }

func placementOf(namespace string, p *v1alpha1.Placement) *clusterv1beta1.Placement {
	placement := &clusterv1beta1.Placement{
		TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1beta1.GroupVersion.String(), Kind: "Placement"},
		ObjectMeta: metav1.ObjectMeta{Name: placementName(p), Namespace: namespace},
		Spec: clusterv1beta1.PlacementSpec{
			ClusterSets: p.ClusterSets,
			Predicates: []clusterv1beta1.ClusterPredicate{{
				RequiredClusterSelector: clusterv1beta1.ClusterSelector{LabelSelector: *p.LabelSelector},
			}},
		},
	}
	for _, t := range p.Tolerations {
		placement.Spec.Tolerations = append(placement.Spec.Tolerations, clusterv1beta1.Toleration{
			Key:               t.Key,
			Operator:          clusterv1beta1.TolerationOperator(t.Operator),
			Value:             t.Value,
			Effect:            clusterv1.TaintEffect(t.Effect),
			TolerationSeconds: t.TolerationSeconds,
		})
	}
	return placement
}

// bindingOf binds subjects of one kind to a Placement. It is named after the first of them.
func bindingOf(namespace string, p *v1alpha1.Placement, kind string, names ...string) *policyv1.PlacementBinding {
	binding := &policyv1.PlacementBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: policyv1.GroupVersion.String(), Kind: "PlacementBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: "binding-" + names[0], Namespace: namespace},
		PlacementRef: policyv1.PlacementSubject{
			APIGroup: clusterv1beta1.GroupVersion.Group, Kind: "Placement", Name: placementName(p),
		},
	}
	for _, name := range names {
		binding.Subjects = append(binding.Subjects, policyv1.Subject{APIGroup: policyv1.GroupVersion.Group, Kind: kind, Name: name})
	}
	return binding
}

// setBindingsOf gives the bindings of the cluster sets of a Placement to its namespace. Without them it selects nothing.
func setBindingsOf(namespace string, p *v1alpha1.Placement) []any {
	if p.BindClusterSets == nil || !*p.BindClusterSets {
		return nil
	}
	var bindings []any
	for _, set := range p.ClusterSets {
		bindings = append(bindings, &clusterv1beta2.ManagedClusterSetBinding{
			TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1beta2.GroupVersion.String(), Kind: "ManagedClusterSetBinding"},
			ObjectMeta: metav1.ObjectMeta{Name: set, Namespace: namespace},
			Spec:       clusterv1beta2.ManagedClusterSetBindingSpec{ClusterSet: set},
		})
	}
	return bindings
}
