package render

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/acm"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// checkFunctions reports the template functions of all policies that a release does not have.
func (c *chain) checkFunctions(release acm.Release) diag.Findings {
	var findings diag.Findings
	for _, root := range c.roots {
		list, _ := lookUp(root.Object, []any{"spec", "policy-templates"}).([]any)
		for i := range list {
			findings = append(findings, checkTemplate(root, templatePath(i), release)...)
		}
	}
	for _, object := range c.alone {
		findings = append(findings, checkTemplate(object, nil, release)...)
	}
	return findings
}

func checkTemplate(object manifest.Object, path []any, release acm.Release) diag.Findings {
	content, _ := lookUp(object.Object, path).(map[string]any)
	if content == nil {
		return nil
	}
	at := source{object: object, path: path, resolved: &unstructured.Unstructured{Object: content}}
	var findings diag.Findings
	walkStrings(content, nil, func(leaf []any, text string) {
		field := written(leaf)
		// The hub's templates come first; to the managed cluster what they give is text.
		managed := hubAction.ReplaceAllStringFunc(text, func(action string) string { return strings.Repeat("\n", strings.Count(action, "\n")) })
		calls := append(acm.Calls(text, "{{hub", "hub}}"), acm.Calls(managed, "{{", "}}")...)
		for i, call := range calls {
			since, known := acm.Since(call.Function)
			if !known || release.Has(call.Function) || slices.ContainsFunc(calls[:i], func(c acm.Call) bool { return c.Function == call.Function }) {
				continue
			}
			position, ok := at.line(field, call.Line)
			if !ok {
				position = at.place(field)
			}
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: position, Object: manifest.Reference(object.Unstructured), Field: written(slices.Concat(path, leaf)),
				Message: fmt.Sprintf("RHACM %s has no template function %s: it came with %s", release, call.Function, since),
			})
		}
	})
	return findings
}
