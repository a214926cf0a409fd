// Package crds holds the custom resource definitions of Open Cluster Management and checks objects against their schemas, as an
// API server does before it stores them.
package crds

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// The file is that of open-cluster-management.io/config-policy-controller, deploy/crds.
//
//go:embed configurationpolicies.yaml
var configurationPolicies []byte

// Problem is what an API server would refuse about a field.
type Problem struct {
	// Field is written as in spec.rules[0].name.
	Field, Message, Hint string
}

// ConfigurationPolicy gives what is wrong with the content of a ConfigurationPolicy: values that are none of an enumeration, of another
// form, out of range or missing. Wrong types and unknown fields are left to others.
func ConfigurationPolicy(content map[string]any) ([]Problem, error) {
	validator, err := configurationPolicyValidator()
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, fault := range validation.ValidateCustomResource(nil, content, validator) {
		if problem, ok := problemOf(fault); ok {
			problems = append(problems, problem)
		}
	}
	return problems, nil
}

// configurationPolicyValidator reads the definition when it is needed first.
var configurationPolicyValidator = sync.OnceValues(func() (validation.SchemaValidator, error) {
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(configurationPolicies, definition); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	schema := definition.Spec.Versions[0].Schema.OpenAPIV3Schema
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, internal, nil); err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	return validator, err
})

// spellings gives the values that a fault names. Of several spellings of one word it gives that in lower case, if there is one.
func spellings(detail string) []string {
	var values []string
	for _, match := range supported.FindAllStringSubmatch(detail, -1) {
		at := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, match[1]) })
		switch {
		case at < 0:
			values = append(values, match[1])
		case match[1] == strings.ToLower(match[1]):
			values[at] = match[1]
		}
	}
	return values
}

var supported = regexp.MustCompile(`"([^"]*)"`)

// problemOf words a fault; ok is false for those that others report better.
func problemOf(fault *field.Error) (problem Problem, ok bool) {
	problem.Field = fault.Field
	switch fault.Type {
	case field.ErrorTypeNotSupported:
		values := spellings(fault.Detail)
		problem.Message = fmt.Sprintf("%q is not one of %s", fmt.Sprint(fault.BadValue), strings.Join(values, ", "))
		problem.Hint = diag.DidYouMean(fmt.Sprint(fault.BadValue), values)
	case field.ErrorTypeRequired:
		problem.Message = "is missing"
	case field.ErrorTypeTypeInvalid:
		return Problem{}, false
	default:
		if strings.Contains(fault.Detail, "must validate one and only one schema") || strings.Contains(fault.Detail, "must validate at least one schema") {
			return Problem{}, false
		}
		problem.Message = fmt.Sprintf("%.80q is not valid: %s", fmt.Sprint(fault.BadValue), strings.TrimPrefix(fault.Detail, fault.Field+" "))
		if strings.HasPrefix(fault.Field, "spec.evaluationInterval.") {
			problem.Message = fmt.Sprintf("%.80q is not an interval", fmt.Sprint(fault.BadValue))
			problem.Hint = "a duration such as 1h25m3s, watch or never"
		}
	}
	return problem, true
}
