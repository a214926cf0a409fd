package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/dnsplan"
)

// markdownPlan prints a comment for a pull request: the numbers, then a part to unfold for each zone, those with the most deletions first,
// and one for what is not as wanted, for as long as there is room.
func markdownPlan(out io.Writer, p dnsplan.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### What external-dns would change\n\n%s\n\n", markdownText(planSummary(p)))
	zones := slices.DeleteFunc(slices.Clone(p.Zones), func(z dnsplan.Zone) bool { return len(z.Changes) == 0 && len(z.Untouched) == 0 })
	slices.SortStableFunc(zones, func(a, b dnsplan.Zone) int {
		return cmp.Or(cmp.Compare(deletions(b), deletions(a)), cmp.Compare(a.Name, b.Name))
	})
	var parts []string
	for _, zone := range zones {
		title := fmt.Sprintf("zone %s: %s", zone.Name, countOf(len(zone.Changes), "change"))
		parts = append(parts, folded(title, planText(dnsplan.Plan{Zones: []dnsplan.Zone{zone}})))
	}
	if len(p.Unpublished) > 0 {
		parts = append(parts, folded(countOf(len(p.Unpublished), "record")+" not as wanted", planText(dnsplan.Plan{Unpublished: p.Unpublished})))
	}
	writeParts(&b, parts, "policyloom plan")
	_, err := io.WriteString(out, b.String())
	return err
}

func deletions(z dnsplan.Zone) int {
	count := 0
	for _, change := range z.Changes {
		if change.Action == dnsplan.Delete {
			count++
		}
	}
	return count
}

// planText is the text of a part without its last line, which counts.
func planText(p dnsplan.Plan) string {
	var b strings.Builder
	// Nothing can go wrong with a string.
	_ = textPlan(&b, p)
	return withoutLastLine(b.String())
}
