package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/diff"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// textDiff prints for people: what is dangerous, then what changes on each cluster, in DNS, and among the findings.
func textDiff(out io.Writer, d diff.Diff) error {
	w := bufio.NewWriter(out)
	for _, danger := range d.Dangers {
		fmt.Fprintf(w, "!! %s\n", diag.Printable(dangerText(danger)))
	}
	if len(d.Dangers) > 0 {
		fmt.Fprintln(w)
	}
	for _, cluster := range d.Clusters {
		fmt.Fprintf(w, "cluster %s\n", diag.Printable(cluster.Name))
		for _, policy := range cluster.Policies {
			fmt.Fprintf(w, "  %s\n", diag.Printable(policyText(policy)))
			for _, line := range policy.Why {
				fmt.Fprintf(w, "      %s\n", diag.Printable(line))
			}
		}
		for _, object := range cluster.Objects {
			w.Write(objectChange(object)) //nolint:errcheck // Flush says what went wrong.
		}
		fmt.Fprintln(w)
	}
	for _, zone := range d.Zones {
		fmt.Fprintf(w, "zone %s\n", diag.Printable(zone.Name))
		for _, change := range zone.Changes {
			printRecordChange(w, change)
		}
		fmt.Fprintln(w)
	}
	printFindingList(w, "new findings", d.New)
	printFindingList(w, "solved findings", d.Solved)
	fmt.Fprintln(w, diffSummary(d))
	return w.Flush()
}

// objectSigns mark what happens to objects as the signs of records do.
var objectSigns = map[evaluate.Verb]string{evaluate.Created: "+", evaluate.Deleted: "-"}

// objectChange gives the lines about an object.
func objectChange(c evaluate.Change) []byte {
	var b bytes.Buffer
	sign := objectSigns[c.Verb]
	if sign == "" {
		sign = "~"
	}
	b.WriteString("  " + sign + " ")
	var lines bytes.Buffer
	printChange(&lines, "", c)
	first := true
	for line := range bytes.Lines(lines.Bytes()) {
		if !first {
			b.WriteString("  ")
		}
		b.Write(line)
		first = false
	}
	return b.Bytes()
}

func printFindingList(w io.Writer, title string, findings diag.Findings) {
	merged := mergeClusters(findings)
	if len(merged) == 0 {
		return
	}
	fmt.Fprintln(w, title)
	for _, f := range merged {
		fmt.Fprintf(w, "  %s: %s\n", f.Severity, f)
	}
	fmt.Fprintln(w)
}
