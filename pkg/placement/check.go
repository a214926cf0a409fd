package placement

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// checker collects findings about one object. The object is refused if the API server would refuse it.
type checker struct {
	object   manifest.Object
	refused  bool
	findings diag.Findings
}

func (c *checker) refuse(field, message, hint string) {
	finding := strict.Finding(c.object, field, message)
	finding.Hint = hint
	c.findings = append(c.findings, finding)
	c.refused = true
}

// oneOf refuses a value outside of the enumeration; an empty value stands for the default where that is allowed.
func (c *checker) oneOf(field, value string, allowed ...string) {
	if slices.Contains(allowed, value) {
		return
	}
	words := slices.DeleteFunc(slices.Clone(allowed), func(word string) bool { return word == "" })
	c.refuse(field, fmt.Sprintf("must be one of %s, is %q", strings.Join(words, ", "), value), diag.DidYouMean(value, words))
}

// neverMatches reports a value that the API server lets pass and that no engine acts upon.
func (c *checker) neverMatches(field, value string, allowed ...string) {
	if value == "" || slices.Contains(allowed, value) {
		return
	}
	finding := strict.Finding(c.object, field, fmt.Sprintf("%q is not one of %s, so it never matches", value, strings.Join(allowed, ", ")))
	finding.Hint = diag.DidYouMean(value, allowed)
	c.findings = append(c.findings, finding)
}

func (c *checker) selectorOperators(field string, requirements []metav1.LabelSelectorRequirement) {
	for i, r := range requirements {
		c.neverMatches(fmt.Sprintf("%s.matchExpressions[%d].operator", field, i), string(r.Operator),
			"In", "NotIn", "Exists", "DoesNotExist")
	}
}

func (c *checker) result() (bool, diag.Findings) { return !c.refused, c.findings }

func checkCluster(object manifest.Object, cluster *clusterv1.ManagedCluster) (bool, diag.Findings) {
	c := checker{object: object}
	for i, taint := range cluster.Spec.Taints {
		field := fmt.Sprintf("spec.taints[%d]", i)
		if taint.Key == "" {
			c.refuse(field+".key", "is required", "")
		}
		c.oneOf(field+".effect", string(taint.Effect), "NoSelect", "PreferNoSelect", "NoSelectIfNew")
	}
	return c.result()
}

func checkSet(object manifest.Object, set *clusterv1beta2.ManagedClusterSet) (bool, diag.Findings) {
	c := checker{object: object}
	selector := set.Spec.ClusterSelector
	c.oneOf("spec.clusterSelector.selectorType", string(selector.SelectorType), "", "ExclusiveClusterSetLabel", "LabelSelector")
	if selector.LabelSelector != nil {
		c.selectorOperators("spec.clusterSelector.labelSelector", selector.LabelSelector.MatchExpressions)
		if _, err := metav1.LabelSelectorAsSelector(selector.LabelSelector); err != nil {
			c.refused = true
			c.findings = append(c.findings, strict.Finding(object, "spec.clusterSelector.labelSelector", err.Error()))
		}
	}
	return c.result()
}

// checkBinding requires what the admission webhook requires: the binding is named after its set.
func checkBinding(object manifest.Object, binding *clusterv1beta2.ManagedClusterSetBinding) (bool, diag.Findings) {
	c := checker{object: object}
	switch set := binding.Spec.ClusterSet; {
	case set == "":
		c.refuse("spec.clusterSet", "is required", "")
	case set != binding.Name:
		c.refuse("spec.clusterSet", fmt.Sprintf("the binding must be named like its set, %q", set), "rename the binding")
	}
	return c.result()
}

func checkPlacement(object manifest.Object, placement *clusterv1beta1.Placement) (bool, diag.Findings) {
	c := checker{object: object}
	spec := placement.Spec
	if spec.NumberOfClusters != nil && *spec.NumberOfClusters < 0 {
		c.refuse("spec.numberOfClusters", fmt.Sprintf("must not be negative, is %d", *spec.NumberOfClusters), "")
	}
	for i, predicate := range spec.Predicates {
		field := fmt.Sprintf("spec.predicates[%d].requiredClusterSelector", i)
		c.selectorOperators(field+".labelSelector", predicate.RequiredClusterSelector.LabelSelector.MatchExpressions)
		c.selectorOperators(field+".claimSelector", predicate.RequiredClusterSelector.ClaimSelector.MatchExpressions)
	}
	for i, toleration := range spec.Tolerations {
		field := fmt.Sprintf("spec.tolerations[%d]", i)
		c.neverMatches(field+".operator", string(toleration.Operator), "Equal", "Exists")
		c.oneOf(field+".effect", string(toleration.Effect), "", "NoSelect", "PreferNoSelect", "NoSelectIfNew")
	}
	c.oneOf("spec.prioritizerPolicy.mode", string(spec.PrioritizerPolicy.Mode), "", "Exact", "Additive")
	c.oneOf("spec.sortBy", string(spec.SortBy), "", "ClusterName", "Score")
	for i, configuration := range spec.PrioritizerPolicy.Configurations {
		field := fmt.Sprintf("spec.prioritizerPolicy.configurations[%d]", i)
		if configuration.Weight < -10 || configuration.Weight > 10 {
			c.refuse(field+".weight", fmt.Sprintf("must be between -10 and 10, is %d", configuration.Weight), "")
		}
		if coordinate := configuration.ScoreCoordinate; coordinate != nil {
			c.oneOf(field+".scoreCoordinate.type", coordinate.Type, "BuiltIn", "AddOn")
		}
	}
	return c.result()
}
