package render

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

func TestNoValues(t *testing.T) {
	t.Parallel()
	objects := func(data map[string]any) []evaluate.Object {
		object := &unstructured.Unstructured{Object: map[string]any{"kind": "ConfigMap", "metadata": map[string]any{"name": "a"}, "data": data}}
		return []evaluate.Object{{Policy: "ns/p", Template: "ConfigurationPolicy t", Object: object}}
	}
	for want, data := range map[string]map[string]any{
		"":                               {"a": "no value", "b": []any{"<no", "value>", 1, nil}},
		"data.a":                         {"a": "x <no value> y"},
		"data.list[1].k":                 {"list": []any{"fine", map[string]any{"k": noValue}}},
		`data["a.b"]["c[0]"]`:            {"a.b": map[string]any{"c[0]": noValue}},
		`data["<no value>"]`:             {noValue: "fine"},
		"data.a, data.b, data.c, 2 more": {"a": noValue, "b": noValue, "c": noValue, "d": noValue, "e": noValue},
	} {
		findings := noValues(objects(data), func(evaluate.Object, string) diag.Position { return diag.Position{} })
		if want == "" {
			if len(findings) > 0 {
				t.Errorf("%v: %v", data, findings)
			}
			continue
		}
		text := `Policy ns/p: ConfigurationPolicy t: ConfigMap a: ` + want + `: holds "<no value>"`
		if len(findings) != 1 || !findings.HasErrors() || !strings.HasPrefix(findings[0].String(), text) {
			t.Errorf("got %v, want %s", findings, text)
		}
	}
}
