package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/diff"
)

// DiffFormats are the names that Diff knows.
var DiffFormats = []string{"text", "markdown", "json"}

// Diff prints what a change does, in a format, which is text where it has no name.
func Diff(w io.Writer, format string, d diff.Diff) error {
	switch format {
	case "text", "":
		return textDiff(w, d)
	case "markdown":
		return markdownDiff(w, d)
	case "json":
		text, err := jsonText(d, "", "  ")
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	default:
		return DiffFormat(format)
	}
}

// DiffFormat gives an error for a name that is none of DiffFormats.
func DiffFormat(format string) error {
	for _, known := range append(DiffFormats, "") {
		if format == known {
			return nil
		}
	}
	hint := diag.DidYouMean(format, DiffFormats)
	if hint == "" {
		hint = "one of " + strings.Join(DiffFormats, ", ")
	}
	return fmt.Errorf("unknown output format %q (%s)", format, hint)
}

// dangerText says what is lost where.
func dangerText(d diff.Danger) string {
	where := "cluster " + d.Cluster
	if d.Zone != "" {
		where = "zone " + d.Zone
	}
	if d.IsTotal() {
		return fmt.Sprintf("%s loses all of its %s", where, countOf(d.Before, d.Kind))
	}
	return fmt.Sprintf("%s loses %d of its %s, and has %d then", where, d.Deleted, countOf(d.Before, d.Kind), d.After)
}

// policyText says what becomes of a policy on a cluster.
func policyText(p diff.Policy) string {
	switch {
	case p.Before == "":
		return fmt.Sprintf("gets %s, which is %s", p.Policy, p.After)
	case p.After == "":
		return fmt.Sprintf("does not get %s any more", p.Policy)
	default:
		return fmt.Sprintf("%s is %s, was %s", p.Policy, p.After, p.Before)
	}
}

// diffSummary is the last line, and the first of a comment.
func diffSummary(d diff.Diff) string {
	switch {
	case d.IsEmpty() && len(d.Errors) > 0:
		return "No differences in what can be compared: there are errors on both sides."
	case d.IsEmpty():
		return "No differences."
	}
	s := d.Summary
	text := fmt.Sprintf("%d of %s change: objects %s", s.Changed, countOf(s.All, "cluster"), countsText(s.Objects))
	if s.Would > 0 {
		text += fmt.Sprintf(" (and %d that policies would change if they enforced)", s.Would)
	}
	if s.Records != (diff.Counts{}) {
		text += "; records " + countsText(s.Records)
	}
	if n := len(d.New); n > 0 {
		text += "; " + countOf(n, "new finding")
	}
	if n := len(d.Solved); n > 0 {
		text += "; " + countOf(n, "solved finding")
	}
	return text + "."
}

func countsText(c diff.Counts) string {
	return fmt.Sprintf("%d created, %d updated, %d deleted", c.Created, c.Updated, c.Deleted)
}
