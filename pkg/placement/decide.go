package placement

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// Decide schedules each Placement of the hub at the given time, which counts for tolerationSeconds and for scores that
// expire. Results are ordered by namespace and name, PlacementRules after Placements of the same name.
//
// Each placement is decided by itself: it sees the PlacementDecisions of the fixtures, which keep clusters that were
// chosen before and spread the load, but not those of the other placements of this call. So no placement changes the
// decision about another.
func Decide(ctx context.Context, hub Hub, now time.Time) ([]Result, diag.Findings) {
	var (
		results  []Result
		findings diag.Findings
	)
	index := newHubIndex(&hub)
	findings = append(findings, index.danglingBindings()...)
	withClock(fixedClock{now: now}, func() {
		ctx := quiet.Context(ctx)
		engine := newEngine(ctx, &hub, fixedClock{now: now})
		defer engine.close()
		for _, placement := range hub.placements {
			result, found := decideOne(ctx, engine, index, placement, now)
			results, findings = append(results, result), append(findings, found...)
		}
	})
	for _, rule := range hub.rules {
		result, found := decideRule(index, rule)
		results, findings = append(results, result), append(findings, found...)
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	findings.Sort()
	return results, findings
}

func decideOne(
	ctx context.Context, engine *engine, index *hubIndex, placement *clusterv1beta1.Placement, now time.Time,
) (Result, diag.Findings) {
	result := Result{
		Kind: "Placement", Namespace: placement.Namespace, Name: placement.Name,
		Position:  index.hub.origin[placement].Position,
		explainer: newExplainer(index, placement, now),
	}
	if reason := notScheduled(placement); reason != "" {
		result.Groups = groups(index.recorded(placement))
		result.explainer.unscheduled = reason
		return result, diag.Findings{index.hub.finding(placement, diag.Info, "",
			reason+": the PlacementDecisions of the fixtures are taken as they are", "")}
	}
	outcome, err := engine.decide(ctx, placement)
	if err != nil {
		result.explainer.misconfigured = err.Error()
		return result, diag.Findings{index.hub.finding(placement, diag.Error, "", err.Error(), "")}
	}
	result.Groups = groups(outcome.decisions)
	result.Scores = outcome.scores
	for _, condition := range outcome.status.Conditions {
		condition.LastTransitionTime = metav1.Time{}
		result.Conditions = append(result.Conditions, condition)
	}
	slices.SortFunc(result.Conditions, func(a, b metav1.Condition) int { return strings.Compare(a.Type, b.Type) })
	if c := meta.FindStatusCondition(result.Conditions, clusterv1beta1.PlacementConditionMisconfigured); c != nil && c.Status == metav1.ConditionTrue {
		result.explainer.misconfigured = oneLine(c.Message)
	}
	return result, judge(index, placement, result, outcome)
}

// notScheduled says why OCM's scheduler leaves a placement alone, or "".
func notScheduled(placement *clusterv1beta1.Placement) string {
	switch {
	case placement.DeletionTimestamp != nil:
		return "the Placement is being deleted, so it is not scheduled"
	case placement.Annotations[clusterv1beta1.PlacementDisableAnnotation] == "true":
		return fmt.Sprintf("the annotation %s turns scheduling off", clusterv1beta1.PlacementDisableAnnotation)
	}
	return ""
}

// oneLine leaves out of a message the lines in which CEL draws where an expression is wrong.
func oneLine(message string) string {
	lines := strings.Split(message, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, " |") })
	return strings.Join(lines, "; ")
}

// groups joins the PlacementDecisions of a placement, which hold 100 clusters at most, into decision groups.
func groups(decisions []*clusterv1beta1.PlacementDecision) []Group {
	list := []Group{}
	last := ""
	for _, decision := range decisions {
		index := decision.Labels[clusterv1beta1.DecisionGroupIndexLabel]
		if len(list) == 0 || index != last {
			list = append(list, Group{Name: decision.Labels[clusterv1beta1.DecisionGroupNameLabel], Clusters: []string{}})
			last = index
		}
		group := &list[len(list)-1]
		for _, cluster := range decision.Status.Decisions {
			group.Clusters = append(group.Clusters, cluster.ClusterName)
		}
	}
	return list
}
