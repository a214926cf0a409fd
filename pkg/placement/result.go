package placement

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Result is what one Placement (or PlacementRule) selects.
type Result struct {
	// Kind is Placement or PlacementRule.
	Kind string `json:"kind"`
	// Namespace and Name are those of the object.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Position is the object's place in the fixtures.
	Position diag.Position `json:"position"`
	// Groups are the decision groups in the order in which a rollout takes them. PlacementBindings ignore groups.
	Groups []Group `json:"groups"`
	// Conditions are PlacementMisconfigured and PlacementSatisfied as the controller sets them, without times. A
	// PlacementRule has none.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Scores are the sums of the prioritizers for each cluster that passed the filters.
	Scores map[string]int64 `json:"scores,omitempty"`

	explainer *explainer
}

// Group is one decision group. Its name is empty unless the placement gives one.
type Group struct {
	Name     string   `json:"name,omitempty"`
	Clusters []string `json:"clusters"`
}

// Clusters gives the names of all selected clusters in alphabetical order.
func (r Result) Clusters() []string {
	var names []string
	for _, group := range r.Groups {
		names = append(names, group.Clusters...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Kind says which part of the decision excludes a cluster.
type Kind string

// The kinds of reasons.
const (
	// NotFound: the hub knows no such cluster.
	NotFound Kind = "NotFound"
	// NoBinding: the cluster's sets are not bound to the namespace of the placement.
	NoBinding Kind = "NoBinding"
	// NotInSet: the cluster is in a bound set, but not in one that spec.clusterSets names.
	NotInSet Kind = "NotInSet"
	// Deleting: the ManagedCluster is being deleted.
	Deleting Kind = "Deleting"
	// Misconfigured: the placement is invalid, so it selects nothing.
	Misconfigured Kind = "Misconfigured"
	// Predicate: no predicate matches; the reasons are those of the predicate that comes closest.
	Predicate Kind = "Predicate"
	// Taint: a taint is not tolerated.
	Taint Kind = "Taint"
	// Count: spec.numberOfClusters is reached with clusters that rank higher.
	Count Kind = "Count"
	// NotScheduled: the hub's scheduler does not decide about this object, and its recorded decisions lack the cluster.
	NotScheduled Kind = "NotScheduled"
)

// Reason is one cause, sufficient in itself, why a cluster is not selected.
type Reason struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	// Hint says what may have been meant, such as a label of another letter case.
	Hint string `json:"hint,omitempty"`
}

// Exclusion is a cluster that is not selected, and why.
type Exclusion struct {
	Cluster string   `json:"cluster"`
	Reasons []Reason `json:"reasons"`
}

// Why gives the reasons for which the cluster is not selected; none if it is selected. It is worked out when asked for,
// and may be called concurrently.
func (r Result) Why(cluster string) []Reason {
	if slices.Contains(r.Clusters(), cluster) || r.explainer == nil {
		return nil
	}
	return r.explainer.why(cluster, r)
}

// Excluded gives all clusters of the hub that are not selected, by name.
func (r Result) Excluded() []Exclusion {
	if r.explainer == nil {
		return nil
	}
	selected := r.Clusters()
	var list []Exclusion
	for _, name := range r.explainer.index.clusterNames {
		if _, found := slices.BinarySearch(selected, name); !found {
			list = append(list, Exclusion{Cluster: name, Reasons: r.explainer.why(name, r)})
		}
	}
	return list
}
