package generate

import (
	"regexp"
	"strings"
)

// globs gives a regular expression, in brackets, for names that match one of the globs, in which * stands for any characters
// and ? for any one that the regular expression character matches. It is empty if there are no globs or if one of them matches
// everything.
func globs(list []string, character string) string {
	alternatives := make([]string, 0, len(list))
	for _, glob := range list {
		if strings.Trim(glob, "*") == "" {
			return ""
		}
		pattern := regexp.QuoteMeta(glob)
		pattern = strings.ReplaceAll(pattern, `\*`, character+`*`)
		alternatives = append(alternatives, strings.ReplaceAll(pattern, `\?`, character))
	}
	if len(alternatives) == 0 {
		return ""
	}
	return "(" + strings.Join(alternatives, "|") + ")"
}

// globPattern gives a regular expression for names that match one of the globs. It is empty if every name does, or if there
// are no globs.
func globPattern(list []string) string {
	if pattern := globs(list, `.`); pattern != "" {
		return "^" + pattern + "$"
	}
	return ""
}

// excludePattern is globPattern for a list that excludes: what matches everything excludes everything.
func excludePattern(list []string) string {
	if len(list) > 0 && globs(list, `.`) == "" {
		return "^"
	}
	return globPattern(list)
}
