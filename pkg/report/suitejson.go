package report

import (
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/suite"
)

// jsonSuites prints one JSON object when all is done. It has no times, so that equal runs give equal bytes.
type jsonSuites struct {
	w      io.Writer
	output suiteOutput
	tallied
}

type suiteOutput struct {
	Passed   int             `json:"passed"`
	Failed   int             `json:"failed"`
	Suites   []suiteJSON     `json:"suites"`
	Coverage *suite.Coverage `json:"coverage,omitempty"`
}

type suiteJSON struct {
	Name     string        `json:"name"`
	File     string        `json:"file"`
	Cases    []caseJSON    `json:"cases"`
	Findings diag.Findings `json:"findings,omitempty"`
}

type caseJSON struct {
	Name     string        `json:"name"`
	Passed   bool          `json:"passed"`
	Position diag.Position `json:"position"`
	Failures []failureJSON `json:"failures,omitempty"`
	Updated  []failureJSON `json:"updated,omitempty"`
	Warnings diag.Findings `json:"warnings,omitempty"`
}

type failureJSON struct {
	Step string `json:"step,omitempty"`
	diag.Finding
}

func (p *jsonSuites) Write(r suite.Result) error {
	p.add(r)
	one := suiteJSON{Name: r.Suite, File: r.File, Cases: []caseJSON{}, Findings: r.Findings}
	for _, c := range r.Cases {
		one.Cases = append(one.Cases, caseJSON{
			Name: c.Name, Passed: len(c.Failures) == 0, Position: c.Position, Failures: failuresJSON(c.Failures),
			Updated: failuresJSON(c.Updated), Warnings: c.Warnings,
		})
	}
	p.output.Suites = append(p.output.Suites, one)
	return nil
}

func failuresJSON(failures []suite.Failure) []failureJSON {
	list := make([]failureJSON, 0, len(failures))
	for _, f := range failures {
		list = append(list, failureJSON(f))
	}
	return list
}

func (p *jsonSuites) Close(coverage *suite.Coverage) error {
	p.output.Passed, p.output.Failed, p.output.Coverage = p.passed, p.failed, coverage
	if p.output.Suites == nil {
		p.output.Suites = []suiteJSON{}
	}
	text, err := jsonText(p.output, "", "  ")
	if err != nil {
		return err
	}
	_, err = p.w.Write(append(text, '\n'))
	return err
}
