package templates_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/manifest"
	ours "github.com/policyloom/policyloom/templates"
)

// engineObjects are the machines of the corpus, and those that the corpus lacks.
func engineObjects(t *testing.T) []map[string]any {
	t.Helper()
	inputs, err := filepath.Glob("../testdata/vmi/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no cases", err)
	}
	definition := func(name string) map[string]any {
		return map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": name}}
	}
	unusual := whole()
	unusual["status"] = "text"
	objects := map[string]map[string]any{}
	for _, object := range []map[string]any{
		definition("virtualmachineinstances.kubevirt.io"), definition("virtualmachines.kubevirt.io"), definition("dnsendpoints.externaldns.k8s.io"),
		declared("shop/web", map[string]any{"vm.redhat-cop.dns-name": "true"}, map[string]any{"vm.redhat-cop.dns-name/lab": "lab.example.com"}),
		declared("shop/late", map[string]any{"vm.redhat-cop.dns-name": "true"}, nil), heldBy(published(ofNamespace("shop"), "web.example.com", "192.0.2.8"), `{"web.example.com":"web"}`),
		whole(), with(unusual, "metadata/name", "unusual"),
		published("zoo/left", "left.example.com", "192.0.2.9"), published("shop/web", "web.example.com", "192.0.2.9"),
		machine("shop/web", asked{"corp": "web.example.com,*.example.com.,a_b.example.com", "Net_A": "WEB.example.com"}, nic("corp"), nic("Net_A", "2001:DB8:0::5", "192.0.2.5/24")),
		machine("shop/two", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.6")),
		machine("shop/unnamed", nil, nic("default", "10.1.1.1"), nic("corp", "192.0.2.7"), map[string]any{"interfaceName": "cni0"}),
	} {
		objects[fmt.Sprint(object["kind"], keyOf(object))] = object
	}
	for _, input := range inputs {
		data, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range load(t, input, data) {
			if object.GetKind() == "VirtualMachineInstance" {
				objects[fmt.Sprint(object.GetKind(), keyOf(object.Object))] = object.Object
			}
		}
	}
	var list []map[string]any
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		list = append(list, objects[key])
	}
	return list
}

// The files that this test compares, or writes, are what the tests in test/engines read.
func TestPoliciesForOtherEngines(t *testing.T) {
	t.Parallel()
	const directory = "../testdata/engines"
	objects := engineObjects(t)
	golden(t, filepath.Join(directory, "objects.json"), pretty(t, objects))
	var cluster []manifest.Object
	for _, object := range decoded(t, objects...) {
		if !strings.HasPrefix(object.GetAPIVersion(), "apiextensions.k8s.io/") {
			cluster = append(cluster, object)
		}
	}
	specs := pairwise()
	for i, spec := range specs {
		place := filepath.Join(directory, fmt.Sprintf("%02d", i+1))
		if *update {
			if err := errors.Join(os.RemoveAll(place), os.MkdirAll(place, 0o750)); err != nil {
				t.Fatal(err)
			}
		}
		written, err := yaml.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join(place, "spec.yaml"), string(written))
		dns := resource(t, string(written))
		policies := generated(t, dns, "vm-dns")
		if *dns.Spec.Report {
			policies = append(policies, generated(t, dns, "vm-dns-report")...)
		}
		for _, policy := range policies {
			text, _, _ := unstructured.NestedString(policy.Object.Object, "spec", "object-templates-raw")
			_, rest, _ := strings.Cut(text, ours.SettingsBegin)
			settings, _, _ := strings.Cut(rest, ours.SettingsEnd)
			file := filepath.Join(place, policy.Object.GetName())
			golden(t, file+".txt", settings)
			entries := entriesOf(t, text, cluster)
			golden(t, file+".json", pretty(t, entries))
			rendered, findings := render(t, policy, cluster)
			if findings.HasErrors() || len(rendered) != len(entries) {
				t.Fatalf("%s: %d objects, the engine gives %d: %v", file, len(rendered), len(entries), findings)
			}
			for i, object := range rendered {
				// As numbers are in JSON.
				var want, got any
				if err := errors.Join(json.Unmarshal([]byte(pretty(t, entries[i]["objectDefinition"])), &want), json.Unmarshal([]byte(pretty(t, object.Object.Object)), &got)); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: object %d is %v, the engine gives %v", file, i, got, want)
				}
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(directory, "[0-9]*")); err != nil || len(left) != len(specs) {
		t.Errorf("%d directories for %d specs: %v", len(left), len(specs), err)
	}
}

func pretty(t *testing.T, value any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
