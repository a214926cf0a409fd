package suite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// caseRun is a case that runs.
type caseRun struct {
	stage  *stage
	scene  *render.Scene
	world  *render.World
	test   *Test
	c      *v1alpha1.TestCase
	result CaseResult
	// step is the name of the step at hand.
	step    string
	touched *touched
	// updates are the expectations to rewrite, nil if that is not asked for.
	updates *updates
}

// run lets the case happen. The error is that of the context.
func (r *caseRun) run(ctx context.Context, field string) error {
	began := time.Now()
	defer func() { r.result.Duration = time.Since(began) }()
	r.world = r.scene.World()
	for i := range r.c.Given {
		if r.failed(r.do(fmt.Sprintf("%s.given[%d]", field, i), &r.c.Given[i])) {
			return nil
		}
	}
	if err := r.look(ctx, field, r.c.Expect); err != nil {
		return err
	}
	for i := range r.c.Steps {
		step := &r.c.Steps[i]
		r.step = step.Name
		at := fmt.Sprintf("%s.steps[%d]", field, i)
		for j := range step.Do {
			if r.failed(r.do(fmt.Sprintf("%s.do[%d]", at, j), &step.Do[j])) {
				// What comes after a change that did not happen says nothing.
				return nil
			}
		}
		if err := r.look(ctx, at, step.Expect); err != nil {
			return err
		}
	}
	return nil
}

// failed adds findings to the failures of the case.
func (r *caseRun) failed(findings diag.Findings) bool {
	for _, f := range findings {
		if f.Severity == diag.Error {
			r.add(f)
			continue
		}
		r.warn(f)
	}
	return findings.HasErrors()
}

// add adds a failure. That it is about this test goes without saying.
func (r *caseRun) add(f diag.Finding) {
	if f.Object == manifest.Reference(r.test.object.Unstructured) {
		f.Object = ""
	}
	r.result.Failures = append(r.result.Failures, Failure{r.step, f})
}

func (r *caseRun) warn(f diag.Finding) {
	if f.Severity != diag.Warning {
		return
	}
	for _, known := range r.result.Warnings {
		if known.String() == f.String() {
			return
		}
	}
	r.result.Warnings = append(r.result.Warnings, f)
}

// look lets the fleet settle, and compares.
func (r *caseRun) look(ctx context.Context, field string, expected *v1alpha1.Expectation) error {
	outcome, err := r.world.Settle(ctx)
	if err != nil {
		return err
	}
	if expected == nil {
		expected = &v1alpha1.Expectation{}
	}
	for _, f := range outcome.Findings {
		r.warn(f)
	}
	for _, c := range outcome.Clusters {
		for _, f := range c.Findings {
			r.warn(f)
		}
	}
	r.touched.note(outcome, expected, r)
	l := &look{caseRun: r, outcome: outcome, expected: expected, field: field + ".expect"}
	before := len(r.result.Failures)
	defer func() { r.inOrder(r.result.Failures[before:]) }()
	l.errors(field)
	l.warnings()
	l.selected()
	l.compliance()
	l.messages()
	l.objects()
	l.contains()
	l.absent()
	l.counts()
	return nil
}

// inOrder puts errors of the policies and fixtures first, and then what is not as expected in the order of the file.
func (r *caseRun) inOrder(failures []Failure) {
	slices.SortStableFunc(failures, func(a, b Failure) int {
		if own := a.File == r.test.File(); own != (b.File == r.test.File()) {
			return map[bool]int{false: -1, true: 1}[own]
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// look compares the outcome of a step with what is expected.
type look struct {
	*caseRun
	outcome  render.Outcome
	expected *v1alpha1.Expectation
	field    string
}

// fail adds a failure at the place of a field of the expectation.
func (l *look) fail(field, cluster, message, hint string, details ...string) {
	f := l.test.finding(l.field+field, message, hint)
	f.Cluster = cluster
	f.Excerpt = strings.Join(details, "\n")
	l.add(f)
}

// cluster gives the result of a cluster; ok is false if there is none.
func (l *look) cluster(name string) (render.Cluster, bool) {
	for _, c := range l.outcome.Clusters {
		if c.Name == name {
			return c, true
		}
	}
	return render.Cluster{}, false
}

// clusterOf gives the managed cluster that is meant: the one that is named, else that of the case, else the only one. Others than
// managed clusters may be meant, too.
func (r *caseRun) clusterOf(field, name string, others ...string) (string, *diag.Finding) {
	known := r.scene.Clusters()
	if name == "" {
		field, name = "", r.c.Cluster
	}
	if name == "" && len(known) == 1 {
		return known[0], nil
	}
	if name == "" {
		f := r.test.finding(field, "no cluster is named, and there is more than one", "name it here, or with cluster: of the case")
		f.Position = r.result.Position
		return "", &f
	}
	for _, other := range others {
		if name == other {
			return name, nil
		}
	}
	if _, found := r.world.Cluster(name); found {
		return name, nil
	}
	f := r.test.finding(field, fmt.Sprintf("there is no managed cluster %.60q", name), diag.DidYouMean(name, known))
	if field == "" {
		f.Position = r.result.Position
	}
	return "", &f
}
