package render

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// World is a fleet that lives: its hub and its clusters change, and the policies follow. It is not safe for concurrent use.
type World struct {
	scene *Scene
	now   time.Time
	// policies and hub are what the hub has.
	policies, hub []manifest.Object
	lives         map[string]*life
	// chain is what the hub makes of it, nil if nothing can be rendered; stale tells that the hub has changed since.
	chain   *chain
	general diag.Findings
	stale   bool
}

// life is a managed cluster in a world.
type life struct {
	session  *evaluate.Session
	findings diag.Findings
}

// Outcome is what a world is like when nothing changes any more.
type Outcome struct {
	// Clusters are the results of all managed clusters, by name.
	Clusters []Cluster
	// Findings belong to no cluster.
	Findings diag.Findings
}

// Now is the time in the world.
func (w *World) Now() time.Time { return w.now }

// Advance lets time go by.
func (w *World) Advance(by time.Duration) {
	w.now = w.now.Add(by)
	// Tolerations may have ended.
	w.stale = true
}

// Cluster is a managed cluster as it is, to change it. ok is false if there is none of that name. The findings of its fixtures are in
// the outcome.
func (w *World) Cluster(name string) (state *cluster.State, ok bool) {
	l := w.life(name)
	if l == nil {
		return nil, false
	}
	return l.session.State(), true
}

func (w *World) life(name string) *life {
	if l := w.lives[name]; l != nil {
		return l
	}
	fixtures, found := w.fixtures(name)
	if !found {
		return nil
	}
	l := &life{}
	var start *cluster.Cluster
	if b := w.scene.bases[name]; b != nil {
		start, l.findings = b.load()
	} else {
		start, l.findings = cluster.New(nil)
	}
	state := cluster.NewState(start, w.Now)
	if len(fixtures.MissingAPIs) > 0 {
		// What is wrong with the names is in the findings already.
		state.SetMissingAPIs(fixtures.MissingAPIs...)
	}
	l.session = evaluate.NewSession(state, evaluate.Would())
	w.lives[name] = l
	return l
}

func (w *World) fixtures(name string) (*fleet.Cluster, bool) {
	if w.chain != nil && !w.stale {
		fixtures, found := w.chain.fixtures[name]
		return fixtures, found
	}
	for _, fixtures := range w.fleet().Clusters {
		if fixtures.Name == name {
			return fixtures, true
		}
	}
	return nil, false
}

func (w *World) fleet() *fleet.Fleet { return w.scene.in.Fleet.With(w.hub) }

// HubObject gives an object of the hub, policies included.
func (w *World) HubObject(like manifest.Object) (manifest.Object, bool) {
	for _, list := range [][]manifest.Object{w.policies, w.hub} {
		if i := indexOf(list, like); i >= 0 {
			return list[i], true
		}
	}
	return manifest.Object{}, false
}

// HubObjects are all objects of the hub, policies included.
func (w *World) HubObjects() []manifest.Object { return append(slices.Clone(w.policies), w.hub...) }

// PutOnHub creates an object on the hub, or replaces the one that is there. A policy goes to the others of the test.
func (w *World) PutOnHub(object manifest.Object) {
	w.stale = true
	if i := indexOf(w.policies, object); i >= 0 {
		w.policies = replaced(w.policies, i, object)
		return
	}
	if i := indexOf(w.hub, object); i >= 0 {
		w.hub = replaced(w.hub, i, object)
		return
	}
	if isRootPolicy(object) || isPolicyTemplate(object) {
		w.policies = append(slices.Clone(w.policies), object)
		return
	}
	w.hub = append(slices.Clone(w.hub), object)
}

// RemoveFromHub deletes an object of the hub, and tells whether there was one.
func (w *World) RemoveFromHub(like manifest.Object) bool {
	found := false
	remove := func(list []manifest.Object) []manifest.Object {
		left := slices.DeleteFunc(slices.Clone(list), func(o manifest.Object) bool { return identity(o) == identity(like) })
		found = found || len(left) < len(list)
		return left
	}
	w.policies, w.hub = remove(w.policies), remove(w.hub)
	w.stale = w.stale || found
	return found
}

func indexOf(list []manifest.Object, like manifest.Object) int {
	return slices.IndexFunc(list, func(o manifest.Object) bool { return identity(o) == identity(like) })
}

func replaced(list []manifest.Object, i int, object manifest.Object) []manifest.Object {
	list = slices.Clone(list)
	list[i] = object
	return list
}

// Settle lets the hub and all clusters do their work until nothing changes any more. The error is that of the context.
func (w *World) Settle(ctx context.Context) (Outcome, error) {
	if w.stale {
		if err := w.decide(ctx); err != nil {
			return Outcome{}, err
		}
	}
	outcome := Outcome{Findings: w.general}
	if w.chain == nil {
		return outcome, ctx.Err()
	}
	for _, name := range slices.Sorted(maps.Keys(w.chain.fixtures)) {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		l := w.life(name)
		var failed error
		outcome.Clusters = append(outcome.Clusters, w.chain.resultOf(name, func(result *Cluster, templates []evaluate.Template) (findings diag.Findings) {
			findings, failed = w.evaluate(ctx, l, result, templates)
			return findings
		}))
		if failed != nil {
			return Outcome{}, failed
		}
	}
	return outcome, nil
}

// decide lets the hub look at its objects anew.
func (w *World) decide(ctx context.Context) error {
	in := w.scene.in
	in.Fleet, in.Policies, in.Now = w.fleet(), w.policies, w.now
	general, found := split(Input{Fleet: in.Fleet, FleetFindings: in.FleetFindings})
	w.stale = false
	in.mayBeEmpty = true
	if len(in.Policies) == 0 {
		// Without any policy left, those of the fixtures would count.
		in.Fleet = in.Fleet.With(slices.DeleteFunc(slices.Clone(in.Fleet.Hub), isRootPolicy))
	}
	chain, findings, err := prepare(ctx, in)
	if err != nil {
		return fmt.Errorf("deciding placements: %w", err)
	}
	w.chain, w.general = chain, append(general, findings...)
	if chain != nil {
		chain.found = found
	}
	return ctx.Err()
}

// evaluate lets a cluster follow its policies. The error is that of the context.
func (w *World) evaluate(ctx context.Context, l *life, result *Cluster, templates []evaluate.Template) (diag.Findings, error) {
	findings := slices.Clone(l.findings)
	if findings.HasErrors() {
		return findings, nil
	}
	objects, found := w.chain.objects(templates, l.session.State().Cluster())
	result.Objects = append(result.Objects, objects...)
	findings = append(findings, found...)
	evaluated, err := l.session.Evaluate(ctx, templates)
	if err != nil {
		return nil, err
	}
	result.Evaluation = &evaluated
	return append(findings, unknownOf(evaluated.Findings, findings)...), nil
}
