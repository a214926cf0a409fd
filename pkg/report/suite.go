package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/suite"
)

// SuiteFormats are the output formats for the results of tests.
var SuiteFormats = []string{"text", "json", "junit", "github"}

// Suites prints the results of tests.
type Suites interface {
	// Write takes the result of a test.
	Write(suite.Result) error
	// Close ends the output. The coverage is nil if nobody asked for it.
	Close(*suite.Coverage) error
}

// SuiteOptions say what is printed of results.
type SuiteOptions struct {
	// Verbose also prints the cases that passed.
	Verbose bool
}

// NewSuites gives the printer of a format.
func NewSuites(w io.Writer, format string, o SuiteOptions) (Suites, error) {
	switch format {
	case "", "text":
		return &textSuites{w: w, SuiteOptions: o}, nil
	case "json":
		return &jsonSuites{w: w}, nil
	case "junit":
		return &junitSuites{w: w}, nil
	case "github":
		return &githubSuites{text: textSuites{w: w, SuiteOptions: o}}, nil
	}
	hint := diag.DidYouMean(format, SuiteFormats)
	if hint == "" {
		hint = "known are " + strings.Join(SuiteFormats, ", ")
	}
	return nil, fmt.Errorf("unknown output format %q (%s)", format, hint)
}

// tallied counts cases.
type tallied struct{ passed, failed, broken, files int }

func (t *tallied) add(r suite.Result) {
	t.files++
	if r.Findings.HasErrors() {
		t.broken++
	}
	for _, c := range r.Cases {
		if len(c.Failures) > 0 {
			t.failed++
			continue
		}
		t.passed++
	}
}

// summary says in one line how it went.
func (t *tallied) summary() string {
	all := t.passed + t.failed
	switch {
	case all == 0 && t.broken == 0:
		return "no cases"
	case t.failed == 0 && t.broken == 0:
		return fmt.Sprintf("ok: %s", countOf(all, "case"))
	}
	text := fmt.Sprintf("FAIL: %d of %s", t.failed, countOf(all, "case"))
	if t.broken > 0 {
		text += fmt.Sprintf(", and %s could not run", countOf(t.broken, "suite"))
	}
	return text
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// failureLine gives a failure as a line: the place, the step, the cluster, and what is wrong.
func failureLine(f suite.Failure) string {
	text := f.Message
	if f.Object != "" {
		text = f.Object + ": " + text
	}
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	if f.Cluster != "" {
		text = "cluster " + f.Cluster + ": " + text
	}
	if f.Step != "" {
		text = "after " + fmt.Sprintf("%q", f.Step) + ": " + text
	}
	if place := f.Position.String(); place != "" {
		text = place + ": " + text
	}
	return diag.Printable(text)
}
