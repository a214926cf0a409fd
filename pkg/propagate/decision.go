package propagate

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"

	"github.com/policyloom/policyloom/pkg/placement"
)

// placementKey names a Placement or PlacementRule.
type placementKey struct{ kind, namespace, name string }

// binds is what one PlacementBinding says about one policy.
type binds struct {
	restricted bool
	// override is the remediationAction that the binding sets, or "".
	override string
	clusters map[string]bool
	// result is the decision of the placement that the binding names, or nil if there is none.
	result *placement.Result
}

// plan holds, for each policy that is not disabled, the bindings that name it or a set with it.
type plan map[*policiesv1.Policy][]binds

// newPlan joins policies, bindings and decisions. Bindings whose placement is missing bind to nothing.
func newPlan(h *hub, decisions []placement.Result) plan {
	selected := map[placementKey]map[string]bool{}
	results := map[placementKey]*placement.Result{}
	for i, result := range decisions {
		clusters := map[string]bool{}
		for _, cluster := range result.Clusters() {
			clusters[cluster] = true
		}
		key := placementKey{result.Kind, result.Namespace, result.Name}
		selected[key], results[key] = clusters, &decisions[i]
	}
	p := plan{}
	for _, policy := range h.policies {
		if policy.typed.Spec.Disabled {
			continue
		}
		for _, binding := range h.bindings {
			if binding.typed.Namespace != policy.typed.Namespace || !h.isSubject(binding.typed, policy.typed.Name) {
				continue
			}
			b := binds{
				restricted: binding.typed.SubFilter == policiesv1.Restricted,
				clusters:   selected[refKey(binding.typed)],
				result:     results[refKey(binding.typed)],
			}
			if strings.EqualFold(binding.typed.BindingOverrides.RemediationAction, string(policiesv1.Enforce)) {
				b.override = binding.typed.BindingOverrides.RemediationAction
			}
			p[policy.typed] = append(p[policy.typed], b)
		}
	}
	return p
}

func refKey(binding *policiesv1.PlacementBinding) placementKey {
	return placementKey{binding.PlacementRef.Kind, binding.Namespace, binding.PlacementRef.Name}
}

// isSubject tells whether the binding names the policy, or a PolicySet of its namespace that lists it.
func (h *hub) isSubject(binding *policiesv1.PlacementBinding, policy string) bool {
	return slices.ContainsFunc(binding.Subjects, func(subject policiesv1.Subject) bool {
		if subject.APIGroup != common.APIGroup {
			return false
		}
		if subject.Kind == policiesv1.Kind {
			return subject.Name == policy
		}
		set, found := h.sets[types.NamespacedName{Namespace: binding.Namespace, Name: subject.Name}]
		if !found || subject.Kind != policiesv1.PolicySetKind {
			return false
		}
		for _, member := range set.typed.Spec.Policies {
			if string(member) == policy {
				return true
			}
		}
		return false
	})
}

// decide tells whether the policy is replicated to the cluster, and the remediationAction that a binding sets for it.
// Restricted bindings never place a policy; they only override.
func (p plan) decide(policy *policiesv1.Policy, cluster string) (override string, placed bool) {
	for _, b := range p[policy] {
		if b.restricted || !b.clusters[cluster] {
			continue
		}
		if b.override != "" {
			return b.override, true
		}
		placed = true
	}
	if !placed {
		return "", false
	}
	for _, b := range p[policy] {
		if b.restricted && b.clusters[cluster] && b.override != "" {
			return b.override, true
		}
	}
	return "", true
}

// clusters gives the names of all clusters that a policy is placed on, in alphabetical order.
func (p plan) clusters() []string {
	var names []string
	for _, bindings := range p {
		for _, b := range bindings {
			if b.restricted {
				continue
			}
			for name := range b.clusters {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
