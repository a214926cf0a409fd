package manifest

import (
	"errors"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/policyloom/policyloom/pkg/diag"
)

// json reads a document that begins with a brace; start is its text without leading blanks. It returns false, and has
// done nothing, if that is no JSON but YAML's notation with braces. After an error it goes on with the next value that
// begins at the margin.
func (d *decoder) json(doc document, start string) bool {
	for first := true; ; first = false {
		read, err := d.jsonValues(doc)
		broken := (*jsonError)(nil)
		if !errors.As(err, &broken) {
			return true
		}
		if first && read == 0 && path.Ext(d.file) != ".json" && !looksLikeJSON(start) {
			return false
		}
		lines := lineCounter{text: doc.text, line: doc.line}
		at := diag.Position{File: d.file}
		at.Line, at.Column = lines.place(broken.offset)
		d.report(diag.Finding{Position: at, Message: "JSON: " + broken.message})
		next := strings.Index(doc.text[broken.offset:], "\n{")
		if next < 0 {
			return true
		}
		next += broken.offset + 1
		line, _ := lines.place(next)
		doc = document{excerpt: doc.part(next, len(doc.text)), line: line}
	}
}

// looksLikeJSON tells whether the text begins like an object of JSON: a brace and a key in double quotes.
func looksLikeJSON(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text[1:], " \t\r\n"), `"`)
}

// jsonValues reads one value after the other. It returns their number, and the error that ended the reading.
func (d *decoder) jsonValues(doc document) (read int, err error) {
	p := &jsonParser{text: doc.text, intern: d.intern}
	lines := lineCounter{text: doc.text, line: doc.line}
	for p.space(); p.pos < len(p.text); p.space() {
		start := p.pos
		p.depth, p.rootKey, p.items, p.twice = 0, "", nil, false
		value, err := p.value()
		if err != nil {
			return read, err
		}
		read++
		o := &origin{file: d.file, excerpt: doc.part(start, p.pos), json: true}
		o.line, o.column = lines.place(start)
		for i := range p.items {
			span := &p.items[i]
			line, column := lines.place(span.start)
			span.line, span.column = line-o.line, column
			span.start, span.end = span.start-start, span.end-start
		}
		if p.twice {
			for _, twice := range duplicates(o.tree()) {
				d.findings = append(d.findings, twice.finding(o))
			}
		}
		d.add(value, o, diag.Position{File: d.file, Line: o.line, Column: o.column}, p.items)
	}
	return read, nil
}

// lineCounter turns rising offsets into lines and columns: counted is the last offset, on line, after column characters.
type lineCounter struct {
	text                  string
	line, column, counted int
}

func (c *lineCounter) place(offset int) (line, column int) {
	passed := c.text[c.counted:offset]
	if last := strings.LastIndexByte(passed, '\n'); last >= 0 {
		c.line += strings.Count(passed, "\n")
		c.column, passed = 0, passed[last+1:]
	}
	c.column += utf8.RuneCountInString(passed)
	c.counted = offset
	return c.line, c.column + 1
}
