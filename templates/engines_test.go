package templates_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// enginePolicies are the policies that test/engines renders with older engines. Between them they run every part of the template.
var enginePolicies = map[string]string{
	"defaults":     "{}",
	"keep":         "{records: {whenNoAddress: Keep, skipLinkDown: true}, endpoint: {per: VirtualMachine}, source: {namespaces: {include: [\"*\"], exclude: [x]}}}",
	"convention":   `{names: {convention: "{vm}.{namespace}.{domain}", domain: {default: example.com}, allowedDomains: [example.com]}, endpoint: {labels: {a: b}}}`,
	"by-interface": `{names: {convention: "{vm}-{interface}.example.org", allowWildcards: true}, records: {addresses: {include: [192.0.0.0/8, "2000::/3"]}}}`,
}

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
		definition("virtualmachineinstances.kubevirt.io"), definition("dnsendpoints.externaldns.k8s.io"), whole(), with(unusual, "metadata/name", "unusual"),
		published("zoo/left", "left.example.com", "192.0.2.9"), published("shop/web", "web.example.com", "192.0.2.9"),
		machine("shop/web", asked{"corp": "web.example.com,*.example.com.,a_b.example.com", "Net_A": "WEB.example.com"}, nic("corp"), nic("Net_A", "2001:DB8:0::5", "192.0.2.5/24")),
		machine("shop/two", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.6")),
		machine("shop/unnamed", nil, nic("default", "10.1.1.1"), nic("corp", "192.0.2.7"), map[string]any{"interfaceName": "cni0"}),
	} {
		objects[keyOf(object)] = object
	}
	for _, input := range inputs {
		data, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range load(t, input, data) {
			if object.GetKind() == "VirtualMachineInstance" {
				objects[keyOf(object.Object)] = object.Object
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
	for name, spec := range enginePolicies {
		text := templateText(t, spec)
		golden(t, filepath.Join(directory, name, "template.txt"), text+"\n")
		golden(t, filepath.Join(directory, name, "expected.json"), pretty(t, entriesOf(t, text, cluster)))
	}
}

func pretty(t *testing.T, value any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
