package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
)

// yamlText gives a value as YAML, in the form of sigs.k8s.io/yaml, which takes a way round by JSON and several times as long. The
// encoder leaves some characters as they are that a terminal acts upon, such as those that change the direction of writing. A
// value that holds one is written as JSON, which is YAML and can escape it.
func yamlText(value any) ([]byte, error) {
	text, err := yaml.Marshal(value)
	if err == nil && isPrintable(text) {
		return text, nil
	}
	if text, err = jsonText(value, "", "  "); err != nil {
		return nil, err
	}
	// YAML wants a mark in front of keys of more than 1024 characters.
	return longKey.ReplaceAll(append(text, '\n'), []byte("${1}? $2")), nil
}

// longKey matches lines of JSON with a key that may be too long for YAML.
var longKey = regexp.MustCompile(`(?m)^( *)("(?:[^"\\]|\\.){1000}(?:[^"\\]|\\.)*": )`)

// jsonText gives a value as indented JSON in which everything that is not printable is escaped.
func jsonText(value any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, indent)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if isPrintable(text) {
		return text, nil
	}
	// JSON has such characters inside of strings only.
	var escaped bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			escaped.WriteRune(r)
		case r > 0xffff:
			high, low := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&escaped, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&escaped, `\u%04x`, r)
		}
	}
	return escaped.Bytes(), nil
}

// isPrintable tells whether a text holds lines of printable characters only.
func isPrintable(text []byte) bool {
	for len(text) > 0 {
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text)
		}
		if r != '\n' && !unicode.IsPrint(r) {
			return false
		}
		text = text[size:]
	}
	return true
}

// plainYAML gives a struct as YAML, by its JSON.
func plainYAML(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain yaml.MapSlice
	if err := yaml.Unmarshal(text, &plain); err != nil {
		return nil, err
	}
	return yamlText(plain)
}
