package manifest

import "strings"

// maxDepth bounds the nesting that this package's own parsers follow; real manifests stay below 40.
const maxDepth = 200

// blockParser reads plain block YAML: nested mappings and sequences by indentation, scalars as scalar.go knows them.
// That is what kubectl and oc print, and most of what people write. It is strict rather than clever: wherever YAML has a
// rule that it does not follow, or an error, it sets failed, and the caller turns to a complete parser. A tree that it
// does return equals that of sigs.k8s.io/yaml.
type blockParser struct {
	text   string
	intern *interner
	failed bool

	// The line that is being read: offsets of its beginning, of what is to be read next and of its end, its indentation
	// and its number, from 0. At the end of the text, done is true.
	lineStart, pos, end int
	indent, line        int
	done                bool

	depth   int
	rootKey string
	items   []itemSpan
	root    itemSpan
}

// itemSpan is where one element of the root's "items" lies in the text: with the line of its dash in YAML. line, from 0,
// and column, from 1, are the place of its first key; dash is the line of the dash.
type itemSpan struct {
	start, end         int
	dash, line, column int
}

// parseBlock reads a document whose root is a mapping. ok is false if it holds anything that the parser does not know.
func parseBlock(text string, intern *interner) (root map[string]any, p *blockParser, ok bool) {
	p = &blockParser{text: text, intern: intern}
	if !plainCharacters(text) {
		return nil, p, false
	}
	p.load(0)
	if p.done {
		return nil, p, false
	}
	p.root = itemSpan{start: p.lineStart, end: len(text), line: p.line, column: p.indent + 1}
	root = p.mapping(p.indent)
	return root, p, !p.failed && p.done
}

func (p *blockParser) fail() any {
	p.failed, p.done = true, true
	return nil
}

// load makes the next line with content, at or after offset, the current one. It tells whether it passed over blank
// lines or comments.
func (p *blockParser) load(offset int) (skipped bool) {
	for ; ; p.line++ {
		start := offset
		for offset < len(p.text) && p.text[offset] == ' ' {
			offset++
		}
		if offset == len(p.text) {
			p.lineStart, p.done = offset, true
			return skipped
		}
		end := lineEnd(p.text, offset)
		switch p.text[offset] {
		case '\n', '#':
			skipped = true
			offset = min(end+1, len(p.text))
		case '\t':
			p.fail()
			return skipped
		default:
			p.lineStart, p.pos, p.end, p.indent = start, offset, end, offset-start
			return skipped
		}
	}
}

// next goes to the next line with content.
func (p *blockParser) next() (skipped bool) {
	p.line++
	return p.load(min(p.end+1, len(p.text)))
}

func lineEnd(text string, offset int) int {
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(text)
}

func (p *blockParser) mapping(indent int) map[string]any {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	m := map[string]any{}
	for !p.done && p.indent == indent {
		key, ok := p.key()
		if _, twice := m[key]; !ok || twice {
			p.fail()
			break
		}
		if p.depth == 1 {
			p.rootKey = key
		}
		m[key] = p.value(indent)
	}
	if !p.done && p.indent > indent {
		p.fail()
	}
	p.depth--
	return m
}

// value reads what follows "key: ", on the same line or below.
func (p *blockParser) value(indent int) any {
	if !p.atLineEnd() {
		return p.scalar(indent)
	}
	p.next()
	if !p.done && p.indent == indent && p.atDash() {
		return p.part(indent, true)
	}
	return p.below(indent)
}

// below reads the block that is indented further than indent, or null if there is none.
func (p *blockParser) below(indent int) any {
	switch {
	case p.done || p.indent <= indent:
		return nil
	case p.atDash():
		return p.part(p.indent, true)
	default:
		return p.part(p.indent, false)
	}
}

func (p *blockParser) sequence(indent int) any {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	record := p.depth == 2 && p.rootKey == "items"
	list := []any{}
	for !p.done && p.indent == indent && p.atDash() {
		span := itemSpan{start: p.lineStart, dash: p.line, line: p.line}
		depth := p.depth
		element := p.item(indent, &span)
		if record && p.failed {
			p.depth = depth
			element = p.recoverItem(&span, indent)
		}
		list = append(list, element)
		if span.end = p.lineStart; record {
			p.items = append(p.items, span)
		}
	}
	if !p.done && p.indent > indent {
		p.fail()
	}
	p.depth--
	return list
}

// item reads one element of a sequence, from its dash on.
func (p *blockParser) item(indent int, span *itemSpan) any {
	p.pos++
	p.skipSpaces()
	span.column = p.pos - p.lineStart + 1
	if p.atLineEnd() {
		p.next()
		if !p.done && p.indent > indent {
			span.line, span.column = p.line, p.indent+1
		}
		return p.below(indent)
	}
	if p.atDash() {
		return p.fail()
	}
	start := p.pos
	if _, ok := p.key(); !ok {
		p.pos = start
		return p.scalar(indent)
	}
	p.pos, p.indent = start, start-p.lineStart
	return p.part(p.indent, false)
}

// key reads "key:" and the spaces behind it. ok is false if there is no key that is certain to be a string.
func (p *blockParser) key() (key string, ok bool) {
	line := p.text[p.pos:p.end]
	quoted := line[0] == '"' || line[0] == '\''
	var size int
	if quoted {
		if size = strings.IndexByte(line[1:], line[0]) + 2; size < 2 {
			return "", false
		}
		if key = line[1 : size-1]; strings.IndexByte(key, '\\') >= 0 {
			return "", false
		}
	} else {
		if !startsPlain(line) {
			return "", false
		}
		if size = plainKeyLength(line); size < 0 {
			return "", false
		}
		key = line[:size]
	}
	// Longer keys are not "simple keys" to YAML.
	if size > 1000 || size >= len(line) || line[size] != ':' || size+1 < len(line) && line[size+1] != ' ' {
		return "", false
	}
	if !quoted {
		if _, isString, _ := resolvePlain(key); !isString || key == "<<" {
			return "", false
		}
	}
	p.pos += size + 1
	p.skipSpaces()
	return p.intern.string(key), true
}

// plainKeyLength gives the length of the plain key that the line begins with, or -1.
func plainKeyLength(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' {
				return i
			}
		case ' ':
			if i+1 < len(line) && (line[i+1] == '#' || line[i+1] == ':') {
				return -1
			}
		case '\t':
			return -1
		}
	}
	return -1
}

func (p *blockParser) skipSpaces() {
	for p.pos < p.end && p.text[p.pos] == ' ' {
		p.pos++
	}
}

// atLineEnd tells whether only a comment, or nothing, is left on the line. The current position must follow a blank.
func (p *blockParser) atLineEnd() bool { return p.pos >= p.end || p.text[p.pos] == '#' }

func (p *blockParser) atDash() bool {
	return p.text[p.pos] == '-' && (p.pos+1 == p.end || p.text[p.pos+1] == ' ')
}
