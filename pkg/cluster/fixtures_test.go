package cluster

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var vmiKind = schema.GroupVersionKind{Group: "kubevirt.io", Version: "v1", Kind: "VirtualMachineInstance"}

// objectsOf reads the documents of a YAML text. The position of each is its document number as a line.
func objectsOf(t testing.TB, text string) []manifest.Object {
	t.Helper()
	var objects []manifest.Object
	for i, document := range strings.Split(text, "\n---\n") {
		json, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(json, &object.Object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, manifest.Object{
			Unstructured: object, Position: diag.Position{File: "fleet.yaml", Line: i + 1},
		})
	}
	return objects
}

// clusterOf builds a cluster of a YAML text that has no findings.
func clusterOf(t testing.TB, text string, options ...Option) *Cluster {
	t.Helper()
	c, findings := New(objectsOf(t, text), options...)
	if len(findings) > 0 {
		t.Fatalf("unexpected findings:\n%s", findings.Error())
	}
	return c
}

func sampleText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names gives "namespace/name" of objects, in their order.
func names(objects []manifest.Object) string {
	var list []string
	for _, object := range objects {
		list = append(list, strings.TrimPrefix(object.GetNamespace()+"/"+object.GetName(), "/"))
	}
	return strings.Join(list, " ")
}

func equal(a, b map[string]any) bool { return reflect.DeepEqual(a, b) }
