package manifest

import "strings"

// recoverItem reads one element of the root's "items" with the complete parser, so that one unusual object does not make
// a List of thousands slow. It sets failed again if that is not certain to give what the whole text would.
//
// The element ends before the next line that is indented no more than its dash. Up to there, a YAML parser goes through
// the same states whether more follows or not; and if a quote or bracket were still open, or an alias needed something
// from outside, the stretch would have an error of its own.
func (p *blockParser) recoverItem(span *itemSpan, indent int) any {
	end, lines := p.itemEnd(span.start, indent)
	text := strings.Repeat(" ", p.root.column-1) + "items:\n" + p.text[span.start:end]
	value, err := parseYAML(text)
	tree := parseTree(text, false)
	if err != nil || tree == nil || len(duplicates(tree)) > 0 {
		return nil
	}
	items, _ := value.(map[string]any)["items"].([]any)
	_, list := step(tree, "items", 0)
	_, node := step(list, 0, 0)
	if len(items) != 1 || node == nil {
		return nil
	}
	span.line, span.column = span.dash+node.Line-2, node.Column
	p.failed, p.done = false, false
	p.line = span.dash + lines
	p.load(end)
	return items[0]
}

// itemEnd finds the end of an element that begins at the line at start, and counts its lines.
func (p *blockParser) itemEnd(start, indent int) (end, lines int) {
	for end = start; end < len(p.text); lines++ {
		content := end
		for content < len(p.text) && p.text[content] == ' ' {
			content++
		}
		if lines > 0 && content-end <= indent && content < len(p.text) && p.text[content] != '\n' && p.text[content] != '#' {
			return end, lines
		}
		end = min(lineEnd(p.text, content)+1, len(p.text))
	}
	return end, lines
}
