package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"
)

// FuzzEncode checks that what is printed can be read back, and holds nothing that a terminal acts upon.
func FuzzEncode(f *testing.F) {
	for _, text := range []string{
		"", "a: b", "\x1b[31m", "\u202eabc", "\u009b2J", "\u2028", "\ufeff", "\U000e0001", "\U0001f600", "\r", "\x00", "a\nb\n", "<no value>", "\u00a0", "\x7f", "\ufffd",
		"# no comment", strings.Repeat("\u202ex", 600), "---", "null", "\t", "é",
	} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, key, text string) {
		key, text = strings.ToValidUTF8(key, "?"), strings.ToValidUTF8(text, "?")
		value := map[string]any{"list": []any{map[string]any{key: text}, text}, "text": text, "more": []any{int64(1), 1.5, 1e21, true, nil, map[string]any{}, []any{}}}
		for name, encode := range map[string]func() ([]byte, error){
			"yaml": func() ([]byte, error) { return yamlText(value) },
			"json": func() ([]byte, error) { return jsonText(value, "  ", "  ") },
		} {
			encoded, err := encode()
			if err != nil {
				t.Fatal(name, err)
			}
			for _, r := range string(encoded) {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Errorf("%s: %U is printed as it is", name, r)
				}
			}
			var back any
			if name == "json" {
				err = json.Unmarshal(encoded, &back)
			} else {
				err = yaml.Unmarshal(encoded, &back)
				// It fails for some characters.
				if other, failed := yaml.Marshal(value); failed == nil && isPrintable(other) && string(other) != string(encoded) {
					t.Errorf("got\n%s\nand sigs.k8s.io/yaml gives\n%s", encoded, other)
				}
			}
			if err == nil {
				// JSON has one kind of number.
				back.(map[string]any)["more"].([]any)[0] = int64(1)
			}
			if err != nil || !reflect.DeepEqual(back, any(value)) {
				t.Errorf("%s: %q\nreads as %#v (%v)\ninstead of %#v", name, encoded, back, err, value)
			}
		}
	})
}
