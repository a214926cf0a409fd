package v1alpha1

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// convention checks the pattern of names, and its use of the domain.
func (v *validator) convention(names *Names) {
	const field = "spec.names.convention"
	convention := names.Convention
	hasDomain := names.Domain != Domain{} || v.resource.isFaulty("spec.names.domain.default") ||
		v.resource.isFaulty("spec.names.domain.clusterLabel") || v.resource.isFaulty("spec.names.domain.configMap")
	if convention == "" {
		if hasDomain {
			v.warning("spec.names.domain", "the domain has no effect without a convention", "for example convention: \"{vm}.{namespace}.{domain}\"")
		}
		return
	}
	if !v.placeholders(field, convention) {
		return
	}
	for name := range strings.SplitSeq(convention, ",") {
		name = strings.TrimSpace(name)
		below, isWildcard := strings.CutPrefix(name, "*.")
		if isWildcard && (names.AllowWildcards == nil || !*names.AllowWildcards) {
			v.error(field, fmt.Sprintf("%q: is a wildcard", shorten(name)), "set names.allowWildcards: true, or leave *. out")
		}
		if message, hint := conventionFault(below); message != "" {
			v.error(field, fmt.Sprintf("%q: %s", shorten(name), message), hint)
		}
		if name != "" && !strings.Contains(name, "{vm}") {
			v.error(field, fmt.Sprintf("%q: without {vm} all virtual machines share one name", shorten(name)), "for example \"{vm}.{namespace}.{domain}\"")
		}
	}
	usesDomain := strings.Contains(convention, "{domain}")
	if usesDomain && !hasDomain {
		v.error(field, "{domain} stands for nothing", "set domain.default, domain.clusterLabel or domain.configMap")
	}
	if !usesDomain && hasDomain {
		v.warning("spec.names.domain", "the domain has no effect: the convention lacks {domain}", "")
	}
}

// placeholders reports unknown placeholders and braces without one, and tells whether there were none of these.
func (v *validator) placeholders(field, convention string) bool {
	known := []string{"vm", "namespace", "interface", "domain"}
	const all = "{vm}, {namespace}, {interface} or {domain}"
	valid := true
	for _, match := range placeholder.FindAllStringSubmatch(convention, -1) {
		if slices.Contains(known, match[1]) {
			continue
		}
		hint := all
		if meant := diag.Suggest(match[1], known); meant != "" {
			hint = fmt.Sprintf("did you mean {%s}?", meant)
		}
		v.error(field, fmt.Sprintf("unknown placeholder %q", shorten(match[0])), hint)
		valid = false
	}
	if strings.ContainsAny(placeholder.ReplaceAllString(convention, ""), "{}") {
		v.error(field, "a brace is not part of a placeholder", all)
		valid = false
	}
	return valid
}

// conventionFault says what is wrong with a convention whose placeholders are known. A letter stands for each of them,
// since what they stand for starts and ends with a letter or a digit.
func conventionFault(convention string) (message, hint string) {
	sample := strings.ReplaceAll(convention, "{domain}", "d.d")
	sample = placeholder.ReplaceAllString(sample, "x")
	switch lower := strings.ToLower(sample); {
	case strings.HasSuffix(sample, "."):
		return "ends with a dot", "leave it out"
	case labelsFault(lower) != "":
		return "no valid name: " + labelsFault(lower), ""
	case lower != sample:
		return "has upper-case letters", "names are written in lower case"
	case !strings.Contains(sample, "."):
		return "a name of one label", "for example \"{vm}.{namespace}.{domain}\""
	}
	return "", ""
}
