package report

import (
	"encoding/json"
	"io"

	"github.com/policyloom/policyloom/pkg/render"
)

// jsonClusters prints one JSON object with the field clusters, an array of results.
type jsonClusters struct {
	w     io.Writer
	count int
}

func (p *jsonClusters) Write(cluster render.Cluster) error {
	text, err := json.MarshalIndent(cluster, "    ", "  ")
	if err != nil {
		return err
	}
	separator := ",\n    "
	if p.count == 0 {
		separator = "{\n  \"clusters\": [\n    "
	}
	p.count++
	_, err = p.w.Write(append([]byte(separator), text...))
	return err
}

func (p *jsonClusters) Close() error {
	end := "\n  ]\n}\n"
	if p.count == 0 {
		end = "{\n  \"clusters\": []\n}\n"
	}
	_, err := io.WriteString(p.w, end)
	return err
}
