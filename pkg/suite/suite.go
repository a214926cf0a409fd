// Package suite runs PolicyTests: it lets fleets of fixtures live with policies, step by step, and compares what becomes of them with
// what the cases expect.
package suite

import (
	"path"
	"path/filepath"
	"regexp"
	"time"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Test is a PolicyTest and the file that it is in.
type Test struct {
	v1alpha1.PolicyTest
	// object has the places of its fields.
	object manifest.Object
	// document is its place among the documents of the file, from 0.
	document int
	now      time.Time
	// patterns are the regular expressions in it.
	patterns map[string]*regexp.Regexp
}

// Name is what output calls the suite.
func (t *Test) Name() string { return t.Metadata.Name }

// File is the path of the file that the test is in.
func (t *Test) File() string { return t.object.File }

// CaseName is the name of a case as -run sees it.
func (t *Test) CaseName(c v1alpha1.TestCase) string { return t.Metadata.Name + "/" + c.Name }

// path gives the path of something that is named in the test.
func (t *Test) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return path.Join(path.Dir(filepath.ToSlash(t.object.File)), name)
}

func (t *Test) paths(names []string) []string {
	joined := make([]string, 0, len(names))
	for _, name := range names {
		joined = append(joined, t.path(name))
	}
	return joined
}

// at gives the place of a field.
func (t *Test) at(field string) diag.Position { return t.object.FieldPosition(pathOf(field)...) }

// Result is what became of the cases of a test.
type Result struct {
	Suite string
	File  string
	// Cases are those that ran, in their order.
	Cases []CaseResult
	// Findings say why there are no cases: the test itself is wrong, or what it names.
	Findings diag.Findings
	// Duration is the time that its cases took, added up.
	Duration time.Duration
}

// Failed tells whether anything is not as expected.
func (r Result) Failed() bool {
	if r.Findings.HasErrors() {
		return true
	}
	for _, c := range r.Cases {
		if len(c.Failures) > 0 {
			return true
		}
	}
	return false
}

// CaseResult is what became of a case.
type CaseResult struct {
	// Name is that of the case alone.
	Name string
	// Position is the place of the case.
	Position diag.Position
	// Steps are the names of its steps.
	Steps []string
	// Failures say what is not as expected; a case without any has passed.
	Failures []Failure
	// Warnings are what the engines warned of, at any step.
	Warnings diag.Findings
	// Updated are failures that were cured by rewriting what is expected.
	Updated  []Failure
	Duration time.Duration
}

// Failure is something that is not as expected. The finding's place is that of the expectation.
type Failure struct {
	// Step is the name of the step, empty for what holds before the first one.
	Step string
	diag.Finding
}
