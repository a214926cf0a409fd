package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/diag"
)

// searchSize is the length of a document up to which the line of an error is searched for, which parses the document
// some ten times.
const searchSize = 1 << 20

var lineNumber = regexp.MustCompile(`line (\d+): `)

// syntaxFinding turns an error of the YAML parser into a finding. The parser often names the line where the broken
// block begins, so the line that really breaks it is searched for.
func syntaxFinding(o *origin, tree *yaml.Node, err error) diag.Finding {
	message := strings.TrimSpace(strings.TrimPrefix(err.Error(), "yaml: "))
	line, column := 1, 1
	switch {
	case errors.Is(err, errNotANumber):
		node := findNode(tree, func(n *yaml.Node) bool {
			_, _, ok := resolvePlain(n.Value)
			return !ok && n.Kind == yaml.ScalarNode && n.Style == 0
		})
		if node != nil {
			line, column = node.Line, node.Column
		}
	case strings.Contains(message, "excessive aliasing"):
		message = "aliases make the document too large: " + message
	default:
		line = problemLine(o.text, message)
		column = firstColumn(o.text, line)
	}
	message = lineNumber.ReplaceAllString(message, "")
	f := diag.Finding{Position: diag.Position{File: o.file, Line: o.line + line - 1, Column: column}}
	text, _, _ := strings.Cut(skipLines(o.text, line-1), "\n")
	f.Message, f.Hint = explainSyntax(message, text)
	if tab := strings.IndexByte(text, '\t'); tab >= 0 && tab < len(text)-len(strings.TrimLeft(text, " \t")) {
		f.Column = tab + 1
	}
	return f
}

// problemLine gives the first line such that the text up to its end has the error of the whole text. Where something is
// not closed, it gives the line where that begins.
func problemLine(text, message string) int {
	if strings.Contains(message, "could not find expected ':'") || strings.Contains(message, "found unexpected end of stream") {
		return contextLine(text)
	}
	fails := func(part string) bool {
		_, err := parseYAML(part)
		return err != nil && strings.TrimSpace(strings.TrimPrefix(err.Error(), "yaml: ")) == message
	}
	if len(text) > searchSize {
		if match := lineNumber.FindStringSubmatch(message); match != nil {
			line, _ := strconv.Atoi(match[1])
			return line
		}
		return 1
	}
	var ends []int
	for offset := 0; offset < len(text); {
		offset = min(lineEnd(text, offset)+1, len(text))
		ends = append(ends, offset)
	}
	return 1 + sort.Search(len(ends)-1, func(i int) bool { return fails(text[:ends[i]]) })
}

// contextLine gives the line that the other YAML parser names, which is the one where the broken construct begins.
func contextLine(text string) int {
	var node yaml.Node
	// The parser names no first line, so what it reads begins with the second.
	if err := yaml.Unmarshal([]byte("\n"+text), &node); err != nil {
		if match := lineNumber.FindStringSubmatch(err.Error()); match != nil {
			line, _ := strconv.Atoi(match[1])
			return max(line-1, 1)
		}
	}
	return 1
}

func firstColumn(text string, line int) int {
	text = skipLines(text, line-1)
	return 1 + len(text) - len(strings.TrimLeft(text, " \t"))
}

// explainSyntax says what a message of the YAML parser means, given the line that it is about.
func explainSyntax(message, line string) (what, hint string) {
	trimmed := strings.TrimLeft(line, " \t")
	first, _ := utf8.DecodeRuneInString(trimmed)
	switch {
	case strings.Contains(line[:len(line)-len(trimmed)], "\t"):
		return "a tab in the indentation", "YAML is indented with spaces"
	case strings.HasPrefix(trimmed, "{{"):
		return "a Go template outside of a string", "templates belong into quotes or into a block such as object-templates-raw: |"
	case strings.Contains(line, ": {{"):
		return "a Go template outside of a string", "put the value into quotes"
	case strings.Contains(message, "cannot start any token"):
		return fmt.Sprintf("a value must not begin with %q", badStart(trimmed, first)), "put the value into quotes"
	case strings.HasPrefix(message, "invalid map key"):
		return "a key of a mapping must be a string", "what begins with { or [ and is no mapping or list needs quotes"
	case strings.Contains(message, "mapping values are not allowed"):
		return message, "a value that holds \": \" needs quotes; or the line is indented too far"
	case strings.Contains(message, "did not find expected key"):
		return message, "the line does not have the indentation of the lines that it belongs to, or a quote ends too early"
	case strings.Contains(message, "did not find expected '-' indicator"):
		return message, "the line does not have the indentation of the list that it belongs to"
	case strings.Contains(message, "could not find expected ':'"):
		return message, "a key needs a colon and a space behind it; further lines of a value are indented more than its key"
	case strings.Contains(message, "found unexpected end of stream"):
		return message, "a quote is not closed"
	case strings.Contains(message, "did not find expected ','"):
		return message, "a bracket or brace is not closed; a template needs quotes"
	case strings.Contains(message, "unknown anchor"):
		return message, "an anchor holds for one document only; a value that begins with * needs quotes"
	case strings.Contains(message, "unknown escape character"):
		return message, "use single quotes, in which a backslash is a plain character"
	case strings.Contains(message, "control characters"):
		return message, "write the character as an escape sequence in double quotes"
	}
	return message, ""
}

// badStart finds the character that YAML does not allow a value to begin with.
func badStart(line string, first rune) rune {
	for _, c := range "@`%\t" {
		if strings.Contains(line, ": "+string(c)) || strings.Contains(line, "- "+string(c)) {
			return c
		}
	}
	return first
}
