package render

import (
	"context"
	"runtime"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Transition is what becomes of a managed cluster when other policies take the place of those that it has.
type Transition struct {
	// Before and After are the results with each of them. What the change does to the cluster is in the evaluation of After.
	Before, After Cluster
}

// Compare lets each managed cluster of the fleet live with the policies of the input, until nothing changes, and then with others. The
// results come as those of Run do; all of the input counts but PoliciesOnly and Evaluate. The findings that belong to no cluster are
// those of each side.
func Compare(ctx context.Context, in Input, policies []manifest.Object, emit func(Transition) error) (before, after diag.Findings, err error) {
	in.Evaluate, in.PoliciesOnly, in.mayBeEmpty = true, false, true
	general, ofClusters := split(in)
	if general.HasErrors() {
		return general, general, nil
	}
	other := in
	other.Policies = policies
	first, before, err := prepare(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	second, after, err := prepare(ctx, other)
	if err != nil {
		return nil, nil, err
	}
	before, after = append(before, general...), append(after, general...)
	if first == nil || second == nil {
		return before, after, nil
	}
	first.found, second.found = ofClusters, ofClusters
	names, err := first.clusters(in.Clusters)
	if err != nil {
		return nil, nil, err
	}
	progress := in.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	done := 0
	progress(done, len(names))
	err = inOrder(ctx, runtime.GOMAXPROCS(0), names, func(name string) Transition { return transition(ctx, first, second, name) },
		func(t Transition) error {
			done++
			progress(done, len(names))
			return emit(t)
		})
	return before, after, err
}

// transition is that of one cluster.
func transition(ctx context.Context, first, second *chain, name string) Transition {
	fixtures := first.fixtures[name]
	loaded, findings := fixtures.Load(ctx)
	inMemory, found := cluster.New(loaded, cluster.MissingAPIs(fixtures.MissingAPIs...))
	findings = append(findings, found...)
	session := evaluate.NewSession(cluster.NewState(inMemory, first.clock), evaluate.Would())
	live := func(c *chain) Cluster {
		return c.resultOf(name, func(result *Cluster, templates []evaluate.Template) diag.Findings {
			if findings.HasErrors() || c.found[name].HasErrors() {
				return findings
			}
			objects, found := c.objects(templates, session.State().Cluster())
			result.Objects = append(result.Objects, objects...)
			all := append(findings[:len(findings):len(findings)], found...)
			evaluated, err := session.Evaluate(ctx, templates)
			if err != nil {
				return all
			}
			result.Evaluation = &evaluated
			if c.states {
				result.State = session.State().Cluster()
			}
			return append(all, unknownOf(evaluated.Findings, all)...)
		})
	}
	before := live(first)
	return Transition{Before: before, After: live(second)}
}
