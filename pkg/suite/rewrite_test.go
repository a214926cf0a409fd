package suite

import (
	"strings"
	"testing"
)

const rewriteHead = "apiVersion: policyloom.dev/v1alpha1\nkind: PolicyTest\nmetadata: {name: t}\nspec:\n  cases:\n"

func TestRewritten(t *testing.T) {
	object := []any{map[string]any{"kind": "A", "list": []any{"b"}}}
	for name, c := range map[string]struct {
		field  string
		value  any
		before string
		// after is empty if the field cannot be rewritten.
		after string
	}{
		"a word":        {"spec.cases[0].is", "Compliant", "  - is: NonCompliant # now\n", "  - is: Compliant # now\n"},
		"in braces":     {"spec.cases[0].a.is", int64(2), "  - {a: {is: 1}, b: 1}\n", "  - {a: {is: 2}, b: 1}\n"},
		"after another": {"spec.cases[1].is", int64(2), "  - {is: 1}\n  - {is: 1}\n", "  - {is: 1}\n  - {is: 2}\n"},
		"words":         {"spec.cases[0].clusters", []any{"a", "b"}, "  - clusters: [c]\n", "  - clusters: [a, b]\n"},
		"no words":      {"spec.cases[0].clusters", []any{}, "  - clusters: [c]\n", "  - clusters: []\n"},
		"block of words": {
			"spec.cases[0].clusters", []any{"a"}, "  - clusters:\n    - c\n    # why\n    - d\n    b: 1\n", "  - clusters:\n    - a\n    b: 1\n",
		},
		"objects for none": {
			"spec.cases[0].exactly", object, "  - exactly: []\n    b: 1\n", "  - exactly:\n    - kind: A\n      list:\n      - b\n    b: 1\n",
		},
		"none for objects": {
			"spec.cases[0].exactly",
			[]any{},
			"  - b: 1\n    exactly:\n      - kind: A\n        text: |\n          c\n\n          d\n\n  - b: 2\n",
			"  - b: 1\n    exactly: []\n\n  - b: 2\n",
		},
		"a new field": {
			"spec.cases[0].exactly", object, "  - kinds: [A]\n    # more\n    labels:\n      a: b\n  - b: 2\n",
			"  - kinds: [A]\n    # more\n    labels:\n      a: b\n    exactly:\n    - kind: A\n      list:\n      - b\n  - b: 2\n",
		},
		"quoted":                   {"spec.cases[0].is", "b", "  - is: \"a\"\n", "  - is: b\n"},
		"without an end of line":   {"spec.cases[0].is", int64(2), "  - is: 1", "  - is: 2\n"},
		"a number as text":         {"spec.cases[0].is", "1", "  - is: a\n", "  - is: \"1\"\n"},
		"in an alias":              {"spec.cases[1].a.is", int64(2), "  - a: &x {is: 1}\n  - a: *x\n", ""},
		"objects in braces":        {"spec.cases[0].exactly", object, "  - {exactly: []}\n", ""},
		"with an anchor":           {"spec.cases[0].is", int64(2), "  - is: &x 1\n    b: *x\n", ""},
		"a case that is not there": {"spec.cases[1].is", int64(2), "  - is: 1\n", ""},
		"another test": {
			"spec.cases[0].is", int64(2), "  - is: 1\n---\nkind: PolicyTest\nmetadata: {name: u}\nspec:\n  cases:\n  - is: 1\n",
			"  - is: 2\n---\nkind: PolicyTest\nmetadata: {name: u}\nspec:\n  cases:\n  - is: 1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := rewritten([]byte(rewriteHead+c.before), "t", update{c.field, c.value})
			if ok != (c.after != "") || ok && string(got) != rewriteHead+c.after {
				t.Errorf("rewritten: %v\n%s\nwant\n%s", ok, strings.TrimPrefix(string(got), rewriteHead), c.after)
			}
		})
	}
}

// FuzzRewritten checks that whatever a file looks like, nothing but the field changes, or nothing at all.
func FuzzRewritten(f *testing.F) {
	for _, seed := range []string{
		"  - is: 1\n    b: {c: d}\n", "  - {is: 1, b: 2} # c\n", "  - b: |\n      is: 1\n    is: \"1\"\n", "  - is:\n    - a\n    -  b\r\n  - is: é\n",
		"  - b: &a [1]\n    is: *a\n", "  - ? is\n    : 1\n", "\t- is: 1", "  - is: >-\n      a\n      b\n    c: 1\n", "  - <<: {is: 1}\n    is: 2\n",
	} {
		f.Add(seed, uint8(0), "a")
		f.Add(seed, uint8(1), "b: c")
	}
	f.Fuzz(func(t *testing.T, text string, index uint8, word string) {
		before := []byte(rewriteHead + text)
		path := pathOf("spec.cases[0].is")
		for _, value := range []any{word, int64(index), []any{word}, []any{map[string]any{"a": word}}} {
			after, ok := rewritten(before, "t", update{"spec.cases[0].is", value})
			if ok && !isOnlyChange(before, after, "t", path, value) {
				t.Errorf("%q: %q became %q", value, before, after)
			}
		}
	})
}
