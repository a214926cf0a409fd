package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	clustersdkv1beta2 "open-cluster-management.io/sdk-go/pkg/apis/cluster/v1beta2"

	"github.com/policyloom/policyloom/pkg/diag"
)

// hubIndex finds the hub's objects by name for findings and reasons. It is read-only after newHubIndex.
type hubIndex struct {
	hub          *Hub
	clusterNames []string
	clusters     map[string]*clusterv1.ManagedCluster
	selectors    map[string]labels.Selector
	// bound gives the names of the existing sets that are bound to a namespace.
	bound map[string][]string
}

func newHubIndex(hub *Hub) *hubIndex {
	index := &hubIndex{
		hub:       hub,
		clusters:  map[string]*clusterv1.ManagedCluster{},
		selectors: map[string]labels.Selector{},
		bound:     map[string][]string{},
	}
	for _, cluster := range hub.clusters {
		index.clusters[cluster.Name] = cluster
	}
	index.clusterNames = slices.Sorted(maps.Keys(index.clusters))
	for _, set := range hub.sets {
		// FromObjects refuses sets whose selector cannot be built.
		if selector, err := clustersdkv1beta2.BuildClusterSelector(set); err == nil && selector != nil {
			index.selectors[set.Name] = selector
		}
	}
	for _, binding := range hub.bindings {
		if _, exists := index.selectors[binding.Name]; exists {
			index.bound[binding.Namespace] = append(index.bound[binding.Namespace], binding.Name)
		}
	}
	return index
}

// setsOf gives the names of all sets that the cluster is a member of.
func (x *hubIndex) setsOf(cluster *clusterv1.ManagedCluster) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(x.selectors)) {
		if x.selectors[name].Matches(labels.Set(cluster.Labels)) {
			names = append(names, name)
		}
	}
	return names
}

// recorded gives the PlacementDecisions that the fixtures hold for a placement.
func (x *hubIndex) recorded(placement *clusterv1beta1.Placement) []*clusterv1beta1.PlacementDecision {
	var list []*clusterv1beta1.PlacementDecision
	for _, decision := range x.hub.decisions {
		if decision.Namespace == placement.Namespace && decision.Labels[clusterv1beta1.PlacementLabel] == placement.Name {
			list = append(list, decision)
		}
	}
	return list
}

// danglingBindings warns of bindings to a set that does not exist, which OCM ignores silently.
func (x *hubIndex) danglingBindings() diag.Findings {
	var findings diag.Findings
	for _, binding := range x.hub.bindings {
		if _, exists := x.selectors[binding.Name]; exists {
			continue
		}
		message := fmt.Sprintf("ManagedClusterSet %s does not exist, so the binding has no effect", binding.Name)
		names := slices.Sorted(maps.Keys(x.selectors))
		hint := diag.DidYouMean(binding.Name, names)
		if members := x.labelled(binding.Name); len(members) > 0 {
			hint = fmt.Sprintf("create it: the label %s puts %s into it", clusterv1beta2.ClusterSetLabel, strings.Join(members, ", "))
		}
		findings = append(findings, x.hub.finding(binding, diag.Warning, "spec.clusterSet", message, hint))
	}
	return findings
}

// hasBinding tells whether a ManagedClusterSetBinding of the namespace names the set, which need not exist.
func (x *hubIndex) hasBinding(namespace, set string) bool {
	return slices.ContainsFunc(x.hub.bindings, func(binding *clusterv1beta2.ManagedClusterSetBinding) bool {
		return binding.Namespace == namespace && binding.Name == set
	})
}

// danglingHint names the bindings of a namespace in which no binding has a set.
func (x *hubIndex) danglingHint(namespace string) string {
	var names []string
	for _, binding := range x.hub.bindings {
		if binding.Namespace == namespace {
			names = append(names, binding.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("there are bindings, but the fixtures hold no ManagedClusterSet %s: add the sets of the hub, or correct the name",
		strings.Join(names, ", "))
}

// labelled gives up to three clusters whose label names the set.
func (x *hubIndex) labelled(set string) []string {
	var names []string
	for _, name := range x.clusterNames {
		if x.clusters[name].Labels[clusterv1beta2.ClusterSetLabel] == set {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return names
}
