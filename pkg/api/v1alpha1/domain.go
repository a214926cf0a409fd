package v1alpha1

import (
	"fmt"
	"strings"
)

const (
	// maxLabelLength and maxNameLength are the limits of DNS.
	maxLabelLength = 63
	maxNameLength  = 253
)

// domainFault says what is wrong with a domain and what to write instead, or nothing if it is valid: labels of lower-case
// letters, digits and inner hyphens.
func domainFault(domain string) (message, hint string) {
	trimmed := strings.ToLower(strings.Trim(strings.TrimPrefix(domain, "*."), "."))
	if fault := labelsFault(trimmed); fault != "" {
		return fmt.Sprintf("%q is not a domain: %s", shorten(domain), fault), ""
	}
	hint = "write " + trimmed
	switch {
	case domain == trimmed:
		return "", ""
	case strings.HasPrefix(domain, "*."):
		return fmt.Sprintf("%q has a wildcard", shorten(domain)), hint + ", which takes in every name below"
	case strings.HasSuffix(domain, "."):
		return fmt.Sprintf("%q ends with a dot", shorten(domain)), hint
	case strings.HasPrefix(domain, "."):
		return fmt.Sprintf("%q starts with a dot", shorten(domain)), hint
	}
	return fmt.Sprintf("%q has upper-case letters", shorten(domain)), hint
}

// labelsFault says what is wrong with a lower-case name as a sequence of labels.
func labelsFault(name string) string {
	if len(name) > maxNameLength {
		return fmt.Sprintf("it has %d characters, %d over the limit of %d", len(name), len(name)-maxNameLength, maxNameLength)
	}
	for label := range strings.SplitSeq(name, ".") {
		if fault := labelFault(label); fault != "" {
			return fault
		}
	}
	return ""
}

func labelFault(label string) string {
	switch {
	case label == "":
		return "a label is empty"
	case strings.ContainsFunc(label, func(r rune) bool { return !isNameCharacter(r) }):
		return "a label holds something else than letters, digits and hyphens"
	case strings.HasPrefix(label, "-"), strings.HasSuffix(label, "-"):
		return "a label starts or ends with a hyphen"
	case len(label) > maxLabelLength:
		return fmt.Sprintf("the label %q has %d characters, %d over the limit of %d",
			shorten(label), len(label), len(label)-maxLabelLength, maxLabelLength)
	}
	return ""
}

// isNameCharacter tells whether a label may hold a character.
func isNameCharacter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-'
}

// isWithin tells whether a name is a domain or below it.
func isWithin(name, domain string) bool {
	return name == domain || strings.HasSuffix(name, "."+domain)
}
