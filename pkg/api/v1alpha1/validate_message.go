package v1alpha1

import (
	"regexp"
	"strings"
	"text/template"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"

	"github.com/policyloom/policyloom/pkg/diag"
)

var (
	hubTemplate     = regexp.MustCompile(`(?s)\{\{hub.*?hub\}\}`)
	unknownFunction = regexp.MustCompile(`function "([^"]*)" not defined`)
)

// message checks a custom message as the controller parses it: a Go template with the engine's functions of sprig. The hub
// resolves its own templates before.
func (v *validator) message(field, message string) {
	if message == "" {
		return
	}
	names := templates.AvailableSprigFunctions()
	functions := template.FuncMap{}
	for _, name := range names {
		functions[name] = func(...any) string { return "" }
	}
	_, err := template.New("message").Funcs(functions).Parse(hubTemplate.ReplaceAllString(message, "hub"))
	if err == nil {
		return
	}
	hint := ""
	if match := unknownFunction.FindStringSubmatch(err.Error()); match != nil {
		hint = diag.DidYouMean(match[1], names)
	}
	v.error(field, "not a valid template: "+strings.TrimPrefix(err.Error(), "template: message:"), hint)
}
