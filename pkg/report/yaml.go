package report

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// yamlClusters prints a YAML stream. Comments say which cluster an object is for and where it comes from.
type yamlClusters struct {
	w io.Writer
}

func (p *yamlClusters) Write(cluster render.Cluster) error {
	for _, object := range cluster.Objects {
		text, err := yaml.Marshal(object.Object.Object)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(p.w, "---\n# cluster: %s\n%s%s", diag.Printable(cluster.Name), origin(object), text); err != nil {
			return err
		}
	}
	return nil
}

func (p *yamlClusters) Close() error { return nil }

// origin gives comment lines that say what asks for an object.
func origin(object evaluate.Object) string {
	text := ""
	if object.Policy != "" {
		text += "# policy: " + diag.Printable(object.Policy) + "\n"
	}
	text += fmt.Sprintf("# template: %s, %s %s\n", diag.Printable(object.Template), object.RemediationAction, object.ComplianceType)
	if source := object.Source.String(); source != "" {
		text += "# source: " + diag.Printable(source) + "\n"
	}
	return text
}
