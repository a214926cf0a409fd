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

// placementName gives the name of the Placement that the Policy is bound to.
func placementName(dns *v1alpha1.VirtualMachineDNS) string {
	return cmp.Or(dns.Spec.Placement.PlacementName, dns.Spec.Placement.Name)
}

func placementOf(dns *v1alpha1.VirtualMachineDNS) *clusterv1beta1.Placement {
	p := dns.Spec.Placement
	placement := &clusterv1beta1.Placement{
		TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1beta1.GroupVersion.String(), Kind: "Placement"},
		ObjectMeta: metav1.ObjectMeta{Name: placementName(dns), Namespace: dns.Spec.Policy.Namespace},
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

func bindingOf(dns *v1alpha1.VirtualMachineDNS) *policyv1.PlacementBinding {
	binding := &policyv1.PlacementBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: policyv1.GroupVersion.String(), Kind: "PlacementBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: "binding-" + dns.Metadata.Name, Namespace: dns.Spec.Policy.Namespace},
		PlacementRef: policyv1.PlacementSubject{
			APIGroup: clusterv1beta1.GroupVersion.Group, Kind: "Placement", Name: placementName(dns),
		},
		Subjects: []policyv1.Subject{{APIGroup: policyv1.GroupVersion.Group, Kind: policyv1.Kind, Name: dns.Metadata.Name}},
	}
	if *dns.Spec.Report {
		binding.Subjects = append(binding.Subjects, policyv1.Subject{
			APIGroup: policyv1.GroupVersion.Group, Kind: policyv1.Kind, Name: dns.Metadata.Name + v1alpha1.ReportSuffix,
		})
	}
	return binding
}

// setBindingsOf gives the bindings of the cluster sets to the namespace of the Policy. Without them a Placement selects
// nothing.
func setBindingsOf(dns *v1alpha1.VirtualMachineDNS) []*clusterv1beta2.ManagedClusterSetBinding {
	if bind := dns.Spec.Placement.BindClusterSets; bind == nil || !*bind {
		return nil
	}
	var bindings []*clusterv1beta2.ManagedClusterSetBinding
	for _, set := range dns.Spec.Placement.ClusterSets {
		bindings = append(bindings, &clusterv1beta2.ManagedClusterSetBinding{
			TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1beta2.GroupVersion.String(), Kind: "ManagedClusterSetBinding"},
			ObjectMeta: metav1.ObjectMeta{Name: set, Namespace: dns.Spec.Policy.Namespace},
			Spec:       clusterv1beta2.ManagedClusterSetBindingSpec{ClusterSet: set},
		})
	}
	return bindings
}
