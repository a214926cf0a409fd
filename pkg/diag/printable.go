package diag

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable replaces what a terminal could act upon (control characters, bidirectional overrides, line separators and
// invalid UTF-8) by its Go escape, since messages quote data that tenants choose.
func Printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
