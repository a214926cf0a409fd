package manifest

import (
	"bytes"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/policyloom/policyloom/pkg/diag"
)

const utf8Hint = "save the file as UTF-8; in PowerShell, oc get ... | Out-File -Encoding utf8 does it"

// readText gives the text of a file without its byte order mark and with plain line ends. It returns a finding for a
// file that is not UTF-8. The text takes the memory of data, which must not change any more.
func readText(file string, data []byte) (string, *diag.Finding) {
	finding := diag.Finding{Severity: diag.Error, Position: diag.Position{File: file, Line: 1, Column: 1}, Hint: utf8Hint}
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		finding.Message = "the text is UTF-16, not UTF-8"
		return "", &finding
	case !utf8.Valid(data):
		finding.Message = "the text is not UTF-8"
		finding.Line, finding.Column = invalidPlace(data)
		return "", &finding
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := unsafe.String(unsafe.SliceData(data), len(data))
	// A lone carriage return is a line end of its own to YAML, so only pairs are taken for line ends of Windows.
	if pairs := strings.Count(text, "\r\n"); pairs > 0 && pairs == strings.Count(text, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text, nil
}

// invalidPlace gives the line and column of the first byte that is not UTF-8.
func invalidPlace(data []byte) (line, column int) {
	line, column = 1, 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		data = data[size:]
	}
	return line, column
}

// document is one document of a file; line is the number of its first line.
type document struct {
	excerpt
	line int
	// junk is what follows the document separator on its line, where only a comment may be.
	junk string
}

// splitDocuments cuts the text of a file at its document separators: lines that begin with ---, as kubectl does, and the document
// end marks of YAML, after which kubectl would drop the rest. Documents without content are left out.
func splitDocuments(whole excerpt) []document {
	text := whole.text
	var list []document
	current, start := document{line: 1}, 0
	line := 1
	// Most texts are one document, which need not be looked at line by line.
	if !mayHoldSeparator(text) {
		if current.excerpt = whole; !current.empty() {
			return []document{current}
		}
		return nil
	}
	for offset := 0; offset < len(text); line++ {
		end := lineEnd(text, offset)
		if separator, rest := cutSeparator(text[offset:end]); separator {
			if current.excerpt = whole.part(start, offset); !current.empty() {
				list = append(list, current)
			}
			current, start = document{line: line + 1, junk: rest}, min(end+1, len(text))
		}
		offset = end + 1
	}
	if current.excerpt = whole.part(start, len(text)); !current.empty() {
		list = append(list, current)
	}
	return list
}

func mayHoldSeparator(text string) bool {
	for _, mark := range []string{"---", "..."} {
		if strings.HasPrefix(text, mark) || strings.Contains(text, "\n"+mark) {
			return true
		}
	}
	return false
}

// cutSeparator tells whether the line separates two documents, and gives what else is on it.
func cutSeparator(line string) (separator bool, rest string) {
	rest, separator = strings.CutPrefix(line, "---")
	if !separator {
		if rest, separator = strings.CutPrefix(line, "..."); !separator || rest != "" && rest[0] > ' ' {
			return false, ""
		}
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "#") {
		rest = ""
	}
	return separator, rest
}

// empty tells whether the document holds nothing but blanks, comments and directives.
func (d document) empty() bool {
	if d.junk != "" {
		return false
	}
	for line := range strings.Lines(d.text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}
