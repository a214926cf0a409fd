package evaluate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

// notYAML begins the engine's error about a template that resolves to a text which is no YAML.
const notYAML = "failed to convert the resolved template to JSON: "

// longestLine is how much of a line of the resolved text a hint shows, in bytes.
const longestLine = 200

var yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: (?:line (\d+): )?`)

// invalidYAML reports an object-templates-raw that resolves to no YAML, with the line that the YAML parser stumbles over: mostly
// a trim marker glued two lines together, or a value needs quotes.
func (r *renderer) invalidYAML(field, text, message string) {
	match := yamlLine.FindStringSubmatch(message)
	if match == nil {
		r.report(diag.Error, field, "gives no YAML: "+message, "")
		return
	}
	message = strings.TrimPrefix(message, match[0])
	line, err := strconv.Atoi(match[1])
	if err != nil {
		r.report(diag.Error, field, "gives no YAML: "+message, "")
		return
	}
	hint := ""
	if resolved, ok := r.resolvedText(text); ok {
		if lines := strings.Split(resolved, "\n"); line <= len(lines) {
			shown := lines[line-1]
			hint = fmt.Sprintf("that line is %.*q", longestLine, shown)
		}
	}
	r.report(diag.Error, field, fmt.Sprintf("gives no YAML: line %d of the resolved text: %s", line, message), hint)
}

// resolvedText gives the text that a template resolves to, whatever it is. The engine gives JSON only, so the template is put
// into a block scalar, which makes a string of the text unless values with line breaks leave the block. Nothing is shown of
// templates that may read Secrets.
func (r *renderer) resolvedText(text string) (string, bool) {
	if strings.Contains(text, "Secret") {
		return "", false
	}
	// A trim marker at the beginning of the template takes away what is before it up to the #.
	const before = "text: |2\n  #\n  "
	content, err := r.resolve([]byte(before+strings.ReplaceAll(text, "\n", "\n  ")), true, nil, nil)
	if err != nil {
		return "", false
	}
	var block map[string]string
	if err := json.Unmarshal(content, &block); err != nil {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(block["text"], "#"), "\n"), true
}
