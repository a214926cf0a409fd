package render

import (
	"regexp"
	"strings"
)

// hubAction is a hub template inside of a line.
var hubAction = regexp.MustCompile(`\{\{hub.*?hub\}\}`)

// writtenLine gives the line of a text that a line of the same text comes from after its hub templates were resolved, which adds
// and removes lines and changes some. Lines count from 1. ok is false where the texts do not tell.
func writtenLine(written, resolved string, line int) (int, bool) {
	if written == resolved {
		return line, true
	}
	from, to := strings.Split(written, "\n"), strings.Split(resolved, "\n")
	if line < 1 || line > len(to) {
		return 0, false
	}
	// The line itself may stand in several places; then the lines around it decide.
	best, bestScore, unique := 0, 0, false
	for i := range from {
		score := likeness(from, to, i, line-1)
		switch {
		case score > bestScore:
			best, bestScore, unique = i+1, score, true
		case score == bestScore:
			unique = false
		}
	}
	return best, unique
}

// likeness counts the lines around line i of from that may have become those around line j of to, i itself included: in one go
// before it, and in one go after it. A line of hub templates alone may have become anything, so it does not count.
func likeness(from, to []string, i, j int) int {
	if !matches(from[i], to[j]) || weight(from[i]) == 0 {
		return 0
	}
	score := 1
	for n := 1; i-n >= 0 && j-n >= 0 && matches(from[i-n], to[j-n]); n++ {
		score += weight(from[i-n])
	}
	for n := 1; i+n < len(from) && j+n < len(to) && matches(from[i+n], to[j+n]); n++ {
		score += weight(from[i+n])
	}
	return score
}

func weight(written string) int {
	if strings.TrimSpace(hubAction.ReplaceAllString(written, "")) == "" {
		return 0
	}
	return 1
}

// matches tells whether a line may have become another one by hub templates in it.
func matches(written, resolved string) bool {
	if !strings.Contains(written, "{{hub") && !strings.Contains(written, "hub}}") {
		return written == resolved
	}
	literals := hubAction.Split(written, -1)
	if len(literals) == 1 || strings.Contains(strings.Join(literals, ""), "hub}}") || strings.Contains(strings.Join(literals, ""), "{{hub") {
		// The template begins or ends on another line.
		return false
	}
	rest, ok := strings.CutPrefix(resolved, literals[0])
	if !ok {
		return false
	}
	last := literals[len(literals)-1]
	for _, literal := range literals[1 : len(literals)-1] {
		_, after, found := strings.Cut(rest, literal)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}
