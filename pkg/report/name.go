package report

import (
	"fmt"
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// nameClusters prints a line for each object: cluster, kind and name.
type nameClusters struct {
	w io.Writer
}

func (p *nameClusters) Write(cluster render.Cluster) error {
	for _, object := range cluster.Objects {
		line := cluster.Name + " " + manifest.Reference(object.Object)
		if object.ComplianceType == "mustnothave" {
			line += " mustnothave"
		}
		if _, err := fmt.Fprintln(p.w, diag.Printable(line)); err != nil {
			return err
		}
	}
	return nil
}

func (p *nameClusters) Close() error { return nil }
