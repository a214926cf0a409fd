package evaluate

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

// Printed finds the line in a template that printed a text into one of the objects which the template gave: the line of an
// object-templates-raw, or the field, as spec.config.name, of an entry of object-templates. It executes the template once more. Without
// an answer the place is that of the template.
func Printed(template Template, on *cluster.Cluster, text string, index int, field string) diag.Position {
	r := renderer{template: template, cluster: on}
	const raw = "spec.object-templates-raw"
	written, isRaw, _ := unstructured.NestedString(template.Object.Object, "spec", "object-templates-raw")
	if !isRaw || written == "" {
		return r.place(fmt.Sprintf("spec.object-templates[%d].objectDefinition.%s", index, field))
	}
	if marked, ok := templatetext.Marked(written); ok {
		if resolved, ok := r.resolvedText(marked); ok {
			for line := range strings.SplitSeq(resolved, "\n") {
				if !strings.Contains(line, text) {
					continue
				}
				if at, ok := r.line(raw, templatetext.MarkedLine(line)); ok {
					return at
				}
			}
		}
	}
	return template.Object.Position
}
