package report

import (
	"io"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/render"
)

// jsonClusters prints one JSON object with the fields clusters, an array of results, and findings, those that belong to no
// cluster. Without Close it is no valid JSON, so that nobody takes half of a result for the whole.
type jsonClusters struct {
	w     io.Writer
	count int
}

func (p *jsonClusters) Write(cluster render.Cluster) error {
	text, err := jsonText(cluster, "    ", "  ")
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

func (p *jsonClusters) Close(findings diag.Findings) error {
	end := "\n  ]"
	if p.count == 0 {
		end = "{\n  \"clusters\": []"
	}
	if len(findings) > 0 {
		text, err := jsonText(findings, "  ", "  ")
		if err != nil {
			return err
		}
		end += ",\n  \"findings\": " + string(text)
	}
	_, err := io.WriteString(p.w, end+"\n}\n")
	return err
}
