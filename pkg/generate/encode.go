package generate

import (
	"bytes"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	objects "github.com/policyloom/policyloom/pkg/manifest"
)

// stream writes the documents as YAML, each but the first after a separator.
func stream(documents []any) ([]byte, error) {
	var b bytes.Buffer
	for i, document := range documents {
		if i > 0 {
			b.WriteString("---\n")
		}
		text, err := yaml.Marshal(document)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}

// manifest turns a typed object into what a person would write: without status and without the empty values that the types
// cannot leave out.
func manifest(typed any) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	delete(content, "status")
	if content["kind"] == "Placement" {
		// The type writes its decision groups even where there are none.
		unstructured.RemoveNestedField(content, "spec", "decisionStrategy")
	}
	dropEmpty(content)
	return &unstructured.Unstructured{Object: content}, nil
}

// dropEmpty removes nulls and empty maps, except an empty labelSelector, which selects everything.
func dropEmpty(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			dropEmpty(child)
			if m, isMap := child.(map[string]any); child == nil || isMap && len(m) == 0 && key != "labelSelector" {
				delete(value, key)
			}
		}
	case []any:
		for _, child := range value {
			dropEmpty(child)
		}
	}
}

// unique drops repeated objects and reports different ones of the same kind and name.
func unique(all []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	seen := map[string]*unstructured.Unstructured{}
	kept := make([]*unstructured.Unstructured, 0, len(all))
	var findings diag.Findings
	for _, object := range all {
		reference := objects.Reference(object)
		first, found := seen[reference]
		switch {
		case !found:
			seen[reference] = object
			kept = append(kept, object)
		case !reflect.DeepEqual(first.Object, object.Object):
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Object: reference,
				Message: "two resources generate different objects of this name",
				Hint:    "rename one of the resources, or give each a placement.name of its own",
			})
		}
	}
	if findings.HasErrors() {
		return nil, fmt.Errorf("%w", findings)
	}
	return kept, nil
}
