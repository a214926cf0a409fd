package generate

import (
	"regexp"
	"strings"
)

// globPattern gives a regular expression for names that match one of the globs, in which * stands for any characters and
// ? for any one. It is empty if there are no globs or if one of them matches everything.
func globPattern(globs []string) string {
	alternatives := make([]string, 0, len(globs))
	for _, glob := range globs {
		if strings.Trim(glob, "*") == "" {
			return ""
		}
		pattern := regexp.QuoteMeta(glob)
		pattern = strings.ReplaceAll(pattern, `\*`, ".*")
		alternatives = append(alternatives, strings.ReplaceAll(pattern, `\?`, "."))
	}
	if len(alternatives) == 0 {
		return ""
	}
	return "^(" + strings.Join(alternatives, "|") + ")$"
}

// excludePattern is globPattern for a list that excludes: what matches everything excludes everything.
func excludePattern(globs []string) string {
	if len(globs) > 0 && globPattern(globs) == "" {
		return "^"
	}
	return globPattern(globs)
}
