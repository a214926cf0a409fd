package placement

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"

	"github.com/policyloom/policyloom/pkg/diag"
)

// judge gives the findings about a placement that was scheduled.
func judge(index *hubIndex, placement *clusterv1beta1.Placement, result Result, outcome outcome) diag.Findings {
	j := judgement{index: index, placement: placement}
	if outcome.warning != "" {
		j.add(diag.Warning, "", outcome.warning, "")
	}
	j.conditions(result)
	j.count(result)
	j.clusters(result)
	if len(placement.Spec.DecisionStrategy.GroupStrategy.DecisionGroups) > 0 {
		j.add(diag.Info, "spec.decisionStrategy", "a PlacementBinding ignores decision groups: a policy reaches all of them at once", "")
	}
	return j.findings
}

type judgement struct {
	index     *hubIndex
	placement *clusterv1beta1.Placement
	findings  diag.Findings
}

func (j *judgement) add(severity diag.Severity, field, message, hint string) {
	j.findings = append(j.findings, j.index.hub.finding(j.placement, severity, field, message, hint))
}

// conditions turns what the controller writes into the status into findings.
func (j *judgement) conditions(result Result) {
	conditions := result.Conditions
	if c := meta.FindStatusCondition(conditions, clusterv1beta1.PlacementConditionMisconfigured); c != nil && c.Status == metav1.ConditionTrue {
		j.add(diag.Error, "spec", "the placement is misconfigured and selects nothing: "+oneLine(c.Message), "")
		return
	}
	c := meta.FindStatusCondition(conditions, clusterv1beta1.PlacementConditionSatisfied)
	if c == nil || c.Status == metav1.ConditionTrue {
		return
	}
	message := c.Reason + ": " + c.Message
	switch c.Reason {
	case "NoManagedClusterSetBindings":
		hint := j.index.danglingHint(j.placement.Namespace)
		if hint == "" {
			hint = fmt.Sprintf("create a ManagedClusterSetBinding in namespace %s", j.placement.Namespace)
		}
		j.add(diag.Error, "", message, hint)
	case "NoIntersection":
		j.add(diag.Error, "spec.clusterSets", message, fmt.Sprintf("bind one of these sets to namespace %s", j.placement.Namespace))
	default:
		j.add(diag.Warning, "", message, j.whyNone(result))
	}
}

// shownReasons is how many causes a warning names.
const shownReasons = 3

// whyNone says why a placement that selects no cluster at all selects none: the causes that most clusters share.
func (j *judgement) whyNone(result Result) string {
	if len(result.Clusters()) > 0 {
		return ""
	}
	clusters := map[string][]string{}
	for _, exclusion := range result.Excluded() {
		for _, reason := range exclusion.Reasons {
			text := reason.Message
			if reason.Hint != "" {
				text += ", " + reason.Hint
			}
			clusters[text] = append(clusters[text], exclusion.Cluster)
		}
	}
	reasons := slices.SortedFunc(maps.Keys(clusters), func(a, b string) int {
		return cmp.Or(len(clusters[b])-len(clusters[a]), strings.Compare(a, b))
	})
	more := len(reasons) - shownReasons
	if more > 0 {
		reasons = reasons[:shownReasons]
	}
	var parts []string
	for _, reason := range reasons {
		names := clusters[reason]
		if rest := len(names) - shownReasons; rest > 0 {
			names = append(slices.Clone(names[:shownReasons]), fmt.Sprintf("%d more", rest))
		}
		parts = append(parts, strings.Join(names, ", ")+": "+reason)
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d other reasons", more))
	}
	return strings.Join(parts, "; ")
}

// count warns where the scheduler had to choose between clusters and nothing recorded says what it chose before.
func (j *judgement) count(result Result) {
	limit := j.placement.Spec.NumberOfClusters
	if limit == nil || int(*limit) >= len(result.Scores) || len(j.index.recorded(j.placement)) > 0 {
		return
	}
	j.add(diag.Warning, "spec.numberOfClusters",
		fmt.Sprintf("%d of %d matching clusters are chosen; the fixtures hold no PlacementDecision, so a hub may choose others",
			*limit, len(result.Scores)),
		"add the PlacementDecisions of the hub to the fixtures")
}

// clusters warns of selected clusters that are hardly meant, or cannot be reached.
func (j *judgement) clusters(result Result) {
	for _, name := range result.Clusters() {
		cluster := j.index.clusters[name]
		if cluster == nil {
			continue
		}
		if cluster.Labels["local-cluster"] == "true" && len(j.placement.Spec.Predicates) == 0 {
			j.add(diag.Warning, "spec.predicates", fmt.Sprintf("without predicates the hub itself (%s) is selected, too", name), "")
		}
		if !cluster.Spec.HubAcceptsClient {
			j.add(diag.Warning, "", fmt.Sprintf("cluster %s is selected, but the hub has not accepted it yet", name), "")
		}
	}
}
