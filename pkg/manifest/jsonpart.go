package manifest

import "strings"

// headLength bounds the beginning of an object or array by which it is looked up.
const headLength = 128

// part reads the object or array that begins at the current position, or takes it from the parts that are known.
func (p *jsonParser) part(read func() (any, error)) (any, error) {
	parts := p.intern.parts
	// The elements of a List become objects of their own.
	if parts == nil || p.depth == 0 || p.depth <= 2 && p.rootKey == "items" {
		return read()
	}
	start, twice := p.pos, p.twice
	head := jsonHead(p.text[start:])
	if known := parts.find(head, p.text[start:], 0); known != nil {
		p.pos += len(known.text)
		return known.value, nil
	}
	p.twice = false
	value, err := read()
	if err == nil && !p.twice {
		parts.add(head, part{text: p.text[start:p.pos], value: value})
	}
	p.twice = p.twice || twice
	return value, err
}

// jsonHead gives the text up to the end of its first member.
func jsonHead(text string) string {
	text = text[:min(len(text), headLength)]
	if end := strings.IndexAny(text[1:], ",]}"); end >= 0 {
		return text[:end+2]
	}
	return text
}
