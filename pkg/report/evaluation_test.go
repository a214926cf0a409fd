package report

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// hostileEvaluation has names and values that try to end a line or to paint the terminal.
func hostileEvaluation() render.Cluster {
	secret := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s", "uid": "u"}, "data": map[string]any{"key": "aGlkZGVu"},
	}}
	return render.Cluster{Name: "ea\x1b[1mst", Evaluation: &evaluate.Evaluated{Policies: []evaluate.PolicyResult{{
		Policy: "p/q", Compliance: evaluate.NonCompliant, Templates: []evaluate.TemplateResult{{
			Template: "ConfigurationPolicy q", RemediationAction: "enforce", Compliance: evaluate.NonCompliant,
			Message: "NonCompliant; violation\nforged line \x1b[31m", StatusBytes: 2_000_000,
			Changes: []evaluate.Change{
				{Verb: evaluate.Created, Kind: "Secret", Namespace: "a", Name: "s", After: secret},
				{Verb: evaluate.Updated, Would: true, Kind: "ConfigMap", Name: "c", Fields: []evaluate.FieldChange{
					{Path: "data[\"a\nb\"]", Before: "x\n- forged", After: "\u202egnp"},
				}},
				{Verb: evaluate.Deleted, Kind: "ConfigMap", Name: "d", Cause: "its owner is gone"},
			},
			Related: []evaluate.Related{{Kind: "Pod", Namespace: "a", Name: "b", Diff: "-a: 1\n+a: \x1b[2m\n"}},
		}},
	}}}}
}

func TestEvaluationText(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	printer, err := NewEvaluations("text", &text)
	if err != nil {
		t.Fatal(err)
	}
	if err := printer.Write(hostileEvaluation()); err != nil {
		t.Fatal(err)
	}
	if err := printer.Close(nil); err != nil {
		t.Fatal(err)
	}
	want := `cluster ea\x1b[1mst
  Policy p/q: NonCompliant
    ConfigurationPolicy q (enforce): NonCompliant
      violation\nforged line \x1b[31m
      the status takes about 2000 KB of the 1572 KB that an API server stores
      created Secret a/s
        data: (not shown)
      would update ConfigMap c
        data["a\nb"]: "x\n- forged" -> "\u202egnp"
      deleted ConfigMap d (its owner is gone)
      diff of Pod a/b
        -a: 1
        +a: \x1b[2m
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}

// No format lets a value end its line or reach the terminal as it is.
func TestEvaluationIsPrintable(t *testing.T) {
	t.Parallel()
	for _, format := range EvaluationFormats {
		var text strings.Builder
		printer, err := NewEvaluations(format, &text)
		if err != nil {
			t.Fatal(err)
		}
		if err := printer.Write(hostileEvaluation()); err != nil {
			t.Fatal(err)
		}
		if err := printer.Close(nil); err != nil {
			t.Fatal(err)
		}
		if !isPrintable([]byte(text.String())) || strings.Contains(text.String(), "\nforged") {
			t.Errorf("%s: %q", format, text.String())
		}
	}
	if _, err := NewEvaluations("tabel", nil); err == nil || err.Error() != `unknown output format "tabel" for --evaluate (did you mean "table"?)` {
		t.Errorf("got %v", err)
	}
}
