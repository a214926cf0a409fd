package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/render"
)

// tableClusters prints a table of the objects, and one of the clusters that do not get a policy.
type tableClusters struct {
	w         io.Writer
	objects   [][]string
	notPlaced [][]string
}

func (p *tableClusters) Write(cluster render.Cluster) error {
	for _, object := range cluster.Objects {
		p.objects = append(p.objects, []string{
			cluster.Name, object.Object.GetKind(), object.Object.GetNamespace(), object.Object.GetName(), detail(object),
		})
	}
	if len(cluster.Objects) == 0 && len(cluster.Policies) > 0 {
		p.objects = append(p.objects, []string{cluster.Name, "", "", "", nothing(cluster)})
	}
	for _, n := range cluster.NotPlaced {
		p.notPlaced = append(p.notPlaced, []string{cluster.Name, n.Policy, why(n.Reasons)})
	}
	return nil
}

func (p *tableClusters) Close(diag.Findings) error {
	if len(p.objects) > 0 {
		if err := printTable(p.w, []string{"CLUSTER", "KIND", "NAMESPACE", "NAME", "DETAIL"}, p.objects); err != nil {
			return err
		}
	}
	if len(p.notPlaced) == 0 {
		return nil
	}
	if len(p.objects) > 0 {
		if _, err := fmt.Fprintln(p.w); err != nil {
			return err
		}
	}
	return printTable(p.w, []string{"NOT SELECTED", "POLICY", "WHY"}, p.notPlaced)
}

func printTable(w io.Writer, header []string, rows [][]string) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cells[i] = diag.Printable(cell); cell == "" {
				cells[i] = "-"
			}
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return table.Flush()
}

// nothing says why a cluster that has policies has no object.
func nothing(cluster render.Cluster) string {
	if cluster.Findings.HasErrors() {
		return "failed, see the errors"
	}
	if len(cluster.MissingAPIs) > 0 {
		return "nothing to do (has no " + strings.Join(cluster.MissingAPIs, ", ") + ")"
	}
	return "nothing to do"
}

func why(reasons []placement.Reason) string {
	texts := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		text := reason.Message
		if reason.Hint != "" {
			text += " (" + reason.Hint + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// detail says in a few words what is special about an object: the records of a DNSEndpoint, or that it must go.
func detail(object evaluate.Object) string {
	if object.ComplianceType == "mustnothave" {
		return "must not be there"
	}
	if object.Object.GetKind() == "DNSEndpoint" {
		return records(object.Object)
	}
	return object.ComplianceType
}

func records(endpoint *unstructured.Unstructured) string {
	endpoints, _, _ := unstructured.NestedSlice(endpoint.Object, "spec", "endpoints")
	var texts []string
	for _, item := range endpoints {
		record, isMap := item.(map[string]any)
		if !isMap {
			continue
		}
		targets, _, _ := unstructured.NestedStringSlice(record, "targets")
		texts = append(texts, fmt.Sprintf("%v %v %s", record["dnsName"], record["recordType"], strings.Join(targets, ",")))
	}
	return strings.Join(texts, "; ")
}
