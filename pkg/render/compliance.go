package render

import (
	"context"
	"slices"
	"time"

	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// judge evaluates the policies of a cluster until nothing changes, if that is asked for.
func (c *chain) judge(ctx context.Context, on *cluster.Cluster, templates []evaluate.Template, result *Cluster) diag.Findings {
	if !c.evaluates {
		return nil
	}
	session := evaluate.NewSession(cluster.NewState(on, c.clock), evaluate.Would())
	evaluated, err := session.Evaluate(ctx, templates)
	if err != nil {
		return nil
	}
	result.Evaluation = &evaluated
	if c.states {
		result.State = session.State().Cluster()
	}
	return evaluated.Findings
}

// clock is that of the clusters: it stands still.
func (c *chain) clock() time.Time { return c.now }

// unknownOf leaves out the findings that are known already: rendering finds some of them, too.
func unknownOf(found, known diag.Findings) diag.Findings {
	var left diag.Findings
	for _, finding := range found {
		if !slices.ContainsFunc(known, func(k diag.Finding) bool { return k.String() == finding.String() }) {
			left = append(left, finding)
		}
	}
	return left
}

// dependenciesOf joins the dependencies of a policy and those of one of its templates.
func dependenciesOf(lists ...[]policiesv1.PolicyDependency) []evaluate.Dependency {
	var joined []evaluate.Dependency
	for _, list := range lists {
		for _, d := range list {
			joined = append(joined, evaluate.Dependency{
				GroupVersionKind: d.GroupVersionKind(), Namespace: d.Namespace, Name: d.Name, Compliance: string(d.Compliance),
			})
		}
	}
	return joined
}
