package templatetext

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Unclosed gives the field of a JSON object, the first in the order of the alphabet, whose text is no template by itself. The engine
// reads an object as one text, so what is not closed in one field fails in another, or at the end.
func Unclosed(raw []byte) (field string, found bool) {
	eachText(raw, func(path, text string) {
		if _, err := parseText(text); err != nil && !found {
			field, found = path, true
		}
	})
	return field, found
}

// TextAt gives the text of a field of a JSON object, as Field names it.
func TextAt(raw []byte, field string) string {
	found := ""
	eachText(raw, func(path, text string) {
		if path == field {
			found = text
		}
	})
	return found
}

// eachText visits the texts in a JSON value.
func eachText(raw []byte, visit func(path, text string)) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return
	}
	var walk func(value any, path string)
	walk = func(value any, path string) {
		switch value := value.(type) {
		case string:
			visit(path, value)
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				walk(value[key], child(path, key))
			}
		case []any:
			for i, item := range value {
				walk(item, fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
	walk(value, "")
}
