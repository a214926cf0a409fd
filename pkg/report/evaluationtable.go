package report

import (
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// tableEvaluations prints a table of the compliance of each policy template, one of what changes, and one of the clusters that do not
// get a policy.
type tableEvaluations struct {
	w                   io.Writer
	compliance, changes [][]string
	notPlaced           [][]string
}

func (p *tableEvaluations) Write(cluster render.Cluster) error {
	for _, n := range cluster.NotPlaced {
		p.notPlaced = append(p.notPlaced, []string{cluster.Name, n.Policy, why(n.Reasons)})
	}
	if cluster.Evaluation == nil {
		if len(cluster.Policies) > 0 {
			p.compliance = append(p.compliance, []string{cluster.Name, "", "", "", nothing(cluster)})
		}
		return nil
	}
	for _, policy := range cluster.Evaluation.Policies {
		for _, t := range policy.Templates {
			p.compliance = append(p.compliance, []string{cluster.Name, policy.Policy, t.Template, string(t.Compliance), withoutCompliance(t)})
			for _, c := range t.Changes {
				p.changes = append(p.changes, []string{cluster.Name, verbOf(c), c.Kind, c.Namespace, c.Name, whatChanges(c)})
			}
		}
	}
	return nil
}

func (p *tableEvaluations) Close(diag.Findings) error {
	first := true
	for _, table := range []struct{ header, rows [][]string }{
		{[][]string{{"CLUSTER", "POLICY", "TEMPLATE", "COMPLIANCE", "MESSAGE"}}, p.compliance},
		{[][]string{{"CLUSTER", "CHANGE", "KIND", "NAMESPACE", "NAME", "DETAIL"}}, p.changes},
		{[][]string{{"NOT SELECTED", "POLICY", "WHY"}}, p.notPlaced},
	} {
		if len(table.rows) == 0 {
			continue
		}
		if !first {
			if _, err := io.WriteString(p.w, "\n"); err != nil {
				return err
			}
		}
		first = false
		if err := printTable(p.w, table.header[0], table.rows); err != nil {
			return err
		}
	}
	return nil
}

// whatChanges says in a few words what is special about a change.
func whatChanges(c evaluate.Change) string {
	switch {
	case c.Cause != "":
		return c.Cause
	case c.Kind == "DNSEndpoint" && c.After != nil:
		return records(c.After)
	case len(c.Fields) == 1:
		return c.Fields[0].Path + ": " + valueText(c.Fields[0].Before) + " -> " + valueText(c.Fields[0].After)
	case len(c.Fields) > 1:
		return c.Fields[0].Path + " and others"
	}
	return ""
}
