package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/diff"
)

// A comment of a pull request may have 65,536 characters.
const (
	longestComment = 60_000
	// longestCluster is what a single cluster may take, so that it does not hide all others.
	longestCluster = 12_000
)

// markdownDiff prints a comment for a pull request: what is dangerous and the numbers first, then a part to unfold for each cluster,
// those with the most deletions first, for as long as there is room.
func markdownDiff(out io.Writer, d diff.Diff) error {
	var b strings.Builder
	b.WriteString("### What the policies would change\n\n")
	for i, danger := range d.Dangers {
		if i == shownDangers {
			fmt.Fprintf(&b, "> **and %d more**\n", len(d.Dangers)-i)
			break
		}
		fmt.Fprintf(&b, "> **%s**\n", markdownText(dangerText(danger)))
	}
	if len(d.Dangers) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n\n", markdownText(diffSummary(d)))
	parts := []string{}
	clusters := slices.Clone(d.Clusters)
	slices.SortStableFunc(clusters, func(a, b diff.Cluster) int {
		return cmp.Or(cmp.Compare(b.Counts.Deleted, a.Counts.Deleted), cmp.Compare(len(b.Objects), len(a.Objects)), cmp.Compare(a.Name, b.Name))
	})
	for _, cluster := range clusters {
		title := fmt.Sprintf("cluster %s: %s", cluster.Name, countsText(cluster.Counts))
		parts = append(parts, folded(title, textOf(diff.Diff{Clusters: []diff.Cluster{cluster}})))
	}
	for _, zone := range d.Zones {
		counts := diff.Diff{Zones: d.Zones[:0:0]}
		counts.Zones = append(counts.Zones, zone)
		parts = append(parts, folded(fmt.Sprintf("zone %s: %s", zone.Name, countOf(len(zone.Changes), "change")), textOf(counts)))
	}
	for _, list := range []struct {
		title    string
		findings diag.Findings
	}{{"new finding", d.New}, {"solved finding", d.Solved}} {
		if len(list.findings) > 0 {
			var lines strings.Builder
			for _, f := range mergeClusters(list.findings) {
				fmt.Fprintf(&lines, "%s: %s\n", f.Severity, f)
			}
			parts = append(parts, folded(countOf(len(list.findings), list.title), lines.String()))
		}
	}
	writeParts(&b, parts, "policyloom diff")
	_, err := io.WriteString(out, b.String())
	return err
}

// shownDangers is how many are listed before the rest is counted.
const shownDangers = 20

// textOf gives the text of a part without its last line, which counts.
func textOf(d diff.Diff) string {
	var b strings.Builder
	// Nothing can go wrong with a string.
	_ = textDiff(&b, d)
	return withoutLastLine(b.String())
}

func withoutLastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return strings.TrimRight(text[:i], "\n") + "\n"
	}
	return ""
}

// writeParts adds parts for as long as there is room, and says how many there are more.
func writeParts(b *strings.Builder, parts []string, command string) {
	for i, part := range parts {
		if b.Len()+len(part) > longestComment {
			fmt.Fprintf(b, "There is no room here for %d more: `%s` shows them.\n", len(parts)-i, command)
			return
		}
		b.WriteString(part)
	}
}

// folded gives a part to unfold. The text is indented code, of which nothing is markup.
func folded(title, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", markdownText(title))
	for line := range strings.Lines(text) {
		if b.Len() > longestCluster {
			b.WriteString("    ...\n")
			break
		}
		b.WriteString("    " + line)
	}
	b.WriteString("\n</details>\n\n")
	return b.String()
}

// markdownText leaves nothing in a line that is markup: names come from files that others write.
func markdownText(text string) string {
	var b strings.Builder
	for _, r := range diag.Printable(text) {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_{}[]#|~!@$", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
