package v1alpha1

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

const (
	schemaJSON     = "../../../docs/reference/virtualmachinedns.schema.json"
	testSchemaJSON = "../../../docs/reference/policytest.schema.json"
)

// TestSchema compares the JSON schemas with what the types, their comments, values, ranges and defaults make of them.
func TestSchema(t *testing.T) {
	compareSchema(t, schemaJSON, VirtualMachineDNSKind, documented(t))
	compareSchema(t, testSchemaJSON, PolicyTestKind, documentedTest(t))
}

func compareSchema(t *testing.T, file, kind string, fields []docField) {
	schema := objectSchema(fields)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = kind
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		t.Fatal(err)
	}
	golden(t, file, b.String())
}

func objectSchema(fields []docField) map[string]any {
	properties := map[string]any{}
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	var required []string
	for _, f := range fields {
		properties[f.name] = fieldSchema(f)
		if f.required || f.path == "apiVersion" || f.path == "kind" {
			required = append(required, f.name)
		}
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

func fieldSchema(f docField) map[string]any {
	if f.path == "spec.policySets[].placement" {
		return map[string]any{"$ref": "#/properties/spec/properties/placement", "description": f.description}
	}
	schema := typeSchema(f.typ, f.path, f.fields)
	schema["description"] = f.description
	if f.fallback != "" && f.value == nil {
		schema["description"] = f.description + " Default: " + f.fallback + "."
	}
	switch text, _ := f.value.(string); {
	case f.path == "apiVersion" || f.path == "kind":
		schema["const"] = f.value
	case f.value != nil && !strings.Contains(text, "<"):
		schema["default"] = f.value
	case f.value != nil:
		schema["description"] = f.description + " Default: " + text + "."
	}
	return schema
}

func typeSchema(t reflect.Type, pattern string, fields []docField) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return typeSchema(t.Elem(), pattern, fields)
	case reflect.Struct:
		if t == reflect.TypeFor[AllowedDomain]() {
			return map[string]any{"oneOf": []any{map[string]any{"type": "string"}, objectSchema(fields)}}
		}
		return objectSchema(fields)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": typeSchema(t.Elem(), pattern+"[]", fields)}
	case reflect.Map:
		switch t.Elem().Kind() {
		case reflect.Interface:
			return map[string]any{"type": "object"}
		case reflect.Pointer:
			return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": []any{"string", "null"}}}
		}
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		schema := map[string]any{"type": "string"}
		if values := enumOf(pattern).all(); len(values) > 0 {
			schema["enum"] = values
		}
		return schema
	}
	schema := map[string]any{"type": "integer"}
	least, greatest := rangeOf(pattern)
	if least != math.MinInt64 {
		schema["minimum"] = least
	}
	if greatest != math.MaxInt64 {
		schema["maximum"] = greatest
	}
	return schema
}
