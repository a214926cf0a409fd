package v1alpha1

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"
)

// scalar gives a node as a text, a boolean or a whole number.
func (d *decoder) scalar(node *yaml.Node, t reflect.Type, path string) (any, bool) {
	want := map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false"}[t.Kind()]
	if want == "" {
		want = "a whole number"
	}
	if node.Kind != yaml.ScalarNode {
		d.fault(node, path, "want "+want+", got "+describe(node), "")
		return nil, false
	}
	value, hint := resolve(node), ""
	switch t.Kind() {
	case reflect.String:
		if text, ok := value.(string); ok {
			return text, true
		}
		hint = "quote it: " + strconv.Quote(node.Value)
	case reflect.Bool:
		if truth, ok := value.(bool); ok {
			return truth, true
		}
	default:
		if number, ok := value.(json.Number); ok {
			if whole, err := strconv.ParseInt(string(number), 10, t.Bits()); err == nil {
				return whole, true
			}
		}
	}
	if quoted, ok := value.(string); ok && sameKind(resolvePlain(quoted, ""), t.Kind()) {
		hint = "write " + quoted + " without quotes"
	}
	d.fault(node, path, "want "+want+", got "+describe(node), hint)
	return nil, false
}

// sameKind tells whether a resolved scalar is of that kind of type.
func sameKind(value any, kind reflect.Kind) bool {
	switch value.(type) {
	case bool:
		return kind == reflect.Bool
	case json.Number:
		return kind == reflect.Int || kind == reflect.Int64
	}
	return false
}

// resolve gives the value that Kubernetes reads from a scalar: a string, a bool, a json.Number or nil.
func resolve(node *yaml.Node) any {
	tagged := node.Style&yaml.TaggedStyle != 0
	plain := node.Style&^yaml.TaggedStyle == 0
	switch tag := node.ShortTag(); {
	case tagged && (tag == "!!bool" || tag == "!!int" || tag == "!!float" || tag == "!!null"), !tagged && plain:
		return resolvePlain(node.Value, tag)
	}
	return node.Value
}

// resolvePlain resolves a scalar without quotes. The tag is what YAML 1.2 makes of it.
func resolvePlain(value, tag string) any {
	// Nothing that starts otherwise is a number, a boolean or a null.
	if value != "" && !strings.ContainsAny(value[:1], "0123456789+-.~yYnNtTfFoO") || strings.ContainsAny(value, "\r\n") {
		return value
	}
	data, err := kubeyaml.YAMLToJSON([]byte("value: " + value))
	if err != nil {
		if tag == "!!float" {
			return json.Number(value) // .inf and .nan, which JSON lacks
		}
		return value
	}
	var document struct {
		Value any `json:"value"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return value
	}
	switch document.Value.(type) {
	case nil, bool, json.Number:
		return document.Value
	}
	return value
}

// isNull tells whether a node is a scalar without a value.
func isNull(node *yaml.Node) bool {
	switch node.Value {
	case "", "~", "null", "Null", "NULL":
		return node.Kind == yaml.ScalarNode && resolve(node) == nil
	}
	return false
}

// describe says what a node is, for messages.
func describe(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
	default:
		return "an alias"
	}
	switch resolve(node).(type) {
	case nil:
		return "nothing"
	case bool:
		return "the boolean " + node.Value
	case json.Number:
		return "the number " + node.Value
	}
	return fmt.Sprintf("the text %q", shorten(node.Value))
}

// shorten cuts a text that is too long for a message.
func shorten(s string) string {
	const longest = 60
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest]) + "..."
	}
	return s
}
