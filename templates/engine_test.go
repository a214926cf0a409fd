package templates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"text/template"

	engine "github.com/stolostron/go-template-utils/v7/pkg/templates"
	"github.com/stolostron/kubernetes-dependency-watches/client"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

func templateText(t testing.TB, spec string) string {
	t.Helper()
	text, err := generate.Template(resource(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// entriesOf gives what the template engine alone makes of a text: the object templates, with all their fields.
func entriesOf(t testing.TB, text string, objects []manifest.Object) []map[string]any {
	t.Helper()
	entries, err := resolve(resolverOver(t, objects), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// resolverOver gives an engine that looks up the objects themselves, not copies.
func resolverOver(t testing.TB, objects []manifest.Object) *engine.TemplateResolver {
	t.Helper()
	inMemory, findings := cluster.New(objects)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	resolver, err := engine.NewResolverWithDynamicWatcher(inMemory.Watcher(cluster.SharedObjects()), engine.Config{SkipBatchManagement: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolver
}

func resolve(resolver *engine.TemplateResolver, text string, functions template.FuncMap) ([]map[string]any, error) {
	result, err := resolver.ResolveTemplate([]byte(text), nil, &engine.ResolveOptions{
		InputIsYAML:     true,
		CustomFunctions: functions,
		Watcher:         &client.ObjectIdentifier{Version: "v1", Kind: "ConfigMap", Namespace: "a", Name: "watcher"},
	})
	if err != nil {
		return nil, err
	}
	var entries []map[string]any
	return entries, json.Unmarshal(result.ResolvedJSON, &entries)
}

// unchecked resolves a text over objects that no cluster need accept: each look-up of a list gives all of the kind.
func unchecked(t testing.TB, resolver *engine.TemplateResolver, text string, objects ...map[string]any) ([]evaluate.Object, error) {
	t.Helper()
	entries, err := resolve(resolver, text, template.FuncMap{
		"lookup": func(_, kind, _, _ string, _ ...string) map[string]any {
			items := []any{}
			for _, object := range objects {
				if object["kind"] == kind {
					items = append(items, object)
				}
			}
			return map[string]any{"items": items}
		},
	})
	var rendered []evaluate.Object
	for _, entry := range entries {
		definition, _ := entry["objectDefinition"].(map[string]any)
		complianceType, _ := entry["complianceType"].(string)
		rendered = append(rendered, evaluate.Object{
			ComplianceType: complianceType, Object: decoded(t, definition)[0].Unstructured,
		})
	}
	return rendered, err
}

// The evaluation hands the template the objects of the cluster themselves, not copies, since it only changes what it has made.
func TestObjectsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("../testdata/vmi/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no cases", err)
	}
	leftovers := []map[string]any{
		published("shop/left", "x.example.com", "192.0.2.9"), published("shop/web-corp", "web.example.com", "192.0.2.9"), web()[0],
		machine("shop/two", asked{"corp": "two.example.com", "lab": "two.example.com"}, nic("corp", "192.0.2.1"), nic("lab", "192.0.2.2")),
	}
	for _, spec := range []string{
		"{}",
		"records: {whenNoAddress: Keep, skipLinkDown: true}",
		`{endpoint: {per: VirtualMachine, labels: {a: b}, annotations: {c: d}}, policy: {recordDiff: Log}, records: {whenNoAddress: Keep}}`,
		`{names: {convention: "{vm}-{interface}.example.com", allowWildcards: true}, source: {namespaces: {exclude: [x]}}}`,
	} {
		text := templateText(t, spec)
		for _, input := range inputs {
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			objects := append(load(t, input, data), decoded(t, leftovers...)...)
			var before []map[string]any
			for _, object := range objects {
				before = append(before, object.DeepCopy().Object)
			}
			entriesOf(t, text, objects)
			for i, object := range objects {
				if !reflect.DeepEqual(object.Object, before[i]) {
					t.Errorf("%s with %s: changed to\n%v\nfrom\n%v", input, spec, object.Object, before[i])
				}
			}
		}
	}
}
