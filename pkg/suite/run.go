package suite

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"runtime"
	"sync"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Options say how tests are run.
type Options struct {
	// FS holds the files of the tests and what they name. Paths are given to it as they are.
	FS fs.FS
	// Filter, unless it is nil, leaves it at the cases whose name, as suite/case, it matches.
	Filter *regexp.Regexp
	// FailFast ends the run with the first case that fails.
	FailFast bool
	// Write, unless it is nil, rewrites what cases expect to what is, and writes the files.
	Write func(file string, data []byte) error
}

// Run runs the cases of the tests, several at once, and gives the result of each test to emit, in the order of the tests. A test
// without a case that the filter matches is left out. The error is that of emit, of Write or of the context.
func Run(ctx context.Context, tests []*Test, o Options, emit func(Result) error) (Coverage, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &runner{Options: o, stage: newStage(o.FS), touched: newTouched(), slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	var running []*running
	for _, t := range tests {
		if started := r.start(ctx, t); started != nil {
			running = append(running, started)
		}
	}
	// What waits for a slot starts in the order of the tests, so that the first results are there first. Nothing runs on when this
	// function ends.
	var all sync.WaitGroup
	defer func() { cancel(); all.Wait() }()
	all.Go(func() {
		for _, one := range running {
			for _, c := range one.cases {
				select {
				case r.slots <- struct{}{}:
				case <-ctx.Done():
					close(c.done)
					continue
				}
				all.Go(func() {
					defer func() { <-r.slots; close(c.done) }()
					r.run(ctx, one, c)
				})
			}
		}
	})
	for _, one := range running {
		result, err := r.collect(ctx, one)
		if err == nil {
			err = emit(result)
		}
		if err != nil {
			return Coverage{}, err
		}
		if o.FailFast && result.Failed() {
			break
		}
	}
	return r.touched.coverage(), nil
}

type runner struct {
	Options
	stage   *stage
	touched *touched
	slots   chan struct{}
}

// running is a test whose cases run.
type running struct {
	test    *Test
	cases   []*runningCase
	updates *updates
}

type runningCase struct {
	index    int
	result   CaseResult
	findings diag.Findings
	err      error
	done     chan struct{}
}

func (r *runner) start(_ context.Context, t *Test) *running {
	one := &running{test: t}
	if r.Write != nil {
		one.updates = &updates{}
	}
	for i, c := range t.Spec.Cases {
		if r.Filter == nil || r.Filter.MatchString(t.CaseName(c)) {
			one.cases = append(one.cases, &runningCase{index: i, done: make(chan struct{})})
		}
	}
	if len(one.cases) == 0 {
		return nil
	}
	return one
}

func (r *runner) run(ctx context.Context, one *running, c *runningCase) {
	scene, findings, err := r.stage.of(ctx, one.test)
	c.findings, c.err = findings, err
	if err != nil || findings.HasErrors() {
		return
	}
	r.touched.know(one.test, scene)
	field := fmt.Sprintf("spec.cases[%d]", c.index)
	run := &caseRun{
		stage: r.stage, scene: scene, test: one.test, c: &one.test.Spec.Cases[c.index], touched: r.touched, updates: one.updates,
		result: CaseResult{Name: one.test.Spec.Cases[c.index].Name, Position: one.test.at(field)},
	}
	for _, step := range run.c.Steps {
		run.result.Steps = append(run.result.Steps, step.Name)
	}
	c.err = run.run(ctx, field)
	c.result = run.result
}

// collect waits for the cases of a test. After a failure that ends the run, the later ones are left out.
func (r *runner) collect(ctx context.Context, one *running) (Result, error) {
	result := Result{Suite: one.test.Name(), File: one.test.File()}
	for _, c := range one.cases {
		<-c.done
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if c.err != nil {
			return Result{}, fmt.Errorf("%s: %w", one.test.File(), c.err)
		}
		if c.findings.HasErrors() {
			// All cases start from the same.
			result.Findings = c.findings
			return result, nil
		}
		result.Findings = c.findings
		result.Cases = append(result.Cases, c.result)
		result.Duration += c.result.Duration
		if r.FailFast && len(c.result.Failures) > 0 {
			break
		}
	}
	if one.updates == nil {
		return result, nil
	}
	left, err := one.updates.write(r.FS, one.test, r.Write)
	for i := range result.Cases {
		result.Cases[i].takeBack(left)
	}
	return result, err
}
