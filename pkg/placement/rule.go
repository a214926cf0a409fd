package placement

import (
	placementrulev1 "open-cluster-management.io/multicloud-operators-subscription/pkg/apis/apps/placementrule/v1"

	"github.com/policyloom/policyloom/pkg/diag"
)

// decideRule takes the decisions of a PlacementRule from its status, where the policy propagator reads them too. The
// controller that would fill the status is not simulated.
func decideRule(index *hubIndex, rule *placementrulev1.PlacementRule) (Result, diag.Findings) {
	result := Result{
		Kind: "PlacementRule", Namespace: rule.Namespace, Name: rule.Name,
		Position: index.hub.origin[rule].Position,
		Groups:   []Group{{Clusters: []string{}}},
		explainer: &explainer{
			index:       index,
			unscheduled: "a PlacementRule is not simulated: its decisions come from status.decisions",
		},
	}
	for _, decision := range rule.Status.Decisions {
		result.Groups[0].Clusters = append(result.Groups[0].Clusters, decision.ClusterName)
	}
	if len(rule.Status.Decisions) > 0 {
		return result, nil
	}
	return result, diag.Findings{index.hub.finding(rule, diag.Warning, "status.decisions",
		"PlacementRule is deprecated and not simulated; without recorded decisions it selects nothing",
		"convert it to a Placement: spec.clusterSelector becomes predicates[0].requiredClusterSelector.labelSelector, and the namespace needs a ManagedClusterSetBinding")}
}
