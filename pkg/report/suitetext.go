package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/suite"
)

// textSuites prints in the manner of go test: a line for each test, and more only about what failed.
type textSuites struct {
	w io.Writer
	SuiteOptions
	tallied
}

func (p *textSuites) Write(r suite.Result) error {
	p.add(r)
	var b bytes.Buffer
	failed := 0
	for _, c := range r.Cases {
		if len(c.Failures) > 0 {
			failed++
		}
		p.testCase(&b, r, c)
	}
	for _, f := range r.Findings {
		if f.Severity == diag.Error {
			printFinding(&b, "    ", f)
		}
	}
	verdict := "ok  "
	count := countOf(len(r.Cases), "case")
	switch {
	case r.Findings.HasErrors():
		verdict, count = "FAIL", "could not run"
	case failed > 0:
		verdict, count = "FAIL", fmt.Sprintf("%d of %s failed", failed, count)
	}
	fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", verdict, diag.Printable(r.Suite), seconds(r.Duration), count)
	_, err := p.w.Write(b.Bytes())
	return err
}

func (p *textSuites) testCase(b *bytes.Buffer, r suite.Result, c suite.CaseResult) {
	name := diag.Printable(r.Suite + "/" + c.Name)
	switch {
	case len(c.Failures) > 0:
		fmt.Fprintf(b, "--- FAIL: %s (%s)\n", name, seconds(c.Duration))
	case len(c.Updated) > 0:
		fmt.Fprintf(b, "--- UPDATED: %s (%s)\n", name, seconds(c.Duration))
	case p.Verbose:
		fmt.Fprintf(b, "--- ok: %s (%s)\n", name, seconds(c.Duration))
	}
	for _, f := range c.Updated {
		printFailure(b, "updated: ", f)
	}
	for _, f := range c.Failures {
		printFailure(b, "", f)
	}
	if p.Verbose {
		for _, w := range c.Warnings {
			fmt.Fprintf(b, "    warning: %s\n", w)
		}
	}
}

func printFailure(b *bytes.Buffer, mark string, f suite.Failure) {
	fmt.Fprintf(b, "    %s%s\n", mark, failureLine(f))
	for line := range strings.Lines(f.Excerpt) {
		fmt.Fprintf(b, "        %s\n", diag.Printable(strings.TrimSuffix(line, "\n")))
	}
}

func printFinding(b *bytes.Buffer, indent string, f diag.Finding) {
	fmt.Fprintf(b, "%s%s\n", indent, f)
	for line := range strings.Lines(f.Excerpt) {
		fmt.Fprintf(b, "%s    %s\n", indent, strings.TrimSuffix(line, "\n"))
	}
}

// seconds gives a time as go test does.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

func (p *textSuites) Close(coverage *suite.Coverage) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, p.summary())
	if coverage != nil {
		printCoverage(&b, *coverage)
	}
	_, err := p.w.Write(b.Bytes())
	return err
}

func printCoverage(b *bytes.Buffer, c suite.Coverage) {
	fmt.Fprintln(b)
	for _, part := range []struct {
		name string
		of   suite.Covered
	}{{"policies", c.Policies}, {"policy templates", c.Templates}, {"clusters", c.Clusters}} {
		fmt.Fprintf(b, "coverage: %d of %d %s\n", part.of.All-len(part.of.Missed), part.of.All, part.name)
		for _, name := range part.of.Missed {
			fmt.Fprintf(b, "  no case looks at %s\n", diag.Printable(name))
		}
	}
}
