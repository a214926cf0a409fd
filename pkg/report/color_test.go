package report

import (
	"io"
	"strings"
	"testing"
)

// TestColored colours what comes, changes and goes, and no line of an object, however the text arrives.
func TestColored(t *testing.T) {
	t.Parallel()
	const text = "!! lost\n  + created A\n    - item\n  - deleted B\n  ~ updated C\n    x: 1 -> 2\nend"
	const want = "\x1b[1;31m!! lost\x1b[0m\n\x1b[32m  + created A\x1b[0m\n    - item\n\x1b[31m  - deleted B\x1b[0m\n\x1b[33m  ~ updated C\x1b[0m\n    x: 1 -> 2\nend"
	for _, size := range []int{1, 3, 100} {
		var b strings.Builder
		w := Colored(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := io.WriteString(w, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil || b.String() != want {
			t.Errorf("%d bytes at once: %q (%v)", size, b.String(), err)
		}
	}
}
