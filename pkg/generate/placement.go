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

// bindingOf binds a Policy or PolicySet to a Placement.
func bindingOf(namespace string, p *v1alpha1.Placement, name, kind, subject string) *policyv1.PlacementBinding {
	return &policyv1.PlacementBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: policyv1.GroupVersion.String(), Kind: "PlacementBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		PlacementRef: policyv1.PlacementSubject{
			APIGroup: clusterv1beta1.GroupVersion.Group, Kind: "Placement", Name: placementName(p),
		},
		Subjects: []policyv1.Subject{{APIGroup: policyv1.GroupVersion.Group, Kind: kind, Name: subject}},
	}
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
