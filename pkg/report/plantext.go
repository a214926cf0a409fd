package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
)

// signs mark the actions, as other tools with plans do.
var signs = map[dnsplan.Action]string{dnsplan.Create: "+", dnsplan.Update: "~", dnsplan.Delete: "-", dnsplan.Unsettled: "!"}

// textPlan prints for people: per zone what happens to each record, then the wanted records that are not there, then a line of
// numbers.
func textPlan(out io.Writer, p dnsplan.Plan) error {
	w := bufio.NewWriter(out)
	for _, zone := range p.Zones {
		if len(zone.Changes) == 0 && len(zone.Untouched) == 0 {
			continue
		}
		assumed := ""
		if zone.Assumed {
			assumed = " (assumed to be empty)"
		}
		fmt.Fprintf(w, "zone %s%s\n", diag.Printable(zone.Name), assumed)
		for _, change := range zone.Changes {
			printRecordChange(w, change)
		}
		for _, record := range zone.Untouched {
			fmt.Fprintf(w, "  = keep    %s  %s\n", recordName(record.Name, record.Type, record.SetIdentifier), content(&record.Content))
			printOwner(w, record.Owner, record.Resource)
		}
		fmt.Fprintln(w)
	}
	if len(p.Unpublished) > 0 {
		fmt.Fprintln(w, "not as wanted")
		for _, u := range p.Unpublished {
			wanted := strings.TrimRight(recordName(u.Name, u.Type, "")+"  "+diag.Printable(strings.Join(u.Targets, " ")), " ")
			fmt.Fprintf(w, "  ? %s  (cluster %s, %s)\n", wanted, diag.Printable(u.Cluster), diag.Printable(u.Resource))
			fmt.Fprintf(w, "      %s: %s\n", u.Reason, diag.Printable(u.Detail))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, planSummary(p))
	return w.Flush()
}

// planSummary is the last line.
func planSummary(p dnsplan.Plan) string {
	s := p.Summary
	if !p.HasChanges() {
		text := "No changes."
		if s.Unpublished > 0 {
			text += fmt.Sprintf(" Not as wanted: %d.", s.Unpublished)
		}
		return text
	}
	text := fmt.Sprintf("Plan: %d to create, %d to update, %d to delete", s.Create, s.Update, s.Delete)
	if s.Unsettled > 0 {
		text += fmt.Sprintf(", %d unsettled", s.Unsettled)
	}
	if s.Unpublished > 0 {
		text += fmt.Sprintf("; %d not as wanted", s.Unpublished)
	}
	return text + "."
}

func printRecordChange(w io.Writer, c dnsplan.Change) {
	word := string(c.Action)
	name := recordName(c.Name, c.Type, c.SetIdentifier)
	shown := c.After
	if shown == nil {
		shown = c.Before
	}
	switch {
	case c.Action == dnsplan.Update && c.Before != nil && c.After != nil:
		fmt.Fprintf(w, "  ~ update  %s\n", name)
		printDifferences(w, c)
	default:
		line := fmt.Sprintf("  %s %-7s %s  %s", signs[c.Action], word, name, content(shown))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	printMaker(w, c)
	for _, step := range c.Steps {
		by := step.Cluster
		if step.By != "" {
			by += " (" + step.By + ")"
		}
		line := fmt.Sprintf("      interval %d: %s by %s  %s", step.Round, step.Did, by, strings.Join(step.Targets, " "))
		fmt.Fprintln(w, diag.Printable(strings.TrimRight(line, " ")))
	}
	if c.Ownership != nil {
		printOwnership(w, *c.Ownership)
	}
}

// printDifferences prints what is another than before.
func printDifferences(w io.Writer, c dnsplan.Change) {
	line := func(field, before, after string) {
		if before != after {
			fmt.Fprintf(w, "      %s: %s -> %s\n", field, before, after)
		}
	}
	line("targets", targetsText(c.Before), targetsText(c.After))
	line("ttl", ttlText(c.Before), ttlText(c.After))
	line("properties", propertiesText(c.Before), propertiesText(c.After))
	line("owner", ownerText(c.OwnerBefore), ownerText(c.Owner))
}

func printMaker(w io.Writer, c dnsplan.Change) {
	var parts []string
	if c.Cluster != "" {
		cluster := "cluster " + c.Cluster
		if c.By != "" {
			cluster += " (" + c.By + ")"
		}
		parts = append(parts, cluster)
	}
	if c.Resource != "" {
		parts = append(parts, c.Resource)
	}
	parts = append(parts, "owner "+ownerText(c.Owner))
	fmt.Fprintf(w, "      %s\n", diag.Printable(strings.Join(parts, ", ")))
}

func printOwnership(w io.Writer, o dnsplan.TextChange) {
	name := diag.Printable(o.Name)
	switch {
	case o.Before == "":
		fmt.Fprintf(w, "      + %s TXT %s\n", name, diag.Printable(o.After))
	case o.After == "":
		fmt.Fprintf(w, "      - %s TXT %s\n", name, diag.Printable(o.Before))
	default:
		fmt.Fprintf(w, "      ~ %s TXT %s -> %s\n", name, diag.Printable(o.Before), diag.Printable(o.After))
	}
}

func printOwner(w io.Writer, owner, resource string) {
	text := "owner " + ownerText(owner)
	if resource != "" {
		text = resource + ", " + text
	}
	fmt.Fprintf(w, "      %s\n", diag.Printable(text))
}

func recordName(name, recordType, setIdentifier string) string {
	if name == "" {
		name = `""`
	}
	if recordType == "" {
		recordType = "-"
	}
	text := name + "  " + recordType
	if setIdentifier != "" {
		text += "  [" + setIdentifier + "]"
	}
	return diag.Printable(text)
}

func content(c *dnsplan.Content) string {
	if c == nil {
		return ""
	}
	text := targetsText(c)
	if c.TTL > 0 {
		text = ttlText(c) + "  " + text
	}
	if len(c.Properties) > 0 {
		text += "  " + propertiesText(c)
	}
	return text
}

func ownerText(owner string) string {
	if owner == "" {
		return "nobody"
	}
	return diag.Printable(owner)
}

func targetsText(c *dnsplan.Content) string { return diag.Printable(strings.Join(c.Targets, " ")) }

func ttlText(c *dnsplan.Content) string {
	if c.TTL == 0 {
		return "default"
	}
	return fmt.Sprint(c.TTL)
}

func propertiesText(c *dnsplan.Content) string {
	var parts []string
	for name, value := range c.Properties {
		parts = append(parts, name+"="+value)
	}
	if len(parts) == 0 {
		return "none"
	}
	slices.Sort(parts)
	return diag.Printable(strings.Join(parts, " "))
}
