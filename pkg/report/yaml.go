package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// yamlClusters prints a YAML stream. Comments say which cluster an object is for and where it comes from.
type yamlClusters struct {
	w io.Writer
}

func (p *yamlClusters) Write(cluster render.Cluster) error {
	var documents bytes.Buffer
	for _, object := range cluster.Objects {
		text, err := document(cluster.Name, object)
		if err != nil {
			return err
		}
		documents.WriteString("---\n")
		documents.Write(text)
	}
	_, err := p.w.Write(documents.Bytes())
	return err
}

func (p *yamlClusters) Close(diag.Findings) error { return nil }

// document gives an object as YAML under comments that say for which cluster it is and what asks for it.
func document(cluster string, object evaluate.Object) ([]byte, error) {
	var b bytes.Buffer
	comment := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "# %s: %s\n", name, diag.Printable(text))
		}
	}
	comment("cluster", cluster)
	comment("policy", object.Policy)
	comment("template", fmt.Sprintf("%s, %s %s", object.Template, object.RemediationAction, object.ComplianceType))
	comment("source", object.Source.String())
	text, err := yamlText(object.Object.Object)
	b.Write(text)
	return b.Bytes(), err
}
