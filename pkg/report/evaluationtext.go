package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// textEvaluations prints for people: the compliance and the message of each policy template, and under it what it changes.
type textEvaluations struct {
	w         io.Writer
	notPlaced tableClusters
	printed   bool
}

func (p *textEvaluations) Write(cluster render.Cluster) error {
	var b bytes.Buffer
	if p.printed {
		b.WriteByte('\n')
	}
	notPlaced := cluster
	notPlaced.Objects, notPlaced.Policies = nil, nil
	if err := p.notPlaced.Write(notPlaced); err != nil {
		return err
	}
	switch {
	case cluster.Evaluation == nil && len(cluster.Policies) == 0 && len(cluster.NotPlaced) > 0:
		return nil
	case cluster.Evaluation == nil:
		fmt.Fprintf(&b, "cluster %s: nothing is evaluated\n", diag.Printable(cluster.Name))
	default:
		fmt.Fprintf(&b, "cluster %s\n", diag.Printable(cluster.Name))
		for _, policy := range cluster.Evaluation.Policies {
			printPolicy(&b, policy)
		}
	}
	p.printed = true
	_, err := p.w.Write(b.Bytes())
	return err
}

func (p *textEvaluations) Close(findings diag.Findings) error {
	if p.printed && len(p.notPlaced.notPlaced) > 0 {
		if _, err := io.WriteString(p.w, "\n"); err != nil {
			return err
		}
	}
	p.notPlaced.w = p.w
	return p.notPlaced.Close(findings)
}

// largeStatus is what the status of a policy may take without a word.
const largeStatus = 100_000

func printPolicy(b *bytes.Buffer, policy evaluate.PolicyResult) {
	indent := "  "
	if policy.Policy != "" {
		fmt.Fprintf(b, "  %s: %s\n", diag.Printable(nameOfPolicy(policy)), policy.Compliance)
		indent = "    "
	}
	for _, t := range policy.Templates {
		action := ""
		if t.RemediationAction != "" {
			action = " (" + t.RemediationAction + ")"
		}
		fmt.Fprintf(b, "%s%s%s: %s\n", indent, diag.Printable(t.Template), diag.Printable(action), t.Compliance)
		if message := withoutCompliance(t); message != "" {
			fmt.Fprintf(b, "%s  %s\n", indent, diag.Printable(message))
		}
		if t.StatusBytes > largeStatus {
			fmt.Fprintf(b, "%s  the status takes about %d KB of the %d KB that an API server stores\n", indent, t.StatusBytes/1000, (3<<19)/1000)
		}
		for _, c := range t.Changes {
			printChange(b, indent+"  ", c)
		}
		printDiffs(b, indent+"  ", t)
	}
}

// withoutCompliance cuts the compliance from the beginning of a message, which stands before it already.
func withoutCompliance(t evaluate.TemplateResult) string {
	return strings.TrimPrefix(t.Message, string(t.Compliance)+"; ")
}

func printChange(b *bytes.Buffer, indent string, c evaluate.Change) {
	cause := ""
	if c.Cause != "" {
		cause = " (" + c.Cause + ")"
	}
	fmt.Fprintf(b, "%s%s %s%s\n", indent, verbOf(c), diag.Printable(objectOf(c)), diag.Printable(cause))
	if c.Verb == evaluate.Created {
		text, err := yamlText(shown(c.After).Object)
		if err == nil {
			printLines(b, indent+"  ", string(text))
		}
	}
	for _, field := range c.Fields {
		fmt.Fprintf(b, "%s  %s: %s -> %s\n", indent, diag.Printable(field.Path), valueText(field.Before), valueText(field.After))
	}
}

// shown leaves out of a created object what is clear, what the API server sets, and the values of Secrets.
func shown(object *unstructured.Unstructured) *unstructured.Unstructured {
	object = object.DeepCopy()
	metadata, _, _ := unstructured.NestedMap(object.Object, "metadata")
	for field := range metadata {
		if field != "labels" && field != "annotations" {
			delete(metadata, field)
		}
	}
	object.Object["metadata"] = metadata
	if len(metadata) == 0 {
		delete(object.Object, "metadata")
	}
	delete(object.Object, "apiVersion")
	if object.GetKind() == "Secret" {
		for _, field := range []string{"data", "stringData"} {
			if _, found := object.Object[field]; found {
				object.Object[field] = "(not shown)"
			}
		}
	}
	delete(object.Object, "kind")
	return object
}

// printDiffs prints the controller's diffs of objects that are not as they should be, where no change says the same.
func printDiffs(b *bytes.Buffer, indent string, t evaluate.TemplateResult) {
	for _, related := range t.Related {
		if related.Diff == "" || slices.ContainsFunc(t.Changes, func(c evaluate.Change) bool {
			return c.Kind == related.Kind && c.Namespace == related.Namespace && c.Name == related.Name
		}) {
			continue
		}
		fmt.Fprintf(b, "%sdiff of %s %s\n", indent, diag.Printable(related.Kind), diag.Printable(strings.TrimPrefix(related.Namespace+"/"+related.Name, "/")))
		printLines(b, indent+"  ", related.Diff)
	}
}

func printLines(b *bytes.Buffer, indent, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(b, "%s%s\n", indent, diag.Printable(strings.TrimSuffix(line, "\n")))
	}
}

// valueText gives a value in one line.
func valueText(value any) string {
	if value == nil {
		return "(none)"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return diag.Printable(fmt.Sprint(value))
	}
	return diag.Printable(string(text))
}
