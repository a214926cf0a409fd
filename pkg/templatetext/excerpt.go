package templatetext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/policyloom/policyloom/pkg/diag"
)

const (
	// around is how many lines an excerpt shows on each side.
	around = 2
	// longestLine is how many characters of a line it shows.
	longestLine = 160
)

// Excerpt gives the lines around a line of a text, which counts from 1, with that line marked. number gives the number that is
// shown for a line, 0 for none. Blanks at the end of lines and tabs are made visible. It is empty if there is no such line.
func Excerpt(text string, line int, number func(line int) int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	first, last := max(1, line-around), min(len(lines), line+around)
	width := 0
	for i := first; i <= last; i++ {
		width = max(width, len(label(number(i))))
	}
	var b strings.Builder
	for i := first; i <= last; i++ {
		mark := " "
		if i == line {
			mark = ">"
		}
		shown := fmt.Sprintf("%s %*s | %s", mark, width, label(number(i)), visible(lines[i-1]))
		if width == 0 {
			shown = mark + " | " + visible(lines[i-1])
		}
		shown = strings.TrimRight(shown, " ")
		b.WriteString(shown + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func label(number int) string {
	if number <= 0 {
		return ""
	}
	return fmt.Sprint(number)
}

// visible shows what is easily overlooked in a line, and shortens it.
func visible(line string) string {
	trimmed := strings.TrimRight(line, " ")
	line = trimmed + strings.Repeat("·", len(line)-len(trimmed))
	line = diag.Printable(strings.ReplaceAll(line, "\t", "→"))
	if utf8.RuneCountInString(line) > longestLine {
		line = string([]rune(line)[:longestLine]) + "…"
	}
	return line
}
