package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/suite"
)

// githubSuites prints what the text format has, and a workflow command for each failure, which GitHub shows beside the line.
type githubSuites struct{ text textSuites }

func (p *githubSuites) Write(r suite.Result) error {
	if err := p.text.Write(r); err != nil {
		return err
	}
	var b bytes.Buffer
	for _, f := range r.Findings {
		if f.Severity == diag.Error {
			annotate(&b, r.Suite, f, f.Message)
		}
	}
	for _, c := range r.Cases {
		for _, f := range c.Failures {
			message := f.Message
			if f.Step != "" {
				message = fmt.Sprintf("after %q: %s", f.Step, message)
			}
			annotate(&b, r.Suite+"/"+c.Name, f.Finding, message)
		}
	}
	_, err := p.text.w.Write(b.Bytes())
	return err
}

func (p *githubSuites) Close(coverage *suite.Coverage) error { return p.text.Close(coverage) }

var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotate prints a workflow command. Nothing in it can end it early or begin another one.
func annotate(b *bytes.Buffer, title string, f diag.Finding, message string) {
	if f.Cluster != "" {
		message = "cluster " + f.Cluster + ": " + message
	}
	if f.Hint != "" {
		message += " (" + f.Hint + ")"
	}
	var details []string
	for line := range strings.Lines(f.Excerpt) {
		details = append(details, diag.Printable(strings.TrimSuffix(line, "\n")))
	}
	text := strings.Join(append([]string{diag.Printable(message)}, details...), "\n")
	var properties []string
	if f.File != "" {
		properties = append(properties, "file="+escapeProperty.Replace(diag.Printable(f.File)))
	}
	if f.Line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d", f.Line))
	}
	properties = append(properties, "title="+escapeProperty.Replace(diag.Printable(title)))
	fmt.Fprintf(b, "::error %s::%s\n", strings.Join(properties, ","), escapeData.Replace(text))
}
