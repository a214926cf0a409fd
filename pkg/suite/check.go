package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

var complianceValues = []string{
	string(evaluate.Compliant), string(evaluate.NonCompliant), string(evaluate.Pending), string(evaluate.Unknown),
}

// event checks that a change is one change, and whole.
func (c *checker) event(field string, e *v1alpha1.Event) {
	var parts []string
	add := func(is bool, name string) {
		if is {
			parts = append(parts, name)
		}
	}
	add(len(e.Apply) > 0, "apply")
	add(len(e.ApplyFiles) > 0, "applyFiles")
	add(e.Patch != nil, "patch")
	add(len(e.Delete) > 0, "delete")
	add(e.MissingAPIs != nil, "missingAPIs")
	add(len(e.Relabel) > 0, "relabel")
	add(e.Advance != "", "advance")
	switch len(parts) {
	case 0:
		c.report(field, "changes nothing", "give it one of apply, applyFiles, patch, delete, missingAPIs, relabel and advance")
		return
	case 1:
	default:
		c.report(field, "has "+strings.Join(parts, " and "), "write one after the other, each as an item of its own")
	}
	if e.Cluster != "" && (len(e.Relabel) > 0 || e.Advance != "") {
		c.report(field+".cluster", parts[0]+" is not about one cluster", "leave it out")
	}
	if e.Cluster == hubName && e.MissingAPIs != nil {
		c.report(field+".missingAPIs", "the hub has all its APIs", "name a managed cluster")
	}
	for i, object := range e.Apply {
		c.object(fmt.Sprintf("%s.apply[%d]", field, i), object)
	}
	for i, object := range e.Delete {
		c.reference(fmt.Sprintf("%s.delete[%d]", field, i), object)
	}
	if e.Patch != nil {
		c.reference(field+".patch", e.Patch.ObjectReference)
		if len(e.Patch.Merge) == 0 {
			c.report(field+".patch.merge", "changes nothing", "write the fields to change")
		}
	}
	for i, relabel := range e.Relabel {
		if relabel.Cluster == "" {
			c.report(fmt.Sprintf("%s.relabel[%d].cluster", field, i), "needs the name of a managed cluster", "")
		}
	}
	if e.Advance != "" {
		if d, err := time.ParseDuration(e.Advance); err != nil || d <= 0 {
			c.report(field+".advance", fmt.Sprintf("%.60q is no time that goes by", e.Advance), "write it as 90s, 10m or 1h30m")
		}
	}
}

// object checks that an object has what each needs.
func (c *checker) object(field string, object map[string]any) {
	for _, part := range []string{"apiVersion", "kind"} {
		c.text(field+"."+part, object[part])
	}
	metadata, isMap := object["metadata"].(map[string]any)
	if !isMap {
		c.report(field+".metadata", "is missing, or no mapping", "")
		return
	}
	c.text(field+".metadata.name", metadata["name"])
	if metadata["namespace"] != nil {
		c.text(field+".metadata.namespace", metadata["namespace"])
	}
}

// text checks that a value is a text that is not empty.
func (c *checker) text(field string, value any) {
	switch text, isText := value.(string); {
	case value == nil:
		c.report(field, "is missing", "")
	case !isText:
		c.report(field, fmt.Sprintf("must be a string, is %v", value), "put it into quotes")
	case text == "":
		c.report(field, "is empty", "")
	}
}

func (c *checker) reference(field string, of v1alpha1.ObjectReference) {
	for _, part := range []struct{ name, value string }{{"apiVersion", of.APIVersion}, {"kind", of.Kind}, {"name", of.Name}} {
		if part.value == "" {
			c.report(field+"."+part.name, "is missing", "name the object by apiVersion, kind, namespace and name")
		}
	}
}

func (c *checker) expectation(field string, e *v1alpha1.Expectation) {
	if e == nil {
		return
	}
	for i, s := range e.Selected {
		for j, not := range s.Not {
			at := fmt.Sprintf("%s.selected[%d].not[%d]", field, i, j)
			c.pattern(at+".because", not.Because)
			if slices.Contains(s.Clusters, not.Cluster) {
				c.report(at+".cluster", "is among the clusters that get the policy, too", "")
			}
		}
	}
	for i, expected := range e.Compliance {
		if !slices.Contains(complianceValues, expected.Is) {
			hint := diag.DidYouMean(expected.Is, complianceValues)
			if hint == "" {
				hint = "known are " + strings.Join(complianceValues, ", ")
			}
			c.report(fmt.Sprintf("%s.compliance[%d].is", field, i), fmt.Sprintf("unknown compliance %.60q", expected.Is), hint)
		}
	}
	for i, expected := range e.Messages {
		at := fmt.Sprintf("%s.messages[%d]", field, i)
		if (expected.Matches == "") == (expected.Never == "") {
			c.report(at, "needs one of matches and never", "")
		}
		c.pattern(at+".matches", expected.Matches)
		c.pattern(at+".never", expected.Never)
	}
	for i, expected := range e.Objects {
		c.exact(fmt.Sprintf("%s.objects[%d]", field, i), expected)
	}
	for i, expected := range e.Contains {
		c.object(fmt.Sprintf("%s.contains[%d].object", field, i), expected.Object)
	}
	for i, expected := range e.Absent {
		c.reference(fmt.Sprintf("%s.absent[%d]", field, i), expected.ObjectReference)
	}
	for i, expected := range e.Counts {
		at := fmt.Sprintf("%s.counts[%d]", field, i)
		if expected.Kind == "" {
			c.report(at+".kind", "is missing", "")
		}
		if expected.Is == nil || *expected.Is < 0 {
			c.report(at+".is", "needs a number", "")
		}
		if _, err := metav1.LabelSelectorAsSelector(expected.Labels); err != nil {
			c.report(at+".labels", err.Error(), "")
		}
	}
	for i, text := range e.Errors {
		c.notEmpty(fmt.Sprintf("%s.errors[%d]", field, i), text)
	}
	for i, text := range e.Warnings {
		c.notEmpty(fmt.Sprintf("%s.warnings[%d]", field, i), text)
	}
}

func (c *checker) notEmpty(field, pattern string) {
	if pattern == "" {
		c.report(field, "an empty pattern matches everything", "write a part of the message")
	}
	c.pattern(field, pattern)
}

func (c *checker) exact(field string, expected v1alpha1.ExactObjects) {
	if len(expected.Exactly) > 0 && expected.File != "" {
		c.report(field+".file", "excludes exactly", "")
	}
	if len(expected.Exactly) == 0 && expected.File == "" && len(expected.Kinds) == 0 {
		c.report(field+".kinds", "is missing: of which kind should there be no object?", "write kinds: [DNSEndpoint]")
	}
	seen := map[string]bool{}
	for i, object := range expected.Exactly {
		at := fmt.Sprintf("%s.exactly[%d]", field, i)
		c.object(at, object)
		id := keyOf(&unstructured.Unstructured{Object: object})
		if seen[id] {
			c.report(at, "is there twice", "")
		}
		seen[id] = true
	}
}

// keyOf is what two descriptions of one object have in common.
func keyOf(o *unstructured.Unstructured) string {
	return o.GroupVersionKind().GroupKind().String() + " " + o.GetNamespace() + "/" + o.GetName()
}
