package manifest

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
)

// parseYAML reads one YAML document with the parser of sigs.k8s.io/yaml and gives the value that this library would
// give, without its way through JSON text.
func parseYAML(text string) (value any, err error) {
	// The parser must not take the program down, whatever a file holds.
	defer func() {
		if r := recover(); r != nil {
			value, err = nil, fmt.Errorf("the YAML parser failed: %v", r)
		}
	}()
	var raw any
	if err := yamlv2.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	return convert(raw)
}

// twiceError says that two different keys, such as 1 and "1", are one and the same to Kubernetes.
type twiceError struct{ key string }

func (e *twiceError) Error() string { return fmt.Sprintf("key %q is set twice", e.key) }

var errNotANumber = errors.New("infinity and NaN are not allowed")

// convert gives a value of the YAML parser the types that it has after its way through JSON.
func convert(raw any) (any, error) {
	switch v := raw.(type) {
	case map[any]any:
		m := make(map[string]any, len(v))
		for k, element := range v {
			key, err := convertKey(k)
			if err != nil {
				return nil, err
			}
			if _, twice := m[key]; twice {
				return nil, &twiceError{key}
			}
			if m[key], err = convert(element); err != nil {
				return nil, err
			}
		}
		return m, nil
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			var err error
			if list[i], err = convert(element); err != nil {
				return nil, err
			}
		}
		return list, nil
	case int:
		return int64(v), nil
	case uint64:
		return float64(v), nil
	case float64:
		f, _, ok := normalFloat(v)
		if !ok {
			return nil, errNotANumber
		}
		return f, nil
	case string:
		return validText(v), nil
	}
	return raw, nil // bool, int64 and null
}

func convertKey(key any) (string, error) {
	switch k := key.(type) {
	case string:
		return validText(k), nil
	case int:
		return strconv.Itoa(k), nil
	case int64:
		return strconv.FormatInt(k, 10), nil
	case bool:
		return strconv.FormatBool(k), nil
	case float64:
		switch {
		case math.IsNaN(k):
			return ".nan", nil
		case math.IsInf(k, 1):
			return ".inf", nil
		case math.IsInf(k, -1):
			return "-.inf", nil
		}
		return strconv.FormatFloat(k, 'g', -1, 32), nil
	}
	return "", fmt.Errorf("a key of a mapping must be a string, not %s", typeName(key))
}

// validText replaces each byte that is not UTF-8, which !!binary can bring in, as JSON does.
func validText(s string) string {
	if strings.ToValidUTF8(s, "") == s {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// typeName names the type of a value in the words of YAML and JSON.
func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int, int64, uint64, float64:
		return "a number"
	case []any:
		return "a list"
	}
	return "a mapping"
}
