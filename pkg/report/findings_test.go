package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diag"
)

func TestFindingsWithOneCauseAreOne(t *testing.T) {
	t.Parallel()
	finding := func(severity diag.Severity, cluster, message string) diag.Finding {
		return diag.Finding{Severity: severity, Position: diag.Position{File: "p.yaml", Line: 3}, Cluster: cluster, Object: "Policy a/b", Message: message}
	}
	findings := diag.Findings{
		finding(diag.Error, "west", "broken"), finding(diag.Warning, "", "odd"), finding(diag.Error, "east", "broken"),
		finding(diag.Error, "east", "broken"), finding(diag.Info, "east", "by the way"), finding(diag.Warning, "east", "broken"),
	}
	for i := range 7 {
		findings = append(findings, finding(diag.Warning, fmt.Sprintf("c%d", i), "everywhere"))
	}
	want := `error: p.yaml:3: clusters east, west: Policy a/b: broken
warning: p.yaml:3: Policy a/b: odd
warning: p.yaml:3: cluster east: Policy a/b: broken
warning: p.yaml:3: clusters c0, c1, c2, c3, c4 and 2 more: Policy a/b: everywhere
`
	var text strings.Builder
	if err := Findings(&text, findings, false); err != nil || text.String() != want {
		t.Errorf("got\n%s(%v)\nwant\n%s", text.String(), err, want)
	}
	text.Reset()
	if err := Findings(&text, findings, true); err != nil || !strings.Contains(text.String(), "info: p.yaml:3: cluster east: Policy a/b: by the way\n") {
		t.Errorf("verbose: %s", text.String())
	}
}

// BenchmarkFindings groups the findings of a large fleet: one cause on every cluster, and one of its own on each.
func BenchmarkFindings(b *testing.B) {
	for _, clusters := range []int{1000, 10000} {
		var findings diag.Findings
		for i := range clusters {
			name := fmt.Sprintf("cluster-%d", i)
			findings = append(findings, diag.Finding{Cluster: name, Message: "everywhere"}, diag.Finding{Cluster: name, Message: name})
		}
		b.Run(fmt.Sprint(clusters), func(b *testing.B) {
			for b.Loop() {
				if merged := mergeClusters(findings); len(merged) != clusters+1 {
					b.Fatal(len(merged))
				}
			}
		})
	}
}
