package manifest

// part reads the mapping or sequence that begins at the current position, or takes it from the parts that are known.
func (p *blockParser) part(indent int, dashes bool) any {
	parts := p.intern.parts
	// The elements of a List become objects of their own.
	if parts == nil || p.depth == 0 || p.depth <= 2 && p.rootKey == "items" {
		return p.block(indent, dashes)
	}
	start, line, head := p.pos, p.line, p.text[p.pos:p.end]
	if known := parts.find(head, p.text[start:], indent); known != nil && p.skipPart(known, dashes) {
		return known.value
	}
	value := p.block(indent, dashes)
	if p.failed {
		return value
	}
	// At the end of a text without a line break, the part might go on elsewhere.
	if text := p.text[start:p.lineStart]; text[len(text)-1] == '\n' {
		parts.add(head, part{text: text, indent: indent, lines: p.line - line, value: value})
	}
	return value
}

func (p *blockParser) block(indent int, dashes bool) any {
	if dashes {
		return p.sequence(indent)
	}
	return p.mapping(indent)
}

// skipPart goes behind a part that is known. It does not if the text goes on in a way that could belong to the part: with a
// blank line or comment, or with a line that is indented as far.
func (p *blockParser) skipPart(known *part, dashes bool) bool {
	end := p.pos + len(known.text)
	next := end
	for next < len(p.text) && p.text[next] == ' ' {
		next++
	}
	if next < len(p.text) {
		switch c := p.text[next]; {
		case c == '\n', c == '#', c == '\t', next-end > known.indent:
			return false
		case next-end == known.indent && (!dashes || c == '-'):
			return false
		}
	} else if next > end {
		return false
	}
	p.line += known.lines
	p.load(end)
	return true
}
