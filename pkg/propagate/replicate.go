package propagate

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	policiesv1beta1 "open-cluster-management.io/governance-policy-propagator/api/v1beta1"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"
)

// compareOptions keeps Argo CD from managing replicated policies.
const compareOptions = "argocd.argoproj.io/compare-options"

// replicate builds the replicated policy, hub templates still unresolved. root must be a copy: as in the propagator, the
// replica's labels become those of the root policy too, if it has any, and so hub templates see them.
func (h *hub) replicate(root *policiesv1.Policy, cluster, override string) *policiesv1.Policy {
	replica := &policiesv1.Policy{
		TypeMeta: metav1.TypeMeta{Kind: policiesv1.Kind, APIVersion: policiesv1.GroupVersion.String()},
		ObjectMeta: metav1.ObjectMeta{
			Name:        common.FullNameForPolicy(root),
			Namespace:   cluster,
			Labels:      root.Labels,
			Annotations: maps.Clone(root.Annotations),
		},
	}
	root.Spec.DeepCopyInto(&replica.Spec)
	if replica.Labels == nil {
		replica.Labels = map[string]string{}
	}
	if replica.Annotations == nil {
		replica.Annotations = map[string]string{}
	}
	if root.Spec.CopyPolicyMetadata != nil && !*root.Spec.CopyPolicyMetadata {
		deleteForeign(replica.Labels)
		deleteForeign(replica.Annotations)
	}
	replica.Labels[common.ClusterNameLabel] = cluster
	replica.Labels[common.ClusterNamespaceLabel] = cluster
	replica.Labels[common.RootPolicyLabel] = replica.Name
	replica.Annotations[compareOptions] = "IgnoreExtraneous"

	if !strings.EqualFold(string(replica.Spec.RemediationAction), string(policiesv1.Enforce)) && override != "" {
		replica.Spec.RemediationAction = policiesv1.RemediationAction(override)
	}
	replica.Spec.Dependencies = h.canonicalize(replica.Spec.Dependencies, root.Namespace)
	for _, template := range replica.Spec.PolicyTemplates {
		template.ExtraDependencies = h.canonicalize(template.ExtraDependencies, root.Namespace)
	}
	return replica
}

// deleteForeign removes the keys that do not belong to the policy framework.
func deleteForeign(metadata map[string]string) {
	maps.DeleteFunc(metadata, func(key, _ string) bool { return !strings.HasPrefix(key, common.APIGroup+"/") })
}

// canonicalize puts dependencies into the form that managed clusters expect: policies as <namespace>.<name> without a
// namespace, and policy sets replaced by their policies. A set that does not exist stays as it is.
func (h *hub) canonicalize(dependencies []policiesv1.PolicyDependency, namespace string) []policiesv1.PolicyDependency {
	list := make([]policiesv1.PolicyDependency, 0, len(dependencies))
	for _, dependency := range dependencies {
		switch {
		case dependency.Kind == policiesv1.PolicySetKind && dependency.APIVersion == policiesv1beta1.GroupVersion.String():
			list = append(list, h.expandSet(dependency, namespace)...)
		case dependency.Kind == policiesv1.Kind && dependency.APIVersion == policiesv1.GroupVersion.String():
			list = append(list, canonicalPolicy(dependency, namespace))
		default:
			list = append(list, dependency)
		}
	}
	return list
}

func (h *hub) expandSet(dependency policiesv1.PolicyDependency, namespace string) []policiesv1.PolicyDependency {
	if dependency.Namespace == "" {
		dependency.Namespace = namespace
	}
	set, found := h.sets[types.NamespacedName{Namespace: dependency.Namespace, Name: dependency.Name}]
	if !found {
		return []policiesv1.PolicyDependency{dependency}
	}
	var list []policiesv1.PolicyDependency
	for _, member := range set.typed.Spec.Policies {
		list = append(list, policiesv1.PolicyDependency{
			TypeMeta:   metav1.TypeMeta{Kind: policiesv1.Kind, APIVersion: policiesv1.GroupVersion.String()},
			Name:       dependency.Namespace + "." + string(member),
			Compliance: dependency.Compliance,
		})
	}
	return list
}

func canonicalPolicy(dependency policiesv1.PolicyDependency, namespace string) policiesv1.PolicyDependency {
	if dependency.Namespace == "" {
		if strings.Contains(dependency.Name, ".") {
			return dependency
		}
		dependency.Namespace = namespace
	}
	dependency.Name = dependency.Namespace + "." + dependency.Name
	dependency.Namespace = ""
	return dependency
}
