package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/propagate"
)

// noValue is what a template prints for a key or a field that does not exist. It is a valid string, so that no schema refuses it.
const noValue = "<no value>"

const (
	noValueMessage = `holds "` + noValue + `"`
	noValueHint    = "the template reads something that is not there: use if or default; --allow-no-value permits it"
)

// shownFields is how many fields of an object a finding names before it counts the rest.
const shownFields = 3

// noValues gives an error for each object that holds the text. The place is that of the first of its fields.
func noValues(objects []evaluate.Object, place func(object evaluate.Object, field string) diag.Position) diag.Findings {
	var findings diag.Findings
	for _, object := range objects {
		if !holdsNoValue(object.Object.Object) {
			continue
		}
		var fields []string
		walkStrings(object.Object.Object, nil, func(path []any, text string) {
			if strings.Contains(text, noValue) {
				fields = append(fields, written(path))
			}
		})
		if more := len(fields) - shownFields; more > 0 {
			fields = append(fields[:shownFields], fmt.Sprintf("%d more", more))
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: place(object, fields[0]), Object: object.Owner(),
			Field:   manifest.Reference(object.Object) + ": " + strings.Join(fields, ", "),
			Message: noValueMessage, Hint: noValueHint,
		})
	}
	return findings
}

// noValuesOnHub gives an error for each text of a replicated policy to which hub templates added one.
func (c *chain) noValuesOnHub(policies []propagate.Replicated) diag.Findings {
	var findings diag.Findings
	for _, replicated := range policies {
		root := c.roots[replicated.Root]
		for i, template := range replicated.Policy.Spec.PolicyTemplates {
			var definition map[string]any
			if err := json.Unmarshal(template.ObjectDefinition.Raw, &definition); err != nil {
				continue
			}
			walkStrings(definition, templatePath(i), func(path []any, text string) {
				before, _ := lookUp(root.Object, path).(string)
				if strings.Count(text, noValue) > strings.Count(before, noValue) {
					findings = append(findings, diag.Finding{
						Severity: diag.Error, Position: source{object: root}.place(written(path)), Object: "Policy " + replicated.Root.String(),
						Field: written(path), Message: noValueMessage, Hint: noValueHint,
					})
				}
			})
		}
	}
	return findings
}

// holdsNoValue tells whether the text is in any string of a value, keys included.
func holdsNoValue(value any) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, noValue)
	case map[string]any:
		for key, item := range value {
			if strings.Contains(key, noValue) || holdsNoValue(item) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, holdsNoValue)
	}
	return false
}

// walkStrings visits all strings in a value, keys included, in the order of keys and indexes.
func walkStrings(value any, path []any, visit func(path []any, text string)) {
	switch value := value.(type) {
	case string:
		visit(path, value)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			below := append(slices.Clip(path), key)
			visit(below, key)
			walkStrings(value[key], below, visit)
		}
	case []any:
		for i, item := range value {
			walkStrings(item, append(slices.Clip(path), i), visit)
		}
	}
}

// written gives a path as in spec.rules[0]["a.b"].
func written(path []any) string {
	var b strings.Builder
	for _, step := range path {
		key, isKey := step.(string)
		switch {
		case !isKey:
			fmt.Fprintf(&b, "[%v]", step)
		case key == "" || strings.ContainsAny(key, ".[]\"") || strings.Contains(key, noValue):
			fmt.Fprintf(&b, "[%q]", key)
		default:
			b.WriteString("." + key)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}
