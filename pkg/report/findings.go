package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/policyloom/policyloom/pkg/diag"
)

// longestFinding is how many characters of a finding are printed, since it may quote anything.
const longestFinding = 3000

// shownClusters is how many clusters a finding names before it counts the rest.
const shownClusters = 5

// Findings prints a line for each finding: errors and warnings, and with verbose what is only good to know. What several
// clusters have in common is one finding that names them.
func Findings(w io.Writer, findings diag.Findings, verbose bool) error {
	lines := bufio.NewWriter(w)
	for _, f := range mergeClusters(findings) {
		if f.Severity == diag.Info && !verbose {
			continue
		}
		text := f.String()
		if utf8.RuneCountInString(text) > longestFinding {
			text = string([]rune(text)[:longestFinding]) + "…"
		}
		fmt.Fprintf(lines, "%s: %s\n", f.Severity, text)
		for line := range strings.Lines(f.Excerpt) {
			fmt.Fprintf(lines, "    %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return lines.Flush()
}

// mergeClusters joins findings that differ in nothing but the cluster and its excerpt, in the place of the first and with its
// excerpt.
func mergeClusters(findings diag.Findings) diag.Findings {
	index := map[diag.Finding]int{}
	var merged diag.Findings
	var clusters [][]string
	for _, f := range findings {
		name := f.Cluster
		f.Cluster = ""
		cause := f
		cause.Excerpt = ""
		at, seen := index[cause]
		if !seen {
			at = len(merged)
			index[cause] = at
			merged, clusters = append(merged, f), append(clusters, nil)
		}
		if name != "" {
			clusters[at] = append(clusters[at], name)
		}
	}
	for i := range merged {
		merged[i].Cluster = nameClustersShort(clusters[i])
	}
	return merged
}

func nameClustersShort(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) <= shownClusters {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shownClusters], ", "), len(names)-shownClusters)
}
