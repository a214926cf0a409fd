package manifest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxJSONDepth is the nesting that Kubernetes' own JSON decoder allows.
const maxJSONDepth = 10000

// jsonParser reads JSON into the types of Kubernetes: whole numbers without a point are int64, all others float64.
type jsonParser struct {
	text   string
	pos    int
	intern *interner
	depth  int
	// rootKey is the key of the root that is being read; items are the elements of its "items".
	rootKey string
	items   []itemSpan
	// twice tells that some object holds one key twice; the last one counts.
	twice bool
}

const eightSpaces = "        "

// jsonError is a syntax error and its offset in the text.
type jsonError struct {
	offset  int
	message string
}

func (e *jsonError) Error() string { return e.message }

func (p *jsonParser) errorf(format string, args ...any) error {
	return &jsonError{offset: p.pos, message: fmt.Sprintf(format, args...)}
}

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		// Most of a text for people is indentation.
		if strings.HasPrefix(p.text[p.pos:], eightSpaces) {
			p.pos += len(eightSpaces)
			continue
		}
		switch p.text[p.pos] {
		case ' ', '\n', '\r', '\t':
			p.pos++
		default:
			return
		}
	}
}

// peek passes over blanks and gives the next character, or 0 at the end.
func (p *jsonParser) peek() byte {
	p.space()
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *jsonParser) value() (any, error) {
	switch c := p.peek(); {
	case c == '{':
		return p.part(p.object)
	case c == '[':
		return p.part(p.array)
	case c == '"':
		s, err := p.str()
		if err != nil {
			return nil, err
		}
		return p.intern.value(s), nil
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 0 && p.pos == len(p.text):
		return nil, p.errorf("the text ends too early")
	}
	switch rest := p.text[p.pos:]; {
	case strings.HasPrefix(rest, "true"):
		p.pos += len("true")
		return true, nil
	case strings.HasPrefix(rest, "false"):
		p.pos += len("false")
		return false, nil
	case strings.HasPrefix(rest, "null"):
		p.pos += len("null")
		return nil, nil
	}
	return nil, p.errorf("a value is expected, not %s", p.quoteNext())
}

// quoteNext quotes the next character for a message.
func (p *jsonParser) quoteNext() string {
	for _, r := range p.text[p.pos:] {
		return strconv.QuoteRune(r)
	}
	return "the end of the text"
}

// expect reads one punctuation mark.
func (p *jsonParser) expect(c byte, what string) error {
	if p.peek() != c || p.pos == len(p.text) {
		return p.errorf("%s is expected, not %s", what, p.quoteNext())
	}
	p.pos++
	return nil
}

func (p *jsonParser) enter() error {
	p.pos++
	if p.depth++; p.depth > maxJSONDepth {
		return p.errorf("nested more than %d levels deep", maxJSONDepth)
	}
	return nil
}

func (p *jsonParser) object() (any, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	m := map[string]any{}
	err := p.members('}', func() error {
		key, err := p.key()
		if err != nil {
			return err
		}
		if p.depth == 1 {
			p.rootKey = key
		}
		if _, twice := m[key]; twice {
			p.twice = true
		}
		m[key], err = p.value()
		return err
	})
	p.depth--
	return m, err
}

// key reads a key and the colon behind it.
func (p *jsonParser) key() (string, error) {
	if p.peek() != '"' {
		return "", p.errorf("a key in double quotes is expected, not %s", p.quoteNext())
	}
	s, err := p.str()
	if err != nil {
		return "", err
	}
	return p.intern.string(s), p.expect(':', "a colon")
}

func (p *jsonParser) array() (any, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	record := p.depth == 2 && p.rootKey == "items"
	list := []any{}
	err := p.members(']', func() error {
		p.space()
		start := p.pos
		element, err := p.value()
		list = append(list, element)
		if record {
			p.items = append(p.items, itemSpan{start: start, end: p.pos})
		}
		return err
	})
	p.depth--
	return list, err
}

// members reads what is between two brackets, member by member, and the closing bracket.
func (p *jsonParser) members(closing byte, member func() error) error {
	if p.peek() == closing {
		p.pos++
		return nil
	}
	for {
		if err := member(); err != nil {
			return err
		}
		switch c := p.peek(); {
		case c == closing:
			p.pos++
			return nil
		case c == ',':
			p.pos++
		case p.pos == len(p.text):
			return p.errorf("the text ends before a closing %q", closing)
		default:
			return p.errorf("a comma or %q is expected, not %s", closing, p.quoteNext())
		}
	}
}

// str reads a string. What it returns may be part of the text.
func (p *jsonParser) str() (string, error) {
	start := p.pos
	escaped := false
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			if !escaped {
				return p.text[start+1 : p.pos-1], nil
			}
			var s string
			if err := json.Unmarshal([]byte(p.text[start:p.pos]), &s); err != nil {
				p.pos = start
				return "", p.errorf("a string with an escape sequence that JSON does not know")
			}
			return s, nil
		case c == '\\':
			escaped = true
			p.pos++
		case c < ' ':
			return "", p.errorf("a string must not hold a line break, tab or other control character")
		}
	}
	p.pos = start
	return "", p.errorf("a string is not closed")
}

func (p *jsonParser) number() (any, error) {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[p.pos]) >= 0 {
		p.pos++
	}
	s := p.text[start:p.pos]
	digits := strings.TrimPrefix(s, "-")
	zeros := len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
	if !zeros && strings.IndexByte(s, '.') < 0 {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return i, nil
		}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && !zeros && isJSONFloat(digits) {
		return f, nil
	}
	p.pos = start
	return nil, p.errorf("%q is not a number that JSON allows", s)
}

// isJSONFloat tells whether a number that strconv knows is one to JSON, too: digits on both sides of the point.
func isJSONFloat(s string) bool {
	whole, fraction, pointed := strings.Cut(s, ".")
	if whole == "" || whole[0] < '0' || whole[0] > '9' {
		return false
	}
	return !pointed || fraction != "" && fraction[0] >= '0' && fraction[0] <= '9'
}
