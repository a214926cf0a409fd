package evaluate

import (
	"encoding/json"
	"strings"
	"text/template"

	"github.com/policyloom/policyloom/pkg/cluster"
)

// ownEntries resolves a text that ends as those which this project generates: they print each object template as JSON on a line
// of its own. The engine makes JSON of YAML, which for thousands of lines costs as much as their templates, so it gets the template
// in a block scalar, and the lines are read as what they are. ok is false if the text is another, if it fails, or if a line is not
// as expected: then the engine's usual way is to be taken, which also tells what is wrong.
func (r *renderer) ownEntries(text string, functions template.FuncMap) (entries []json.RawMessage, ok bool) {
	before := withoutOwn(text)
	if before == text {
		return nil, false
	}
	const block = "text: |2\n  #\n  "
	content, err := r.execute([]byte(block+strings.ReplaceAll(text, "\n", "\n  ")), true, !cluster.MutatesLookups(before, "{{", "}}"), nil, functions)
	if err != nil {
		return nil, false
	}
	var resolved map[string]string
	if err := json.Unmarshal(content, &resolved); err != nil || len(resolved) != 1 {
		return nil, false
	}
	lines, ok := strings.CutPrefix(resolved["text"], "#")
	if !ok {
		return nil, false
	}
	for line := range strings.SplitSeq(lines, "\n") {
		switch entry, isEntry := strings.CutPrefix(line, "- {"); {
		case line == "":
		case !isEntry || !json.Valid([]byte("{"+entry)):
			return nil, false
		default:
			entries = append(entries, json.RawMessage(line[2:]))
		}
	}
	return entries, true
}
