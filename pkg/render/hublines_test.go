package render

import (
	"strings"
	"testing"
)

func TestWrittenLine(t *testing.T) {
	t.Parallel()
	const text = `{{- $a := 1 }}
{{hub- range list "x" "y" hub}}
- name: '{{hub . hub}}'
  same: line
{{hub- end hub}}
- name: last-{{hub .ManagedClusterName hub}}
  same: line
  own: line`
	const resolved = `{{- $a := 1 }}
- name: 'x'
  same: line
- name: 'y'
  same: line
- name: last-c1
  same: line
  own: line`
	for name, c := range map[string]struct {
		written, resolved string
		// want holds for each line of resolved the line of written, 0 where the texts do not tell.
		want []int
	}{
		"nothing changes":      {"a\nb\na", "a\nb\na", []int{1, 2, 3}},
		"a loop":               {text, resolved, []int{1, 3, 4, 3, 4, 6, 7, 8}},
		"one line gives two":   {"a\n{{hub x hub}}\nb", "a\n1\n2\nb", []int{1, 0, 0, 3}},
		"a template of lines":  {"a\n{{hub if x\n y hub}}\nb\n{{hub end hub}}", "a\n\nb\n", []int{1, 0, 4, 0}},
		"twice the same":       {"{{hub x hub}}\na\n{{hub y hub}}\na", "\n\na\n\n\n\na", []int{0, 0, 0, 0, 0, 0, 0}},
		"a value holds a line": {"a: {{hub x hub}}\nb", "a: 1\nb\nb", []int{1, 2, 2}},
	} {
		for i, want := range c.want {
			line, ok := writtenLine(c.written, c.resolved, i+1)
			if ok != (want != 0) || ok && line != want {
				t.Errorf("%s: line %d %q: got %d %v, want %d", name, i+1, strings.Split(c.resolved, "\n")[i], line, ok, want)
			}
		}
		for _, line := range []int{-1, 0, 100} {
			if at, ok := writtenLine(c.written, c.resolved, line); ok && c.written != c.resolved {
				t.Errorf("%s: line %d is line %d", name, line, at)
			}
		}
	}
}

// FuzzWrittenLine checks that a line which is certain exists.
func FuzzWrittenLine(f *testing.F) {
	f.Add("a\n{{hub x hub}}\nb", "a\n1\nb", 3)
	f.Add("{{hub hub}}{{hub", "hub}}", 1)
	f.Add("{{hub a hub}}b{{hub c hub}}b", "xb", 1)
	f.Fuzz(func(t *testing.T, written, resolved string, line int) {
		at, ok := writtenLine(written, resolved, line)
		if ok && written != resolved && (at < 1 || at > 1+strings.Count(written, "\n")) {
			t.Errorf("line %d of %q is line %d of %q", line, resolved, at, written)
		}
	})
}
