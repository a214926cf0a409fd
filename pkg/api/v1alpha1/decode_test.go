package v1alpha1

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubeyaml "sigs.k8s.io/yaml"
)

// TestDecodeAsKubernetes compares every valid document with what sigs.k8s.io/yaml makes of it.
func TestDecodeAsKubernetes(t *testing.T) {
	files, err := filepath.Glob("testdata/*/input.yaml")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range append(files, referenceYAML) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		resources, findings := Decode(file, data)
		if len(findings) > 0 || len(resources) != 1 || strings.HasPrefix(string(data), "---") {
			continue
		}
		var want VirtualMachineDNS
		if err := kubeyaml.UnmarshalStrict(data, &want); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		compared++
		if difference := cmp.Diff(asJSON(t, &want), asJSON(t, resources[0])); difference != "" {
			t.Errorf("%s (-kubernetes +ours):\n%s", file, difference)
		}
	}
	if compared < 50 {
		t.Errorf("only %d documents compared", compared)
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestDecodeScalarsAsKubernetes(t *testing.T) {
	tests := []struct{ scalar, message string }{
		{`web`, ""},
		{`"yes"`, ""},
		{`'1'`, ""},
		{`!!str 5`, ""},
		{`1.2.3`, ""},
		{`2024-01-01`, ""},
		{`0x`, ""},
		{`-`, "not valid YAML"},
		{`yes`, "the boolean yes"},
		{`Off`, "the boolean Off"},
		{`n`, "the boolean n"},
		{`true`, "the boolean true"},
		{`5`, "the number 5"},
		{`0x1f`, "the number 0x1f"},
		{`1_000`, "the number 1_000"},
		{`+1`, "the number +1"},
		{`1e3`, "the number 1e3"},
		{`.5`, "the number .5"},
		{`.nan`, "the number .nan"},
		{`!!bool "true"`, "the boolean true"},
		{`~`, "got nothing"},
		{`null`, "got nothing"},
		{``, "got nothing"},
		{`[a]`, "a list"},
		{`{a: b}`, "a map"},
	}
	for _, test := range tests {
		_, findings := Decode("", fmt.Appendf(nil,
			"apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nspec:\n  endpoint:\n    labels:\n      a: %s\n", test.scalar))
		if got := findings.Error(); test.message == "" && got != "" || !strings.Contains(got, test.message) {
			t.Errorf("%s: want %q, got %q", test.scalar, test.message, got)
		}
	}
}

func TestDecodeBoundsAliases(t *testing.T) {
	documents := map[string]string{
		"lists": "spec: {names: {allowedDomains: [&d {domain: a.example.com, namespaces: [" +
			strings.Repeat("x,", 2000) + "x]}" + strings.Repeat(", *d", 5000) + "]}}",
		"merges": "a: &m0 {x: 1}\n" + manyMerges(6) + "\nspec: *m6",
		"itself": "spec: &s {names: {limits: {<<: *s}}, <<: *s}",
	}
	for name, document := range documents {
		_, findings := Decode("f.yaml", []byte("apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: x}\n"+document+"\n"))
		if got := strings.Count(findings.Error(), "the document has more than 20000 values"); got != 1 {
			t.Errorf("%s: want the limit reported once, got %d times in %d findings", name, got, len(findings))
		}
	}
}

// manyMerges gives n maps, each of which merges the one before ten times.
func manyMerges(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "m%d: &m%d {<<: [%s]}\n", i, i, strings.Repeat(fmt.Sprintf("*m%d,", i-1), 10))
	}
	return b.String()
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*/input.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		resources, findings := Decode("f.yaml", data)
		again, same := Decode("f.yaml", data)
		if list(findings) != list(same) || len(resources) != len(again) {
			t.Fatalf("two results of one input:\n%s\n%s", list(findings), list(same))
		}
		for i, resource := range resources {
			resource.Default()
			defaulted := asJSON(t, resource)
			resource.Default()
			if asJSON(t, resource) != defaulted {
				t.Fatal("Default is not idempotent")
			}
			again[i].Default()
			if got, want := list(resource.Validate()), list(again[i].Validate()); got != want {
				t.Fatalf("two results of one input:\n%s\n%s", got, want)
			}
		}
	})
}
