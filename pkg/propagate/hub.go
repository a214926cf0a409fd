// Package propagate works out the replicated policy of each managed cluster from the hub's Policies, PlacementBindings and
// PolicySets, as OCM's governance-policy-propagator does, with its hub template engine and options.
package propagate

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	policiesv1beta1 "open-cluster-management.io/governance-policy-propagator/api/v1beta1"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// source is a typed object of the hub and the manifest that it was read from.
type source[T any] struct {
	typed  T
	origin manifest.Object
}

// hub holds the objects that decide about replication, ordered by namespace and name.
type hub struct {
	policies []source[*policiesv1.Policy]
	bindings []source[*policiesv1.PlacementBinding]
	sets     map[types.NamespacedName]source[*policiesv1beta1.PolicySet]
	// vectors holds the encryption-iv annotation of replicated policies that the fixtures hold, by cluster and name.
	vectors map[types.NamespacedName]string
	// refused are the references of policies and sets that are there, but are left out for an error of theirs.
	refused map[string]bool
}

// loadHub picks the policy objects out of the hub's manifests. Objects that the API server or the policy webhook would
// refuse are left out, with an error.
func loadHub(objects []manifest.Object) (hub, diag.Findings) {
	h := hub{
		sets:    map[types.NamespacedName]source[*policiesv1beta1.PolicySet]{},
		vectors: map[types.NamespacedName]string{},
		refused: map[string]bool{},
	}
	clusters := map[string]bool{}
	for _, object := range objects {
		if object.GetKind() == "ManagedCluster" {
			clusters[object.GetName()] = true
		}
	}
	var findings diag.Findings
	seen := map[string]bool{}
	for _, object := range sorted(objects) {
		if object.GroupVersionKind().Group != common.APIGroup {
			continue
		}
		if object.GetKind() == "Policy" && h.skipReplicated(object, clusters) {
			continue
		}
		switch kind := object.GetKind(); kind {
		case "Policy", "PlacementBinding", "PolicySet":
			if finding, ok := admit(object, seen); !ok {
				h.refused[manifest.Reference(object.Unstructured)] = true
				findings = append(findings, finding)
				continue
			}
			found := h.add(object)
			if found.HasErrors() {
				h.refused[manifest.Reference(object.Unstructured)] = true
			}
			findings = append(findings, found...)
		}
	}
	return h, findings
}

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

// skipReplicated tells whether the policy is a replica in the namespace of a managed cluster, which a captured hub holds
// beside the root policies.
func (h *hub) skipReplicated(object manifest.Object, clusters map[string]bool) bool {
	if _, _, err := common.ParseRootPolicyLabel(object.GetLabels()[common.RootPolicyLabel]); err != nil || !clusters[object.GetNamespace()] {
		return false
	}
	if vector := object.GetAnnotations()[propagator.IVAnnotation]; vector != "" {
		h.vectors[types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}] = vector
	}
	return true
}

// admit checks what every kind needs: the served version, a name, a namespace, and to be the only one.
func admit(object manifest.Object, seen map[string]bool) (diag.Finding, bool) {
	served := policiesv1.GroupVersion
	if object.GetKind() == "PolicySet" {
		served = policiesv1beta1.GroupVersion
	}
	reference := manifest.Reference(object.Unstructured)
	switch {
	case object.GroupVersionKind().Version != served.Version:
		finding := strict.Finding(object, "apiVersion", fmt.Sprintf("%s %s is not served", object.GetKind(), object.GetAPIVersion()))
		finding.Hint = "use " + served.String()
		return finding, false
	case object.GetName() == "":
		return strict.Finding(object, "metadata.name", "is required"), false
	case object.GetNamespace() == "":
		return strict.Finding(object, "metadata.namespace", "is required"), false
	case seen[reference]:
		return strict.Finding(object, "", "is defined twice: the first definition is used"), false
	}
	seen[reference] = true
	return diag.Finding{}, true
}

func (h *hub) add(object manifest.Object) diag.Findings {
	key := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
	switch object.GetKind() {
	case "Policy":
		policy, findings := decode(object, &policiesv1.Policy{}, checkPolicy)
		if policy != nil {
			h.policies = append(h.policies, *policy)
		}
		return findings
	case "PlacementBinding":
		binding, findings := decode(object, &policiesv1.PlacementBinding{}, checkBinding)
		if binding != nil {
			h.bindings = append(h.bindings, *binding)
		}
		return findings
	default:
		set, findings := decode(object, &policiesv1beta1.PolicySet{}, func(manifest.Object, *policiesv1beta1.PolicySet) (bool, diag.Findings) {
			return true, nil
		})
		if set != nil {
			h.sets[key] = *set
		}
		return findings
	}
}

// decode gives the typed object, or nil if it cannot be decoded or the check refuses it.
func decode[T any](object manifest.Object, typed T, check func(manifest.Object, T) (bool, diag.Findings)) (*source[T], diag.Findings) {
	ok, findings := strict.Decode(object, typed)
	if !ok {
		return nil, findings
	}
	ok, more := check(object, typed)
	findings = append(findings, more...)
	if !ok {
		return nil, findings
	}
	return &source[T]{typed: typed, origin: object}, findings
}

// policyNames gives the names of all policies of the namespace.
func (h *hub) policyNames(namespace string) []string {
	var names []string
	for _, policy := range h.policies {
		if policy.typed.Namespace == namespace {
			names = append(names, policy.typed.Name)
		}
	}
	return names
}

// namespacesOf gives the namespaces that hold a policy of the name.
func (h *hub) namespacesOf(policy string) []string {
	var namespaces []string
	for _, candidate := range h.policies {
		if candidate.typed.Name == policy {
			namespaces = append(namespaces, candidate.typed.Namespace)
		}
	}
	return namespaces
}
