package crds

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	structuralpruning "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Schema does with the objects of one version of a custom kind what an API server does before it stores them.
type Schema struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	// rules are those in CEL, nil if there are none.
	rules *cel.Validator
	// HasStatus tells that the status is a resource of its own, which a write of the object leaves as it is.
	HasStatus bool
}

// NewSchema reads the schema of a version, or gives nil where the definition has none of that version.
func NewSchema(definition *apiextensionsv1.CustomResourceDefinition, version string) (*Schema, error) {
	for _, v := range definition.Spec.Versions {
		if v.Name != version || v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		internal := &apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, internal, nil); err != nil {
			return nil, fmt.Errorf("the schema of %s, version %s: %w", definition.Name, version, err)
		}
		structural, err := structuralschema.NewStructural(internal)
		if err != nil {
			return nil, fmt.Errorf("the schema of %s, version %s, is not structural: %w", definition.Name, version, err)
		}
		validator, _, err := validation.NewSchemaValidator(internal)
		if err != nil {
			return nil, fmt.Errorf("the schema of %s, version %s: %w", definition.Name, version, err)
		}
		rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
		return &Schema{structural: structural, validator: validator, rules: rules, HasStatus: v.Subresources != nil && v.Subresources.Status != nil}, nil
	}
	return nil, nil
}

// Prune removes the fields of an object that the schema does not have, and gives their paths.
func (s *Schema) Prune(object map[string]any) (unknown []string) {
	return structuralpruning.PruneWithOptions(object, s.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// Default sets the defaults of fields that an object leaves out.
func (s *Schema) Default(object map[string]any) {
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	structuraldefaulting.Default(object, s.structural)
}

// Validate gives what is wrong with an object. The old object is nil when it is created.
func (s *Schema) Validate(object, old map[string]any) field.ErrorList {
	var faults field.ErrorList
	if old == nil {
		faults = validation.ValidateCustomResource(nil, object, s.validator)
	} else {
		faults = validation.ValidateCustomResourceUpdate(nil, object, old, s.validator)
	}
	faults = append(faults, objectmeta.Validate(nil, object, s.structural, false)...)
	faults = append(faults, listtype.ValidateListSetsAndMaps(nil, s.structural, object)...)
	if s.rules == nil || slices.ContainsFunc(faults, blocksRules) {
		return faults
	}
	var before any
	if old != nil {
		before = old
	}
	broken, _ := s.rules.Validate(context.Background(), nil, s.structural, object, before, celconfig.RuntimeCELCostBudget)
	return append(faults, broken...)
}

// blocksRules tells whether an API server evaluates no rules because of a fault.
func blocksRules(fault *field.Error) bool {
	switch fault.Type {
	case field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}
