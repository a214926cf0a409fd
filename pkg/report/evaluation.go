package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// EvaluationFormats are the names that NewEvaluations knows.
var EvaluationFormats = []string{"text", "table", "json", "yaml"}

// NewEvaluations gives the printer of a format for what policies come to. Without a format it is text.
func NewEvaluations(format string, w io.Writer) (Clusters, error) {
	switch format {
	case "text", "":
		return &textEvaluations{w: w}, nil
	case "table":
		return &tableEvaluations{w: w}, nil
	case "json":
		return &jsonClusters{w: w}, nil
	case "yaml":
		return &yamlEvaluations{w: w}, nil
	default:
		hint := diag.DidYouMean(format, EvaluationFormats)
		if hint == "" {
			hint = "one of " + strings.Join(EvaluationFormats, ", ")
		}
		return nil, fmt.Errorf("unknown output format %q for --evaluate (%s)", format, hint)
	}
}

// nameOfPolicy names a root policy, or the template that stands alone.
func nameOfPolicy(p evaluate.PolicyResult) string {
	if p.Policy == "" {
		return p.Templates[0].Template
	}
	return "Policy " + p.Policy
}

// verbOf says what happens to an object, or would.
func verbOf(c evaluate.Change) string {
	would := map[evaluate.Verb]string{
		evaluate.Created: "would create", evaluate.Updated: "would update", evaluate.Recreated: "would recreate", evaluate.Deleted: "would delete",
	}
	if c.Would {
		return would[c.Verb]
	}
	return string(c.Verb)
}

// objectOf names the object of a change.
func objectOf(c evaluate.Change) string {
	return c.Kind + " " + strings.TrimPrefix(c.Namespace+"/"+c.Name, "/")
}

// yamlEvaluations prints a YAML document for each cluster.
type yamlEvaluations struct{ w io.Writer }

func (p *yamlEvaluations) Write(cluster render.Cluster) error {
	evaluation := evaluate.Evaluated{Policies: []evaluate.PolicyResult{}}
	if cluster.Evaluation != nil {
		evaluation = *cluster.Evaluation
	}
	text, err := plainYAML(struct {
		Cluster  string                  `json:"cluster"`
		Policies []evaluate.PolicyResult `json:"policies"`
		Rounds   int                     `json:"rounds"`
	}{cluster.Name, evaluation.Policies, evaluation.Rounds})
	if err != nil {
		return err
	}
	_, err = p.w.Write(append([]byte("---\n"), text...))
	return err
}

func (p *yamlEvaluations) Close(diag.Findings) error { return nil }
