package report

import (
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// nameClusters prints a line for each object: cluster, kind and name.
type nameClusters struct {
	w io.Writer
}

func (p *nameClusters) Write(cluster render.Cluster) error {
	var lines strings.Builder
	for _, object := range cluster.Objects {
		line := cluster.Name + " " + manifest.Reference(object.Object)
		if object.ComplianceType == "mustnothave" {
			line += " mustnothave"
		}
		lines.WriteString(diag.Printable(line) + "\n")
	}
	_, err := io.WriteString(p.w, lines.String())
	return err
}

func (p *nameClusters) Close(diag.Findings) error { return nil }
