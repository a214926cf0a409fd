package diag

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Suggest gives the candidate that was most likely meant by word, whatever its case, or "" if none is close.
func Suggest(word string, candidates []string) string {
	best, bestDistance := "", 1+max(len(word), 2)/2
	for _, candidate := range candidates {
		distance := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(candidate))
		if distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// DidYouMean gives the hint for an unknown word: the closest candidate, or the empty string.
func DidYouMean(word string, candidates []string) string {
	if candidate := Suggest(word, candidates); candidate != "" {
		return fmt.Sprintf("did you mean %q?", candidate)
	}
	return ""
}
