package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/suite"
)

// junitSuites prints the XML that continuous integration reads.
type junitSuites struct {
	w      io.Writer
	report junitReport
}

type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr"`
	Line      int           `xml:"line,attr,omitempty"`
	Time      string        `xml:"time,attr"`
	Failure   *junitMessage `xml:"failure"`
	Error     *junitMessage `xml:"error"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

func (p *junitSuites) Write(r suite.Result) error {
	one := junitSuite{Name: printable(r.Suite), File: printable(r.File), Time: fmt.Sprintf("%.3f", r.Duration.Seconds())}
	if r.Findings.HasErrors() {
		one.Errors, one.Tests = 1, 1
		one.Cases = append(one.Cases, junitCase{
			Name: "set-up", ClassName: printable(r.Suite), File: printable(r.File), Time: "0.000",
			Error: &junitMessage{Message: "the suite could not run", Text: r.Findings.Error()},
		})
	}
	for _, c := range r.Cases {
		tested := junitCase{
			Name: printable(c.Name), ClassName: printable(r.Suite), File: printable(c.Position.File), Line: c.Position.Line,
			Time: fmt.Sprintf("%.3f", c.Duration.Seconds()),
		}
		one.Tests++
		if len(c.Failures) > 0 {
			one.Failures++
			var lines []string
			for _, f := range c.Failures {
				lines = append(lines, failureLine(f))
				for line := range strings.Lines(f.Excerpt) {
					lines = append(lines, "    "+printable(strings.TrimSuffix(line, "\n")))
				}
			}
			tested.Failure = &junitMessage{Message: failureLine(c.Failures[0]), Text: strings.Join(lines, "\n")}
		}
		one.Cases = append(one.Cases, tested)
	}
	p.report.Tests += one.Tests
	p.report.Failures += one.Failures
	p.report.Errors += one.Errors
	p.report.Suites = append(p.report.Suites, one)
	return nil
}

// printable leaves nothing that XML cannot hold.
func printable(text string) string { return diag.Printable(text) }

func (p *junitSuites) Close(*suite.Coverage) error {
	text, err := xml.MarshalIndent(p.report, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.w, "%s%s\n", xml.Header, text)
	return err
}
