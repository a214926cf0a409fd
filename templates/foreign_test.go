package templates_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// A text that ends as ours and changes what it looks up before that must not change it for others.
func TestForeignBeginningOfOurText(t *testing.T) {
	t.Parallel()
	const begin = `{{- range (lookup "kubevirt.io/v1" "VirtualMachineInstance" "" "").items }}{{ $_ := set .metadata "name" "changed" }}{{ end }}` + "\n"
	foreign := templateOf(t, resource(t, "{}"))
	text, _, _ := unstructured.NestedString(foreign.Object.Object, "spec", "object-templates-raw")
	if err := unstructured.SetNestedField(foreign.Object.Object, begin+text, "spec", "object-templates-raw"); err != nil {
		t.Fatal(err)
	}
	inMemory, findings := cluster.New(decoded(t, web("192.0.2.1")...))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if _, findings := evaluate.Render(foreign, inMemory); findings.HasErrors() {
		t.Fatal(findings)
	}
	other := evaluate.Template{Object: manifest.Object{Unstructured: foreign.Object.DeepCopy()}}
	const names = `{{- range (lookup "kubevirt.io/v1" "VirtualMachineInstance" "" "").items }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}', namespace: x}}
{{- end }}`
	if err := unstructured.SetNestedField(other.Object.Object, names, "spec", "object-templates-raw"); err != nil {
		t.Fatal(err)
	}
	objects, findings := evaluate.Render(other, inMemory)
	if got := show(t, objects, findings); !strings.Contains(got, "name: web\n") {
		t.Errorf("got\n%s", got)
	}
}
