package templatetext

import (
	"regexp"
	"strings"
)

// typed matches what the engine shortens: a value that is a template with a conversion in it, together with the quotes and all
// white space around it, line breaks included.
var typed = regexp.MustCompile(
	`:\s+(?:[|>]-?\s+)?'?\s*(\{\{-?(?:.*\|\s*(?:toInt|toBool|toLiteral)|.*(?:copyConfigMapData|copySecretData)).*\}\})\s*'?`)

// Line gives the line in text that a line and a column of what the engine parses come from. Lines count from 1, columns
// count bytes from 0, as in the messages of text/template.
func Line(text string, line, column int) int {
	column = max(column, 0)
	matches := typed.FindAllStringSubmatchIndex(text, -1)
	if matches == nil {
		return line
	}
	// pieces of the text as the engine parses it, each with its place in text.
	type piece struct {
		parsed string
		at     int
	}
	var pieces []piece
	end := 0
	for _, m := range matches {
		pieces = append(pieces, piece{text[end:m[0]], end}, piece{": ", m[0]}, piece{text[m[2]:m[3]], m[2]})
		end = m[1]
	}
	pieces = append(pieces, piece{text[end:], end})
	for current, p := 1, 0; p < len(pieces); p++ {
		breaks := strings.Count(pieces[p].parsed, "\n")
		if current+breaks < line {
			current += breaks
			continue
		}
		// The place is in this piece, or further on in the same line.
		offset := 0
		for ; current < line; current++ {
			offset += strings.IndexByte(pieces[p].parsed[offset:], '\n') + 1
		}
		for p+1 < len(pieces) && offset+column >= len(pieces[p].parsed) && !strings.Contains(pieces[p].parsed[offset:], "\n") {
			column -= len(pieces[p].parsed) - offset
			p, offset = p+1, 0
		}
		rest, _, _ := strings.Cut(pieces[p].parsed[offset:], "\n")
		return 1 + strings.Count(text[:pieces[p].at+offset+min(column, len(rest))], "\n")
	}
	return 1 + strings.Count(text, "\n")
}
