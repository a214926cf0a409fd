package evaluate

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

var (
	// engineLine is how text/template begins an error: the name that the engine gives the template, the line, the column.
	engineLine = regexp.MustCompile(`^template: tmpl:(\d+)(?::(\d+))?: `)
	// executing repeats the name of the template and the action; it is of no use to a reader.
	executing = regexp.MustCompile(`^executing "tmpl" at (<.*>): `)
)

// templateError reports an error of the template engine: without the text of the template, which the engine repeats in full,
// and with the line in the user's file, or else in the template, where that is known. The text is object-templates-raw, or the
// JSON of an object definition; context is what its templates were given.
func (r *renderer) templateError(field, text string, isYAML bool, err error) {
	message := err.Error()
	for _, prefix := range []string{"failed to resolve the template ", "failed to parse the template JSON string "} {
		message = strings.TrimPrefix(message, prefix)
	}
	message = strings.TrimPrefix(message, text+": ")
	finding := diag.Finding{Severity: diag.Error, Position: r.place(field), Object: r.name(), Hint: r.templateHint(err, message, text)}
	if match := engineLine.FindStringSubmatch(message); match != nil {
		isExecution := executing.MatchString(strings.TrimPrefix(message, match[0]))
		message = executing.ReplaceAllString(strings.TrimPrefix(message, match[0]), "$1: ")
		line, _ := strconv.Atoi(match[1])
		column, _ := strconv.Atoi(match[2])
		if isYAML {
			line = templatetext.Line(text, line, column)
			if at := templatetext.Unended(text); at > 0 && strings.Contains(message, "unexpected EOF") {
				line = at
			}
			finding.Excerpt = r.excerpt(field, text, line)
			if isExecution {
				finding.Excerpt = joinLines(finding.Excerpt, r.where(text, nil))
			}
		} else {
			inside, lineInside := templatetext.Field([]byte(text), line, column)
			if unclosed, found := templatetext.Unclosed([]byte(text)); found && !isExecution {
				if unclosed != inside {
					lineInside = 0
				}
				inside = unclosed
			}
			if line = lineInside; inside != "" {
				field += "." + inside
				finding.Position = r.place(field)
				leaf := templatetext.TextAt([]byte(text), inside)
				finding.Excerpt = r.excerpt(field, leaf, max(line, 1))
			}
		}
		if at, ok := r.line(field, line); ok {
			finding.Position = at
		} else if line > 0 {
			message = fmt.Sprintf("line %d: %s", line, message)
		}
	}
	finding.Field, finding.Message = field, message
	r.findings = append(r.findings, finding)
}

func (r *renderer) line(field string, line int) (diag.Position, bool) {
	if r.template.Line == nil || line == 0 {
		return diag.Position{}, false
	}
	return r.template.Line(field, line)
}

// excerpt shows a line of the text of a field and those around it, with the lines of the user's file where they are known.
// What the hub put in is not shown if it may come from a Secret.
func (r *renderer) excerpt(field, text string, line int) string {
	if r.template.Written != nil && strings.Contains(r.template.Written(field), "Secret") {
		return ""
	}
	isLong := strings.Contains(strings.TrimSuffix(text, "\n"), "\n")
	return templatetext.Excerpt(text, line, func(line int) int {
		if at, ok := r.line(field, line); ok {
			return at.Line
		}
		if !isLong {
			return r.place(field).Line
		}
		return 0
	})
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// lookedUp matches a look-up that names the kind in quotes.
var lookedUp = regexp.MustCompile(`lookup "([^"]*)" "([^"]*)"`)

// templateHint says what to do about the faults that people meet most.
func (r *renderer) templateHint(err error, message, text string) string {
	switch {
	case errors.Is(err, templates.ErrMissingAPIResource):
		if match := lookedUp.FindStringSubmatch(message); match != nil {
			if meant := r.cluster.Meant(schema.FromAPIVersionAndKind(match[1], match[2])); meant != "" {
				return meant
			}
		}
		return `the cluster does not serve that API; guard the look-up with {{ if lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "<plural>.<group>" }}`
	case errors.Is(err, templates.ErrDenylistedFunctionUsed):
		return "the function needs a network or the environment, which do not exist offline"
	case strings.Contains(text, "{{hub"):
		return "hub templates are resolved by the hub: in a Policy, and not in what it looks up"
	}
	return templatetext.Hint(message)
}
