package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/diff"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// TestMarkdownFits keeps the comment within what a pull request takes however large the fleet is, with the worst first.
func TestMarkdownFits(t *testing.T) {
	t.Parallel()
	d := diff.Diff{Summary: diff.Summary{All: 3000, Changed: 2000}}
	for i := range 2000 {
		cluster := diff.Cluster{Name: fmt.Sprintf("c%d", i)}
		for j := range 200 {
			cluster.Objects = append(cluster.Objects, evaluate.Change{
				Verb: evaluate.Deleted, APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: fmt.Sprintf("object-%d-%s", j, strings.Repeat("x", 60)),
			})
		}
		cluster.Counts.Deleted = 200
		if i == 1234 {
			cluster.Name, cluster.Counts.Deleted = "the-worst", 201
		}
		d.Clusters = append(d.Clusters, cluster)
		d.Dangers = append(d.Dangers, diff.Danger{Cluster: cluster.Name, Kind: "ConfigMap", Deleted: 200, Before: 200})
	}
	var b strings.Builder
	if err := Diff(&b, "markdown", d); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if len(text) > 65_000 || strings.Count(text, "<details>") != strings.Count(text, "</details>") {
		t.Errorf("%d bytes, %d of %d parts are closed", len(text), strings.Count(text, "</details>"), strings.Count(text, "<details>"))
	}
	for _, want := range []string{"> **and 1980 more**\n", "2000 of 3000 clusters change", "There is no room here for 19"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.2000s", want, text)
		}
	}
	if first := strings.Index(text, "<summary>"); !strings.HasPrefix(text[first:], "<summary>cluster the-worst:") {
		t.Errorf("begins with %.60s", text[first:])
	}
}

func TestMarkdownTextIsNoMarkup(t *testing.T) {
	t.Parallel()
	hostile := "a</summary><script>alert(1)</script> **b** [c](d) `e` @all #1 \x1b[31m & | \\"
	got := markdownText(hostile)
	if strings.ContainsAny(got, "<>`*[]|\\@\x1b") {
		t.Error(got)
	}
}
