package placement

import (
	"context"
	"fmt"

	"github.com/google/cel-go/cel"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	clusterlisters "open-cluster-management.io/api/client/cluster/listers/cluster/v1alpha1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	"open-cluster-management.io/ocm/pkg/placement/helpers"

	"k8s.io/client-go/tools/cache"

	"github.com/policyloom/policyloom/pkg/quiet"
)

// predicate is one entry of spec.predicates, taken apart so that each requirement can be judged alone.
type predicate struct {
	labels labels.Requirements
	claims labels.Requirements
	cel    []celExpression
}

type celExpression struct {
	text     string
	selector *helpers.CELSelector
}

// whyPredicate gives the failed requirements of the predicate that comes closest; none if a predicate matches.
func (e *explainer) whyPredicate(cluster *clusterv1.ManagedCluster) []Reason {
	e.predicatesOnce.Do(e.buildPredicates)
	var closest []Reason
	for i, p := range e.predicates {
		failed := p.failed(cluster)
		if len(failed) == 0 {
			return nil
		}
		if i == 0 || len(failed) < len(closest) {
			closest = failed
		}
	}
	return closest
}

// buildPredicates prepares all predicates. The engine has accepted them before, so what cannot be built here was
// reported as misconfigured and never asked about.
func (e *explainer) buildPredicates() {
	scores := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, score := range e.index.hub.scores {
		_ = scores.Add(score)
	}
	env, _ := helpers.NewEnv(clusterlisters.NewAddOnPlacementScoreLister(scores))
	for _, spec := range e.placement.Spec.Predicates {
		e.predicates = append(e.predicates, newPredicate(spec.RequiredClusterSelector, env))
	}
}

func newPredicate(selector clusterv1beta1.ClusterSelector, env *cel.Env) predicate {
	p := predicate{
		labels: requirements(&selector.LabelSelector),
		claims: requirements(&metav1.LabelSelector{MatchExpressions: selector.ClaimSelector.MatchExpressions}),
	}
	for _, text := range selector.CelSelector.CelExpressions {
		expression := celExpression{text: text, selector: helpers.NewCELSelector(env, []string{text}, nil)}
		expression.selector.Compile()
		p.cel = append(p.cel, expression)
	}
	return p
}

func requirements(selector *metav1.LabelSelector) labels.Requirements {
	built, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil
	}
	list, _ := built.Requirements()
	return list
}

func (p predicate) failed(cluster *clusterv1.ManagedCluster) []Reason {
	var reasons []Reason
	for _, r := range p.labels {
		if !r.Matches(labels.Set(cluster.Labels)) {
			reasons = append(reasons, whyRequirement("label", r, cluster.Labels))
		}
	}
	claims := helpers.GetClusterClaims(cluster)
	for _, r := range p.claims {
		if !r.Matches(labels.Set(claims)) {
			reasons = append(reasons, whyRequirement("cluster claim", r, claims))
		}
	}
	for _, expression := range p.cel {
		if ok, _ := expression.selector.Validate(quiet.Context(context.Background()), cluster); !ok {
			reasons = append(reasons, Reason{Kind: Predicate, Message: fmt.Sprintf("CEL expression is not true: %s", expression.text)})
		}
	}
	return reasons
}
