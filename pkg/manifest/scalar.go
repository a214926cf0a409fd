package manifest

import (
	"strings"
	"unicode/utf8"
)

// plainCharacters tells whether the text holds only characters that YAML allows and that are no line breaks but \n.
func plainCharacters(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= ' ' && c < 0x7f, c == '\n', c == '\t':
		case c < utf8.RuneSelf:
			return false
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case r == utf8.RuneError && size <= 1, r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
				return false
			}
			i += size - 1
		}
	}
	return true
}

// startsPlain tells whether the line begins with a plain scalar for certain.
func startsPlain(line string) bool {
	c := line[0]
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= utf8.RuneSelf:
		return true
	case c == '-':
		return len(line) > 1 && line[1] > ' '
	}
	return strings.IndexByte("./_+($~<;^\\", c) >= 0
}

// scalar reads the scalar that begins on the current line, below a parent of that indentation, and goes to the next
// line with content.
func (p *blockParser) scalar(indent int) any {
	switch line := p.text[p.pos:p.end]; {
	case line[0] == '"', line[0] == '\'':
		p.pos++
		s, ok := p.quoted(line[0])
		if !ok {
			return p.fail()
		}
		return p.endOfLine(p.intern.value(s))
	case line[0] == '|':
		return p.literal(line[1:], indent)
	case strings.HasPrefix(line, "{}"):
		p.pos += 2
		return p.endOfLine(map[string]any{})
	case strings.HasPrefix(line, "[]"):
		p.pos += 2
		return p.endOfLine([]any{})
	case startsPlain(line):
		return p.plain(indent)
	}
	return p.fail()
}

// endOfLine goes to the next line with content; nothing but a comment may be left on the current one.
func (p *blockParser) endOfLine(value any) any {
	start := p.pos
	p.skipSpaces()
	if p.pos < p.end && (p.text[p.pos] != '#' || p.pos == start) {
		return p.fail()
	}
	p.next()
	return value
}

// plain reads a plain scalar and joins its further lines, those indented more than its parent.
func (p *blockParser) plain(indent int) any {
	s, commented, ok := p.plainLine()
	if !ok {
		return p.fail()
	}
	skipped := p.next()
	if p.done || p.indent <= indent {
		value, isString, ok := resolvePlain(s)
		switch {
		case !ok:
			return p.fail()
		case isString:
			return p.intern.value(s)
		}
		return value
	}
	joined := []byte(s)
	for !p.done && p.indent > indent {
		if commented || skipped {
			return p.fail()
		}
		if s, commented, ok = p.plainLine(); !ok {
			return p.fail()
		}
		joined = append(append(joined, ' '), s...)
		skipped = p.next()
	}
	return string(joined)
}

// plainLine gives what is left of the line as one line of a plain scalar.
func (p *blockParser) plainLine() (s string, commented, ok bool) {
	line := p.text[p.pos:p.end]
	for i := range len(line) {
		switch line[i] {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' {
				return "", false, false
			}
		case '#':
			if i > 0 && line[i-1] == ' ' {
				return strings.TrimRight(line[:i], " "), true, true
			}
		case '\t':
			return "", false, false
		}
	}
	return strings.TrimRight(line, " "), false, true
}

// literal reads a block scalar; header is what follows the bar. Its lines are those indented like the first one, or as
// the header says.
func (p *blockParser) literal(header string, parent int) any {
	indent := 0
	if header != "" && header[0] >= '1' && header[0] <= '9' {
		indent = parent + int(header[0]-'0')
		header = header[1:]
	}
	if header != "" && header != "-" && header != "+" {
		return p.fail()
	}
	var b strings.Builder
	breaks := 0 // the line ends between the text so far and the line at offset
	offset := min(p.end+1, len(p.text))
	for p.line++; offset < len(p.text); p.line++ {
		content := offset
		for content < len(p.text) && p.text[content] == ' ' && (indent == 0 || content-offset < indent) {
			content++
		}
		width := content - offset
		switch {
		case content == len(p.text), p.text[content] == '\t' && (indent == 0 || width < indent):
			return p.fail()
		case p.text[content] == '\n':
			if indent == 0 && width > 0 {
				return p.fail() // a long blank line in front may set the indentation
			}
			breaks, offset = breaks+1, content+1
			continue
		case indent == 0:
			indent = width
		}
		if width < indent || width <= parent {
			break
		}
		writeBreaks(&b, breaks)
		end := lineEnd(p.text, content)
		b.WriteString(p.text[content:end])
		breaks, offset = 1, end+1
		if end == len(p.text) {
			breaks, offset = 0, end
		}
	}
	if b.Len() == 0 {
		return p.fail()
	}
	switch header {
	case "":
		writeBreaks(&b, min(breaks, 1))
	case "+":
		writeBreaks(&b, breaks)
	}
	p.load(offset)
	return b.String()
}

func writeBreaks(b *strings.Builder, n int) {
	for range n {
		b.WriteByte('\n')
	}
}
