package manifest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a quoted scalar, of which the opening quote has been read, up to and with its closing quote.
func (p *blockParser) quoted(quote byte) (s string, ok bool) {
	line := p.text[p.pos:p.end]
	if i := strings.IndexByte(line, quote); i >= 0 && strings.IndexByte(line[:i], '\\') < 0 && (i+1 == len(line) || line[i+1] != '\'') {
		p.pos += i + 1
		return line[:i], true
	}
	var b []byte
	for part := p.pos; ; {
		if p.pos == len(p.text) {
			return "", false
		}
		c := p.text[p.pos]
		switch {
		case c == '\n':
			b = append(b, strings.TrimRight(p.text[part:p.pos], " \t")...)
			if b, ok = p.fold(b); !ok {
				return "", false
			}
			part = p.pos
		case c == '\\' && quote == '"':
			b = append(b, p.text[part:p.pos]...)
			if b, ok = p.escape(b); !ok {
				return "", false
			}
			part = p.pos
		case c == quote && quote == '\'' && strings.HasPrefix(p.text[p.pos+1:], "'"):
			b = append(b, p.text[part:p.pos+1]...)
			p.pos += 2
			part = p.pos
		case c == quote:
			b = append(b, p.text[part:p.pos]...)
			p.pos++
			return string(b), true
		default:
			p.pos++
		}
	}
}

// fold goes from a line end to the next text and appends what the line ends between them stand for: one is a space, of
// several all but the first count.
func (p *blockParser) fold(b []byte) ([]byte, bool) {
	for breaks := 0; p.pos < len(p.text); breaks++ {
		p.lineStart = p.pos + 1
		p.line++
		for p.pos++; p.pos < len(p.text) && p.text[p.pos] == ' '; p.pos++ {
		}
		if p.pos == len(p.text) || p.text[p.pos] == '\t' {
			return nil, false
		}
		if p.text[p.pos] == '\n' {
			b = append(b, '\n')
			continue
		}
		if p.pos == p.lineStart {
			return nil, false // at the margin it may be a document marker
		}
		if breaks == 0 {
			b = append(b, ' ')
		}
		p.end = lineEnd(p.text, p.pos)
		return b, true
	}
	return nil, false
}

// escape reads one escape sequence of a double-quoted scalar and appends its character.
func (p *blockParser) escape(b []byte) ([]byte, bool) {
	if p.pos+1 >= len(p.text) {
		return nil, false
	}
	c := p.text[p.pos+1]
	p.pos += 2
	if i := strings.IndexByte("0abtnvfre \"'\\", c); i >= 0 {
		return append(b, "\x00\a\b\t\n\v\f\r\x1b \"'\\"[i]), true
	}
	digits := 0
	switch c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits == 0 || p.pos+digits > len(p.text) {
		return nil, false
	}
	code, err := strconv.ParseUint(p.text[p.pos:p.pos+digits], 16, 32)
	if err != nil || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) {
		return nil, false
	}
	p.pos += digits
	return utf8.AppendRune(b, rune(code)), true
}
