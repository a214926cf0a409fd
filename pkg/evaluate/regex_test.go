package evaluate

import (
	"fmt"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

func TestCachedRegexesAreThoseOfSprig(t *testing.T) {
	t.Parallel()
	call := func(functions template.FuncMap, text, expression, subject string) string {
		parsed, err := template.New("t").Funcs(functions).Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var b writer
		err = parsed.Execute(&b, map[string]string{"e": expression, "s": subject})
		return fmt.Sprint(b.text, err)
	}
	cached := cachedRegexes()
	if len(cached) != 2 {
		t.Fatalf("replaced %d functions", len(cached))
	}
	for _, expression := range []string{"", "a", "^a+$", "[0-9a-f]+", "(", "[z-a]", `\p{L}`, "a{1000}{1000}"} {
		for _, subject := range []string{"", "a", "aaa", "baab", "1f:2e::3", "\xff", "é"} {
			for _, text := range []string{"{{regexMatch .e .s}}", "{{regexFindAll .e .s -1}}", "{{regexFindAll .e .s 1}}"} {
				for range 2 {
					got, want := call(cached, text, expression, subject), call(sprig.FuncMap(), text, expression, subject)
					if got != want {
						t.Errorf("%s with %q and %q: got %s, want %s", text, expression, subject, got, want)
					}
				}
			}
		}
	}
}

type writer struct{ text string }

func (w *writer) Write(p []byte) (int, error) {
	w.text += string(p)
	return len(p), nil
}
