package evaluate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

// notYAML begins the engine's error about a template that resolves to a text which is no YAML.
const notYAML = "failed to convert the resolved template to JSON: "

var yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:line (\d+): )?`)

// invalidYAML reports an object-templates-raw that resolves to no YAML, with the lines around the one that the YAML parser
// stumbles over, and the line of the template that it comes from: mostly a trim marker glued two lines together, or a value
// needs quotes.
func (r *renderer) invalidYAML(field, text, message string) {
	finding := diag.Finding{Severity: diag.Error, Position: r.place(field), Object: r.name(), Field: field}
	defer func() { r.findings = append(r.findings, finding) }()
	match := yamlLine.FindStringSubmatch(message)
	message = strings.TrimPrefix(message, strings.Join(match[:min(len(match), 1)], ""))
	finding.Message, finding.Hint = "gives no YAML: "+message, yamlHint(message)
	if match == nil {
		return
	}
	line, err := strconv.Atoi(match[1])
	if err != nil {
		return
	}
	if !templates.HasTemplate([]byte(text), "", true) {
		finding.Excerpt = r.excerpt(field, text, line)
		if at, ok := r.line(field, line); ok {
			finding.Position = at
		}
		return
	}
	resolved, ok := r.resolvedText(text)
	if !ok {
		finding.Message += fmt.Sprintf(" (line %d of the resolved text)", line)
		return
	}
	finding.Excerpt = joinLines("resolved text:", templatetext.Excerpt(resolved, line, func(line int) int { return line }))
	if marked, ok := templatetext.Marked(text); ok {
		if resolved, ok := r.resolvedText(marked); ok {
			if lines := strings.Split(resolved, "\n"); line <= len(lines) {
				if at, ok := r.line(field, templatetext.MarkedLine(lines[line-1])); ok {
					finding.Position = at
				}
			}
		}
	}
}

// yamlHint says what mostly leads to an error of the YAML parser.
func yamlHint(message string) string {
	switch {
	case strings.Contains(message, "mapping values are not allowed"):
		return "a line is indented more than the one before, two lines are glued by a trim marker, {{- or -}}, or a value with a colon needs quotes"
	case strings.Contains(message, "block sequence entries are not allowed"):
		return "two lines are glued by a trim marker, {{- or -}}"
	case strings.Contains(message, "did not find expected"), strings.Contains(message, "could not find expected"):
		return "the indentation does not fit: look at the trim markers, {{- and -}}, around"
	case strings.Contains(message, "cannot start any token"):
		return "YAML is indented by blanks, not by tabs; a value that begins with @, %, ` or another special character needs quotes"
	case strings.Contains(message, "already set in map"):
		return "a field comes twice: a loop may repeat it without starting a new entry"
	case strings.Contains(message, "unknown anchor"), strings.Contains(message, "did not find expected alphabetic"):
		return "a value that begins with * or & needs quotes"
	case strings.Contains(message, "control characters"):
		return "data holds characters that YAML does not allow: print it with toRawJson"
	}
	return ""
}

// resolvedText gives the text that a template resolves to, whatever it is. The engine gives JSON only, so the template is put
// into a block scalar, which makes a string of the text unless values with line breaks leave the block. Nothing is shown of
// templates that may read Secrets.
func (r *renderer) resolvedText(text string) (string, bool) {
	if strings.Contains(text, "Secret") || r.template.Written != nil && strings.Contains(r.template.Written("spec.object-templates-raw"), "Secret") {
		return "", false
	}
	// A trim marker at the beginning of the template takes away what is before it up to the #.
	const before = "text: |2\n  #\n  "
	content, err := r.resolve([]byte(before+strings.ReplaceAll(text, "\n", "\n  ")), true, nil, nil)
	if err != nil {
		return "", false
	}
	var block map[string]string
	if err := json.Unmarshal(content, &block); err != nil {
		return "", false
	}
	resolved := strings.TrimPrefix(block["text"], "#")
	if !strings.HasPrefix(text, "{{-") {
		resolved = strings.TrimPrefix(resolved, "\n")
	}
	return resolved, true
}
