package placement

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"

	"github.com/policyloom/policyloom/pkg/diag"
)

// explainer works out why a placement does not select a cluster. The engine tells only which clusters pass, so the
// reasons are our own; each applies the same rule as the step of the engine that it speaks of.
type explainer struct {
	index     *hubIndex
	placement *clusterv1beta1.Placement
	now       time.Time
	// unscheduled says why the scheduler does not decide about the object, misconfigured why it cannot.
	unscheduled   string
	misconfigured string

	predicatesOnce sync.Once
	predicates     []predicate
	// recorded holds the clusters of the fixtures' PlacementDecisions.
	recorded []string
}

func newExplainer(index *hubIndex, placement *clusterv1beta1.Placement, now time.Time) *explainer {
	e := &explainer{index: index, placement: placement, now: now}
	for _, decision := range index.recorded(placement) {
		for _, cluster := range decision.Status.Decisions {
			e.recorded = append(e.recorded, cluster.ClusterName)
		}
	}
	return e
}

// why gives the reasons for a cluster that the result does not hold.
func (e *explainer) why(name string, result Result) []Reason {
	cluster := e.index.clusters[name]
	switch {
	case cluster == nil:
		return []Reason{{
			Kind: NotFound, Message: fmt.Sprintf("the hub has no ManagedCluster %s", name),
			Hint: diag.DidYouMean(name, e.index.clusterNames),
		}}
	case e.unscheduled != "":
		return []Reason{{Kind: NotScheduled, Message: e.unscheduled}}
	}
	reasons := e.whySet(cluster)
	if cluster.DeletionTimestamp != nil {
		reasons = append(reasons, Reason{Kind: Deleting, Message: "the ManagedCluster is being deleted"})
	}
	if e.misconfigured != "" {
		return append(reasons, Reason{Kind: Misconfigured, Message: "the placement selects nothing: " + e.misconfigured})
	}
	reasons = append(reasons, e.whyPredicate(cluster)...)
	reasons = append(reasons, e.whyTaints(cluster)...)
	if _, ranked := result.Scores[name]; ranked && e.placement.Spec.NumberOfClusters != nil {
		reasons = append(reasons, e.whyCount(name, result))
	}
	return reasons
}

// whySet explains a cluster that is in none of the sets that the placement may choose from.
func (e *explainer) whySet(cluster *clusterv1.ManagedCluster) []Reason {
	namespace, wanted := e.placement.Namespace, e.placement.Spec.ClusterSets
	bound := e.index.bound[namespace]
	if len(bound) == 0 {
		reason := Reason{Kind: NoBinding, Message: "no ManagedClusterSetBinding in namespace " + namespace}
		if hint := e.index.danglingHint(namespace); hint != "" {
			reason.Message, reason.Hint = "no ManagedClusterSetBinding of a set that exists in namespace "+namespace, hint
		}
		return []Reason{reason}
	}
	eligible := func(set string) bool {
		return slices.Contains(bound, set) && (len(wanted) == 0 || slices.Contains(wanted, set))
	}
	sets := e.index.setsOf(cluster)
	if slices.ContainsFunc(sets, eligible) {
		return nil
	}
	own := cluster.Labels[clusterv1beta2.ClusterSetLabel]
	exists := e.index.selectors[own] != nil
	switch {
	case slices.ContainsFunc(sets, func(set string) bool { return slices.Contains(bound, set) }):
		return []Reason{{Kind: NotInSet, Message: fmt.Sprintf("the cluster is in %s, but spec.clusterSets wants %s",
			strings.Join(sets, ", "), strings.Join(wanted, ", "))}}
	case !exists && e.index.hasBinding(namespace, own):
		return []Reason{{Kind: NotInSet, Message: fmt.Sprintf("ManagedClusterSet %s, which the cluster's label names, does not exist", own)}}
	}
	reason := Reason{Kind: NoBinding, Message: fmt.Sprintf("cluster set %s is not bound to namespace %s (no ManagedClusterSetBinding)", own, namespace)}
	if !exists {
		reason.Hint = fmt.Sprintf("ManagedClusterSet %s does not exist either", own)
	}
	return []Reason{reason}
}

func (e *explainer) whyCount(name string, result Result) Reason {
	selected := result.Clusters()
	last := ""
	for _, cluster := range selected {
		if last == "" || result.Scores[cluster] <= result.Scores[last] {
			last = cluster
		}
	}
	noun := "clusters"
	if *e.placement.Spec.NumberOfClusters == 1 {
		noun = "cluster"
	}
	message := fmt.Sprintf("the placement wants %d %s", *e.placement.Spec.NumberOfClusters, noun)
	if last != "" {
		message += fmt.Sprintf("; this one ranks below %s (score %d, %s has %d; ties go by name)",
			last, result.Scores[name], last, result.Scores[last])
	}
	return Reason{Kind: Count, Message: message}
}
