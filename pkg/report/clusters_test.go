package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/render"
)

func sample() []render.Cluster {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a", "namespace": "b"},
	}}
	return []render.Cluster{
		{Name: "east", Objects: []evaluate.Object{
			{Policy: "p/q", Template: "ConfigurationPolicy q", ComplianceType: "mustnothave", RemediationAction: "enforce", Object: object},
		}},
		{Name: "west", Objects: []evaluate.Object{}, NotPlaced: []render.NotPlaced{
			{Policy: "p/q", Reasons: []placement.Reason{{Message: "label a\tb: \x1b[1mwant " + strings.Repeat("x", 300), Hint: "look"}, {Message: "taint"}}},
		}},
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"yaml": `---
# cluster: east
# policy: p/q
# template: ConfigurationPolicy q, enforce mustnothave
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: b
`,
		"name": "east ConfigMap b/a mustnothave\n",
		"table": `CLUSTER   KIND        NAMESPACE   NAME   DETAIL
east      ConfigMap   b           a      must not be there

NOT SELECTED   POLICY   WHY
west           p/q      label a\tb: \x1b[1mwant ` + strings.Repeat("x", 300) + ` (look); taint
`,
	} {
		var text strings.Builder
		printAll(t, format, &text, sample(), nil)
		if text.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", format, text.String(), want)
		}
	}
}

func TestJSONIsValid(t *testing.T) {
	t.Parallel()
	general := diag.Findings{{Severity: diag.Error, Message: "a < b"}}
	for clusters := range 3 {
		for _, findings := range []diag.Findings{nil, general} {
			var text strings.Builder
			printAll(t, "json", &text, sample()[:clusters], findings)
			var back struct {
				Clusters []struct{ Name string }
				Findings []struct{ Message string }
			}
			if err := json.Unmarshal([]byte(text.String()), &back); err != nil || back.Clusters == nil ||
				len(back.Clusters) != clusters || len(back.Findings) != len(findings) {
				t.Errorf("%d clusters: %v\n%s", clusters, err, text.String())
			}
		}
	}
}

func TestNothingIsEmpty(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"yaml": "", "name": "", "table": "", "json": "{\n  \"clusters\": []\n}\n"} {
		var text strings.Builder
		printAll(t, format, &text, nil, nil)
		if text.String() != want {
			t.Errorf("%s: got %q", format, text.String())
		}
	}
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	for _, format := range ClusterFormats {
		printer, err := NewClusters(format, failing{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(printer.Write(sample()[0]), printer.Close(nil)); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", format, err)
		}
	}
	if err := Findings(failing{}, diag.Findings{{Severity: diag.Error}}, false); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func printAll(t *testing.T, format string, w *strings.Builder, clusters []render.Cluster, findings diag.Findings) {
	t.Helper()
	printer, err := NewClusters(format, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, cluster := range clusters {
		if err := printer.Write(cluster); err != nil {
			t.Fatal(err)
		}
	}
	if err := printer.Close(findings); err != nil {
		t.Fatal(err)
	}
}
