// Package report prints results and findings.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/render"
)

// Clusters prints the results of managed clusters one after the other.
type Clusters interface {
	// Write prints the result of one cluster, or keeps what it needs until Close.
	Write(cluster render.Cluster) error
	// Close prints what is left to print after the last cluster. The findings are those that belong to no cluster; only
	// formats for programs show them. A result that ends early is not closed.
	Close(findings diag.Findings) error
}

// ClusterFormats are the names that NewClusters knows.
var ClusterFormats = []string{"yaml", "json", "table", "name"}

// NewClusters gives the printer of a format.
func NewClusters(format string, w io.Writer) (Clusters, error) {
	switch format {
	case "yaml", "":
		return &yamlClusters{w: w}, nil
	case "json":
		return &jsonClusters{w: w}, nil
	case "table":
		return &tableClusters{w: w}, nil
	case "name":
		return &nameClusters{w: w}, nil
	default:
		hint := diag.DidYouMean(format, ClusterFormats)
		if hint == "" {
			hint = "one of " + strings.Join(ClusterFormats, ", ")
		}
		return nil, fmt.Errorf("unknown output format %q (%s)", format, hint)
	}
}
