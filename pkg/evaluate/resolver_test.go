package evaluate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// notRendered says why cases of the template-resolver are not compared, by a part of their names.
var notRendered = map[string]string{
	"_hub":                      "hub templates: the tests of pkg/propagate compare them with the propagator",
	"linting":                   "about the linter of the tool",
	"test_invalid":              "about how the tool refuses files that hold no policy",
	"test_policy-policy":        "a policy template without a kind, which a cluster does not take",
	"test_skip-policy":          "no policy, which the tool takes on request",
	"operator":                  "an OperatorPolicy: its controller is not simulated, and its templates are passed on",
	"test_object-templates-raw": "uses .ObjectName, which the tool sets by a flag; the controller gives object-templates-raw no such variable",
}

// What the template-resolver of the template engine makes of its cases, Render makes of them, too.
func TestTemplateResolverCases(t *testing.T) {
	t.Parallel()
	testdata := filepath.Join(evaluate.ModuleDirectory(t, "github.com/stolostron/go-template-utils/v7"), "cmd", "template-resolver", "testdata")
	entries, err := os.ReadDir(testdata)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	compared := 0
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "test_") {
			continue
		}
		if reason := reasonFor(entry.Name()); reason != "" {
			left[reason]++
			continue
		}
		compared++
		t.Run(entry.Name(), func(t *testing.T) {
			t.Parallel()
			compareResolved(t, testdata, entry.Name())
		})
	}
	if compared < 8 {
		t.Errorf("only %d cases are compared", compared)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d cases give the same objects. The others, and why they are not compared:\n\n", compared)
	var lines []string
	for reason, count := range left {
		lines = append(lines, fmt.Sprintf("* %d: %s\n", count, reason))
	}
	slices.Sort(lines)
	evaluate.Documented(t, "template-resolver", b.String()+strings.Join(lines, ""))
}

func reasonFor(name string) string {
	for _, part := range []string{"linting", "_hub", "test_invalid", "test_policy-policy", "test_skip-policy", "operator", "test_object-templates-raw"} {
		if strings.Contains(name, part) {
			return notRendered[part]
		}
	}
	return ""
}

func compareResolved(t *testing.T, testdata, name string) {
	t.Helper()
	fixtures := []manifest.Object{
		{Unstructured: parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: my-obj-namespace}}")},
		{Unstructured: parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: my-obj-name, namespace: my-obj-namespace, labels: {my-obj: x}}}")},
	}
	fsys := os.DirFS(testdata)
	for _, from := range []string{name + "/local_resources.yaml", "setup"} {
		if from != "setup" {
			if _, err := os.Stat(filepath.Join(testdata, from)); err != nil {
				continue
			}
		}
		objects, findings := manifest.LoadFS(fsys, from)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		for _, object := range objects {
			if object.GetKind() != "Namespace" && object.GetKind() != "ManagedCluster" && object.GetNamespace() == "" {
				object.SetNamespace("default")
			}
			fixtures = append(fixtures, object)
		}
	}
	on, findings := cluster.New(fixtures)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	inputs, findings := manifest.LoadFS(fsys, name+"/input.yaml")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	template := evaluate.Template{Object: inputs[0]}
	if template.Object.GetKind() == "Policy" {
		template = templatesOf(t, template.Object.Unstructured)[0]
	}
	objects, findings := evaluate.Render(template, on)
	want, err := os.ReadFile(filepath.Join(testdata, name, "output.yaml"))
	if err != nil {
		failure, err := os.ReadFile(filepath.Join(testdata, name, "error.txt"))
		if err != nil {
			t.Fatal(err)
		}
		last := strings.TrimSpace(string(failure))
		last = last[strings.LastIndex(last, ": ")+2:]
		if !findings.HasErrors() || !strings.Contains(findings.Error(), last) {
			t.Errorf("got %v, want %s", findings, last)
		}
		return
	}
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	got := make([]any, 0, len(objects))
	for _, object := range objects {
		got = append(got, object.Object.Object)
	}
	if diff := cmp.Diff(definitionsOf(t, want), got); diff != "" {
		t.Errorf("(-template-resolver +Render):\n%s", diff)
	}
}

// definitionsOf gives the object definitions of the ConfigurationPolicy that the template-resolver printed.
func definitionsOf(t *testing.T, text []byte) []any {
	t.Helper()
	policy := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &policy.Object); err != nil {
		t.Fatal(err)
	}
	if policy.GetKind() == "Policy" {
		policy = templatesOf(t, policy)[0].Object.Unstructured
	}
	templates, _, err := unstructured.NestedSlice(policy.Object, "spec", "object-templates")
	if err != nil {
		t.Fatal(err)
	}
	definitions := make([]any, 0, len(templates))
	for _, item := range templates {
		definitions = append(definitions, item.(map[string]any)["objectDefinition"])
	}
	return definitions
}
