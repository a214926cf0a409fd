package evaluate

import (
	"regexp"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"

	"github.com/policyloom/policyloom/pkg/diag"
)

// separator is a line that ends a YAML document.
var separator = regexp.MustCompile(`(?m)^(---|\.\.\.)([ \t].*)?\r?$`)

// checkDocuments reports an object-templates-raw that gives more than one YAML document: the engine reads the first and drops the
// others without a word, and what the policy created by them before is pruned.
func (r *renderer) checkDocuments(field, text string) {
	if !separator.MatchString(text) {
		return
	}
	resolved := text
	if templates.HasTemplate([]byte(text), "", true) {
		var ok bool
		if resolved, ok = r.resolvedText(text); !ok {
			// What it resolves to cannot be shown; the text itself says enough.
			resolved = text
		}
	}
	if !secondDocument(resolved) {
		return
	}
	finding := diag.Finding{
		Severity: diag.Error, Position: r.place(field), Object: r.name(), Field: field,
		Message: "a second YAML document begins here: the controller reads the first alone", Hint: "remove the line: all object templates are one list",
	}
	places := separator.FindAllStringIndex(text, -1)
	line := 1 + strings.Count(text[:places[len(places)-1][0]], "\n")
	if at, ok := r.line(field, line); ok {
		finding.Position = at
		finding.Excerpt = r.excerpt(field, text, line)
	}
	r.findings = append(r.findings, finding)
	r.refused = true
}

// secondDocument tells whether there is content after a separator that has content before it.
func secondDocument(text string) bool {
	content, ended := false, false
	for line := range strings.SplitSeq(text, "\n") {
		plain := strings.TrimSpace(line)
		switch {
		case separator.MatchString(line):
			ended = ended || content
		case plain != "" && !strings.HasPrefix(plain, "#"):
			if ended {
				return true
			}
			content = true
		}
	}
	return false
}
