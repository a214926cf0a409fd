package evaluate

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"

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
// and with the line in the user's file, or else in the template, where that is known. The text is object-templates-raw, or the JSON of an object
// definition.
func (r *renderer) templateError(field, text string, isYAML bool, err error) {
	message := err.Error()
	for _, prefix := range []string{"failed to resolve the template ", "failed to parse the template JSON string "} {
		message = strings.TrimPrefix(message, prefix)
	}
	message = strings.TrimPrefix(message, text+": ")
	finding := diag.Finding{Severity: diag.Error, Position: r.place(field), Object: r.name(), Hint: templateHint(err, message)}
	if match := engineLine.FindStringSubmatch(message); match != nil {
		message = executing.ReplaceAllString(strings.TrimPrefix(message, match[0]), "$1: ")
		line, _ := strconv.Atoi(match[1])
		column, _ := strconv.Atoi(match[2])
		if isYAML {
			line = templatetext.Line(text, line, column)
		} else {
			var inside string
			if inside, line = templatetext.Field([]byte(text), line, column); inside != "" {
				field += "." + inside
				finding.Position = r.place(field)
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

// templateHint says what to do about the faults that people meet most.
func templateHint(err error, message string) string {
	switch {
	case errors.Is(err, templates.ErrMissingAPIResource):
		return `the cluster does not serve that API; guard the look-up with {{ if lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "<plural>.<group>" }}`
	case errors.Is(err, templates.ErrDenylistedFunctionUsed):
		return "the function needs a network or the environment, which do not exist offline"
	case strings.Contains(message, `function "hub" not defined`):
		return "hub templates are resolved by the hub: in a Policy, and not in what it looks up"
	case strings.Contains(message, "index out of range"):
		return "the list is shorter than that; test its length first"
	case strings.Contains(message, "nil pointer evaluating"):
		return "a field on the way is missing; test it with if, or use dig"
	default:
		return ""
	}
}
