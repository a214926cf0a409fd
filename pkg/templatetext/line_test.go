package templatetext

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/client-go/rest"
)

// place is how text/template says where an error is.
var place = regexp.MustCompile(`template: tmpl:(\d+)(?::(\d+))?: `)

// TestLine breaks each line of a template once and compares the line that the engine's error leads to.
func TestLine(t *testing.T) {
	t.Parallel()
	engine, err := templates.NewResolver(&rest.Config{}, templates.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing typed": "{{ $a := 1 }}\n- a: b\n  c: '{{ $a }}'\n",
		"typed":         "- a: '{{ \"3\" | toInt }}'\n  b: {{ \"true\" | toBool }}\n  c: |-\n    {{ \"x\" | toLiteral }}\n  d: e\n  f: \"{{ 1 }}\"\n\n  g: h\n",
		"many on one":   "a: {{ 1 | toInt }}\nb: {{ 2 | toInt }}\nc: {{ 3 | toInt }}\nd: 4\n",
		"data":          "data: '{{ copyConfigMapData \"a\" \"b\" }}'\nmore: c\nlast: d\n",
		"block":         "a: |\n  '{{ 6 | toInt }}'\nb: c\n",
		"trimmed":       "{{- range list 1 2 -}}\n- a: {{ . | toInt -}}\n\n  b: c\n{{- end -}}\n",
	} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i := range lines {
			// The engine finds an unknown function when it parses, and the wrong index when it executes.
			for _, broken := range []string{"{{ unknown }}", "{{ index (list 1) 7 }}"} {
				changed := append([]string{}, lines...)
				changed[i] = changed[i] + " # " + broken
				whole := strings.Join(changed, "\n") + "\n"
				_, err := engine.ResolveTemplate([]byte(whole), nil, &templates.ResolveOptions{
					InputIsYAML:     true,
					CustomFunctions: map[string]any{"copyConfigMapData": func(string, string) string { return "{}" }},
				})
				if err == nil {
					t.Fatalf("%s: %q does not fail", name, whole)
				}
				match := place.FindStringSubmatch(err.Error())
				if match == nil {
					t.Fatalf("%s: %v", name, err)
				}
				line, _ := strconv.Atoi(match[1])
				column, _ := strconv.Atoi(match[2])
				got := Line(whole, line, column)
				// Without a column, what the engine joined into one line has the line of its beginning.
				if got != i+1 && (match[2] != "" || got > i+1 || Line(whole, line, 1<<20) < i+1) {
					t.Errorf("%s: %q in line %d is found in line %d (%s)", name, whole, i+1, got, fmt.Sprint(match))
				}
			}
		}
	}
}

// FuzzLine checks that hostile templates give a line of theirs.
func FuzzLine(f *testing.F) {
	f.Add("a: '{{ 1 | toInt }}'\nb: c\n", 1, 3)
	f.Add("a: {{ 1 | toInt }}\n\n\n", 2, 0)
	f.Add("", 1, 0)
	f.Add("x", -1, -5)
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		got := Line(text, line, column)
		if typed.MatchString(text) && (got < 1 || got > 1+strings.Count(text, "\n")) {
			t.Errorf("line %d of %q", got, text)
		}
	})
}
