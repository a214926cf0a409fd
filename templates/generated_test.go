package templates_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// generated gives the policy templates in the generated Policy of a name.
func generated(t testing.TB, dns *v1alpha1.VirtualMachineDNS, policy string) []evaluate.Template {
	t.Helper()
	objects, err := generate.Objects([]*v1alpha1.VirtualMachineDNS{dns})
	if err != nil {
		t.Fatal(err)
	}
	var list []evaluate.Template
	for _, object := range objects {
		if object.GetKind() != "Policy" || object.GetName() != policy {
			continue
		}
		templates, _, err := unstructured.NestedSlice(object.Object, "spec", "policy-templates")
		if err != nil {
			t.Fatal(err)
		}
		for _, template := range templates {
			entry, _ := template.(map[string]any)
			definition, _ := entry["objectDefinition"].(map[string]any)
			list = append(list, evaluate.Template{Object: manifest.Object{Unstructured: &unstructured.Unstructured{Object: definition}}, Observe: observe})
		}
	}
	if len(list) == 0 {
		t.Fatalf("no Policy %s", policy)
	}
	return list
}
