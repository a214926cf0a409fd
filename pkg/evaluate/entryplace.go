package evaluate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

// entryPlace finds the line of an object-templates-raw that gave an entry, counted from 0. It executes the template once more.
func (r *renderer) entryPlace(field, text string, isTemplate bool, index int) (diag.Position, bool) {
	resolved := text
	if isTemplate {
		marked, ok := templatetext.Marked(text)
		if !ok {
			return diag.Position{}, false
		}
		if resolved, ok = r.resolvedText(marked); !ok {
			return diag.Position{}, false
		}
	}
	var document yaml.Node
	if yaml.Unmarshal([]byte(templatetext.Unmarked(resolved)), &document) != nil || len(document.Content) == 0 || index >= len(document.Content[0].Content) {
		return diag.Position{}, false
	}
	line := document.Content[0].Content[index].Line
	if !isTemplate {
		return r.line(field, line)
	}
	lines := strings.Split(resolved, "\n")
	if line < 1 || line > len(lines) {
		return diag.Position{}, false
	}
	return r.line(field, templatetext.MarkedLine(lines[line-1]))
}
