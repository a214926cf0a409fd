package generate

import (
	"bytes"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
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

// untyped turns a typed object into what a person would write: without status and without the empty values that the types
// cannot leave out.
func untyped(typed any) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	delete(content, "status")
	switch content["kind"] {
	case "Placement":
		// The type writes its decision groups even where there are none.
		unstructured.RemoveNestedField(content, "spec", "decisionStrategy")
	case policyv1.PolicySetKind:
		// PolicyGenerator writes a description even where there is none.
		if _, found, _ := unstructured.NestedString(content, "spec", "description"); !found {
			return &unstructured.Unstructured{Object: content}, unstructured.SetNestedField(content, "", "spec", "description")
		}
	}
	dropEmpty(content)
	addValues(content)
	return &unstructured.Unstructured{Object: content}, nil
}

// addValues writes the empty list of values that PolicyGenerator writes in a namespaceSelector.
func addValues(content map[string]any) {
	list, _, _ := unstructured.NestedFieldNoCopy(content, "spec", "namespaceSelector", "matchExpressions")
	expressions, _ := list.([]any)
	for _, e := range expressions {
		if expression, isMap := e.(map[string]any); isMap && expression["values"] == nil {
			expression["values"] = []any{}
		}
	}
}

// dropEmpty removes nulls and empty maps. An empty labelSelector, which selects everything, says so by an empty list, as
// PolicyGenerator writes it.
func dropEmpty(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			dropEmpty(child)
			m, isMap := child.(map[string]any)
			switch isEmpty := child == nil || isMap && len(m) == 0; {
			case isEmpty && key == "labelSelector":
				value[key] = map[string]any{"matchExpressions": []any{}}
			case isEmpty:
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
	owners := map[string]string{}
	kept := make([]*unstructured.Unstructured, 0, len(all))
	var findings diag.Findings
	for _, object := range all {
		reference := manifest.Reference(object)
		first, found := seen[reference]
		switch {
		case !found:
			seen[reference] = object
			kept = append(kept, object)
			findings = append(findings, sharedTemplates(object, owners)...)
		case !reflect.DeepEqual(first.Object, object.Object):
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Object: reference,
				Message: "two resources generate different objects of this name",
				Hint:    "rename one of the resources, or give each a placement.name of its own",
			})
		}
	}
	if findings.HasErrors() {
		return nil, findings
	}
	return kept, nil
}

// sharedTemplates reports policy templates of a Policy that another one has under the same name: on a managed cluster they would
// be one object.
func sharedTemplates(policy *unstructured.Unstructured, owners map[string]string) diag.Findings {
	if policy.GetKind() != policyv1.Kind {
		return nil
	}
	var findings diag.Findings
	list, _, _ := unstructured.NestedSlice(policy.Object, "spec", "policy-templates")
	for _, item := range list {
		template, _ := item.(map[string]any)
		name, _, _ := unstructured.NestedString(template, "objectDefinition", "metadata", "name")
		if owner, taken := owners[name]; taken {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Object: manifest.Reference(policy),
				Message: fmt.Sprintf("makes a ConfigurationPolicy %s, as Policy %s does: on managed clusters the two would be one", name, owner),
				Hint:    "rename one of the resources",
			})
		}
		owners[name] = policy.GetNamespace() + "/" + policy.GetName()
	}
	return findings
}
