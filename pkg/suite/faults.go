package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

// errors compares the errors with those that are expected.
func (l *look) errors(place string) {
	found := slices.Clone(l.outcome.Findings)
	for _, c := range l.outcome.Clusters {
		found = append(found, c.Findings...)
	}
	matched := make([]bool, len(l.expected.Errors))
	for _, f := range found {
		if f.Severity != diag.Error {
			continue
		}
		expected := false
		for i, text := range l.expected.Errors {
			if l.test.patterns[text].MatchString(f.String()) {
				matched[i], expected = true, true
			}
		}
		if !expected {
			l.unexpected(place, f)
		}
	}
	for i, is := range matched {
		if !is {
			l.fail(fmt.Sprintf(".errors[%d]", i), "", "no error matches "+quoted(l.expected.Errors[i]), "")
		}
	}
}

// unexpected makes a failure of an error. It keeps the place of the error, which is where to look.
func (l *look) unexpected(place string, f diag.Finding) {
	for i, known := range l.result.Failures {
		if g := known.Finding; known.Step == l.step && g.Position == f.Position && g.Message == f.Message && g.Object == f.Object && g.Field == f.Field {
			l.result.Failures[i].Cluster = strings.TrimPrefix(g.Cluster+", "+f.Cluster, ", ")
			return
		}
	}
	if f.Position.File == "" {
		f.Position = l.test.at(place)
	}
	l.add(f)
}

func (l *look) warnings() {
	found := slices.Clone(l.outcome.Findings)
	for _, c := range l.outcome.Clusters {
		found = append(found, c.Findings...)
	}
	for i, text := range l.expected.Warnings {
		if !slices.ContainsFunc(found, func(f diag.Finding) bool {
			return f.Severity == diag.Warning && l.test.patterns[text].MatchString(f.String())
		}) {
			var details []string
			for _, f := range found {
				if f.Severity == diag.Warning {
					details = append(details, f.String())
				}
			}
			hint := ""
			if len(details) > 0 {
				details = append([]string{"the warnings are:"}, details...)
			}
			l.fail(fmt.Sprintf(".warnings[%d]", i), "", "no warning matches "+quoted(text), hint, details...)
		}
	}
}

// quoted puts a pattern into quotes as people write it.
func quoted(text string) string { return "`" + text + "`" }
