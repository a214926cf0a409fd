package strict

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// walker compares a value tree with a Go type.
type walker struct {
	object   manifest.Object
	findings diag.Findings
	mistyped bool
}

func (w *walker) root(into any) {
	w.value(w.object.Object, reflect.TypeOf(into).Elem(), "")
}

// value compares one value with the type that it should have. Null stands for "not set" and fits everything.
func (w *walker) value(value any, t reflect.Type, path string) {
	if value == nil {
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		w.custom(value, t, path)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if fields, ok := value.(map[string]any); ok {
			w.structure(fields, t, path)
			return
		}
	case reflect.Map:
		if entries, ok := value.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(entries)) {
				w.value(entries[key], t.Elem(), fmt.Sprintf("%s[%q]", path, key))
			}
			return
		}
	case reflect.Slice:
		if items, ok := value.([]any); ok {
			for i, item := range items {
				w.value(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
			}
			return
		}
		if t.Elem().Kind() == reflect.Uint8 && isBase64(value) {
			return
		}
	case reflect.Interface:
		return
	default:
		if scalarFits(value, t) {
			return
		}
	}
	w.wrongType(value, t, path)
}

// custom lets a type with its own JSON form judge the value.
func (w *walker) custom(value any, t reflect.Type, path string) {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, reflect.New(t).Interface())
	}
	if err != nil {
		w.wrongType(value, t, path)
	}
}

func (w *walker) structure(values map[string]any, t reflect.Type, path string) {
	fields := fieldsOf(t)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fieldPath := strings.TrimPrefix(path+"."+name, ".")
		field, known := fields[name]
		if known {
			w.value(values[name], field, fieldPath)
			continue
		}
		if strings.HasPrefix(fieldPath, "status.") {
			continue
		}
		finding := Finding(w.object, fieldPath, "unknown field")
		finding.Hint = hint(name, fields)
		w.findings = append(w.findings, finding)
	}
}

func (w *walker) wrongType(value any, t reflect.Type, path string) {
	w.mistyped = true
	message := fmt.Sprintf("must be %s, is %s", typeName(t), valueName(value))
	w.findings = append(w.findings, Finding(w.object, path, message))
}

// fieldsOf gives the JSON names of a struct's fields, embedded ones included, and their types.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := make(map[string]reflect.Type, t.NumField())
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && field.Anonymous:
			embedded := field.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			maps.Copy(fields, fieldsOf(embedded))
		case name != "":
			fields[name] = field.Type
		}
	}
	return fields
}

// hint says where an unknown field may belong: one level deeper (the usual slip of indentation), or under another name.
func hint(name string, fields map[string]reflect.Type) string {
	names := slices.Sorted(maps.Keys(fields))
	for _, parent := range names {
		if t := fields[parent]; t.Kind() == reflect.Struct {
			if _, found := fieldsOf(t)[name]; found {
				return fmt.Sprintf("it belongs inside %s: check the indentation", parent)
			}
		}
	}
	return diag.DidYouMean(name, names)
}

func scalarFits(value any, t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		_, ok := value.(string)
		return ok
	case reflect.Bool:
		_, ok := value.(bool)
		return ok
	case reflect.Float32, reflect.Float64:
		_, isInt := value.(int64)
		_, isFloat := value.(float64)
		return isInt || isFloat
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		switch number := value.(type) {
		case int64:
			return !reflect.Zero(t).OverflowInt(number)
		case float64:
			return number == math.Trunc(number) && math.Abs(number) < 1<<53 && !reflect.Zero(t).OverflowInt(int64(number))
		}
	}
	return false
}

func isBase64(value any) bool {
	text, ok := value.(string)
	if !ok {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a base64 string"
		}
		return "a list"
	case reflect.Map:
		return "a mapping"
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(unmarshaler) {
			return "a valid " + t.Name()
		}
		return "a mapping"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number of " + fmt.Sprint(t.Bits()) + " bits"
	}
}

func valueName(value any) string {
	switch value := value.(type) {
	case string:
		return fmt.Sprintf("the string %q", shorten(value))
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	default:
		return fmt.Sprint(value)
	}
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "..."
	}
	return text
}
