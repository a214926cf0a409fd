package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// whyRequirement explains a requirement that the values (labels or claims of a cluster) do not meet.
func whyRequirement(noun string, r labels.Requirement, values map[string]string) Reason {
	reason := Reason{Kind: Predicate}
	value, present := values[r.Key()]
	wanted := slices.Sorted(maps.Keys(r.Values()))
	switch r.Operator() {
	case selection.DoesNotExist:
		reason.Message = fmt.Sprintf("%s %s: must not be there, is %q", noun, r.Key(), value)
		return reason
	case selection.NotIn, selection.NotEquals:
		reason.Message = fmt.Sprintf("%s %s: must not be %s", noun, r.Key(), quotedList(wanted))
		return reason
	case selection.Exists:
		reason.Message = fmt.Sprintf("%s %s: is missing", noun, r.Key())
	default:
		reason.Message = fmt.Sprintf("%s %s: want %s, ", noun, r.Key(), quotedList(wanted))
		if present {
			reason.Message += fmt.Sprintf("is %q", value)
			reason.Hint = nearValue(value, wanted)
			return reason
		}
		reason.Message += "is missing"
	}
	reason.Hint = nearKey(noun, r.Key(), values)
	return reason
}

// nearKey finds a key that differs in letter case or spelling only.
func nearKey(noun, key string, values map[string]string) string {
	keys := slices.Sorted(maps.Keys(values))
	i := slices.IndexFunc(keys, func(candidate string) bool { return strings.EqualFold(candidate, key) })
	if i < 0 {
		i = slices.IndexFunc(keys, func(candidate string) bool { return sameWord(candidate, key) })
	}
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("the cluster has %s %s: %q", noun, keys[i], values[keys[i]])
}

// sameWord tells whether two keys have the same prefix and a last part that differs by a slip or two.
func sameWord(a, b string) bool {
	prefixA, nameA := cutLast(a)
	prefixB, nameB := cutLast(b)
	return prefixA == prefixB && len(nameA) > 3 && levenshtein.ComputeDistance(nameA, nameB) <= 2
}

func cutLast(key string) (prefix, name string) {
	i := strings.LastIndex(key, "/")
	return key[:i+1], key[i+1:]
}

// nearValue says when a value was probably meant to be one of the wanted: other letter case, or another word for "on".
func nearValue(value string, wanted []string) string {
	for _, want := range wanted {
		switch {
		case strings.EqualFold(value, want):
			return "label values are compared exactly, letter case included"
		case means(value, affirmative) && means(want, affirmative), means(value, negative) && means(want, negative):
			return fmt.Sprintf("%q and %q are different values", value, want)
		}
	}
	for _, want := range wanted {
		if closeWords(value, want) {
			return fmt.Sprintf("%q and %q are different values", value, want)
		}
	}
	return ""
}

// closeWords tells whether one word begins with the other, as prod and production do, or differs from it by a slip.
func closeWords(a, b string) bool {
	if len(a) < 3 || len(b) < 3 {
		return false
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) || levenshtein.ComputeDistance(a, b) == 1
}

const (
	affirmative = "true yes on enabled enable 1"
	negative    = "false no off disabled disable 0"
)

func means(value, words string) bool {
	return slices.Contains(strings.Fields(words), strings.ToLower(value))
}

func quotedList(values []string) string {
	quoted := make([]string, 0, len(values))
	for _, value := range values {
		quoted = append(quoted, fmt.Sprintf("%q", value))
	}
	return strings.Join(quoted, " or ")
}
