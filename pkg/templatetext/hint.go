package templatetext

import (
	"regexp"
	"strings"

	"github.com/policyloom/policyloom/pkg/acm"
	"github.com/policyloom/policyloom/pkg/diag"
)

var undefinedFunction = regexp.MustCompile(`function "(\w+)" not defined`)

// Hint says what to do about what text/template says of a template, or nothing.
func Hint(message string) string {
	switch {
	case strings.Contains(message, "index out of range"):
		return "the list is shorter than that, perhaps empty; test its length first, as in {{ if gt (len $list) 0 }}"
	case strings.Contains(message, "nil pointer evaluating"), strings.Contains(message, "index of untyped nil"):
		return "a field on the way is missing; test it with if, or use dig"
	case strings.Contains(message, "unexpected EOF"):
		return "an if, range, with or define has no end"
	case strings.Contains(message, "unexpected {{end}}"), strings.Contains(message, "unexpected {{hubend"):
		return "there is one end too many"
	case strings.Contains(message, "unterminated quoted string"), strings.Contains(message, "unterminated raw quoted string"):
		return "a quote is missing; inside a YAML string in double quotes, write strings of the template in back quotes"
	case strings.Contains(message, `unexpected "\\"`):
		return "inside a YAML string in double quotes, write strings of the template in back quotes"
	case strings.Contains(message, "undefined variable"):
		return "a variable is known only inside the if, range or with that declares it"
	case strings.Contains(message, "wrong number of args for lookup"):
		return `lookup takes apiVersion, kind, namespace and name, "" for all of them, as in lookup "v1" "Namespace" "" ""`
	case strings.Contains(message, `function "elseif" not defined`), strings.Contains(message, `function "elif" not defined`):
		return "write else if"
	case strings.Contains(message, "wrong number of args"), strings.Contains(message, "can't give argument to non-function"):
		return "put the call of a function that is an argument in parentheses"
	}
	if match := undefinedFunction.FindStringSubmatch(message); match != nil {
		return diag.DidYouMean(match[1], acm.Functions())
	}
	return ""
}

var control = regexp.MustCompile(`\{\{-?\s*(if|range|with|define|block|end)\b`)

// Unended gives the line of the last if, range, with, define or block of a template that has no end, or 0.
func Unended(text string) int {
	var open []int
	for _, match := range control.FindAllStringSubmatchIndex(text, -1) {
		if text[match[2]:match[3]] != "end" {
			open = append(open, 1+strings.Count(text[:match[0]], "\n"))
		} else if len(open) > 0 {
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
