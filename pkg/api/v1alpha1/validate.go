package v1alpha1

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Validate gives everything that is wrong with a resource, before or after Default. Findings have the place of the field
// if the resource was decoded from a file. Fields that Decode already reported are left out, and if there are any, so are
// warnings, since what looks unset may only have been unreadable.
func (d *VirtualMachineDNS) Validate() diag.Findings {
	v := &validator{resource: d}
	v.scalars()
	v.name()
	v.output()
	v.report()
	v.machineAnnotations()
	v.origin(&d.Spec.Source)
	v.names(&d.Spec.Names)
	v.records(&d.Spec.Records)
	v.endpoint(&d.Spec.Endpoint)
	v.policy(&d.Spec.Policy)
	v.placement("spec.placement", &d.Spec.Placement, owner{
		name: d.Metadata.Name, field: "metadata.name", generates: d.IsPlaced() && d.Spec.Output != OutputTemplate,
	})
	v.policySets()
	v.findings.Sort()
	return v.findings
}

type validator struct {
	resource *VirtualMachineDNS
	findings diag.Findings
}

func (v *validator) error(field, message, hint string) {
	v.add(diag.Error, field, message, hint)
}

func (v *validator) warning(field, message, hint string) {
	v.add(diag.Warning, field, message, hint)
}

func (v *validator) add(severity diag.Severity, field, message, hint string) {
	if v.resource.isFaulty(field) || severity == diag.Warning && v.resource.hasFaults() {
		return
	}
	v.findings = append(v.findings, diag.Finding{
		Severity: severity, Position: v.resource.Position(field), Object: v.resource.Reference(),
		Field: field, Message: message, Hint: hint,
	})
}

// scalars checks every text and number that is set: characters, values and ranges.
func (v *validator) scalars() {
	visitScalars(reflect.ValueOf(v.resource).Elem(), "", "", func(path, pattern string, value reflect.Value) {
		if value.Kind() == reflect.String {
			v.characters(path, pattern, value.String())
			v.enum(path, pattern, value.String())
			return
		}
		number := value.Int()
		least, greatest := rangeOf(pattern)
		switch {
		case number >= least && number <= greatest:
		case greatest == math.MaxInt64:
			v.error(path, fmt.Sprintf("%d is out of range", number), fmt.Sprintf("%d or more", least))
		default:
			v.error(path, fmt.Sprintf("%d is out of range", number), fmt.Sprintf("%d to %d", least, greatest))
		}
	})
}

// characters refuses what no field may hold, since it could end a line or a string of the file that it is written to.
func (v *validator) characters(path, pattern, value string) {
	if !utf8.ValidString(value) {
		v.error(path, "the text is not valid UTF-8", "")
		return
	}
	for _, r := range value {
		if (r == '\n' || r == '\t') && isProse(pattern) {
			continue
		}
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			v.error(path, fmt.Sprintf("the text holds the control character %U", r), "remove it")
			return
		}
	}
}

// isProse tells whether a field holds text of several lines that never becomes part of the template.
func isProse(pattern string) bool {
	return slices.Contains([]string{
		"metadata.annotations", "spec.policy.description", "spec.policy.policyAnnotations",
		"spec.policy.configurationPolicyAnnotations", "spec.policy.customMessage.compliant", "spec.policy.customMessage.noncompliant",
	}, pattern)
}

// enum checks the value of a field that has a list of values. Empty means not set, except in a list.
func (v *validator) enum(path, pattern, value string) {
	allowed := enumOf(pattern)
	inList := strings.HasSuffix(pattern, "[]") || strings.Contains(pattern, "matchExpressions")
	if len(allowed.values) == 0 || value == "" && !inList || slices.Contains(allowed.all(), value) {
		return
	}
	v.error(path, fmt.Sprintf("%q is not one of %s", shorten(value), strings.Join(allowed.values, ", ")),
		diag.DidYouMean(value, allowed.values))
}

// duplicates reports what a list holds twice.
func duplicates[T ~string](v *validator, field string, list []T) {
	for i, item := range list {
		if slices.Contains(list[:i], item) {
			v.error(index(field, i), fmt.Sprintf("%q is given twice", shorten(string(item))), "remove one of the two")
		}
	}
}

// index gives the path of an item of a list.
func index(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
