package v1alpha1

import (
	"reflect"
	"strconv"
	"strings"
)

// jsonField is a field of a Go struct as JSON names it.
type jsonField struct {
	name     string
	index    []int
	typ      reflect.Type
	required bool
}

// jsonFields lists the fields of a struct in their order, those of inlined structs among them.
func jsonFields(t reflect.Type) []jsonField {
	var fields []jsonField
	for f := range t.Fields() {
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			for _, inner := range jsonFields(f.Type) {
				inner.index = append([]int{f.Index[0]}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		fields = append(fields, jsonField{name: name, index: f.Index, typ: f.Type, required: !optional})
	}
	return fields
}

// fieldNames lists the names that may stand in a map of YAML for a struct.
func fieldNames(t reflect.Type) []string {
	var names []string
	for _, f := range jsonFields(t) {
		names = append(names, f.name)
	}
	return names
}

// fieldsNamed lists the paths of the structs inside t that have a field of that name.
func fieldsNamed(name string, t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Pointer:
		return fieldsNamed(name, t.Elem(), path)
	case reflect.Slice:
		return fieldsNamed(name, t.Elem(), path+"[]")
	case reflect.Struct:
		var paths []string
		for _, f := range jsonFields(t) {
			if f.name == name {
				paths = append(paths, path)
			}
			paths = append(paths, fieldsNamed(name, f.typ, childField(path, f.name))...)
		}
		return paths
	}
	return nil
}

// visitScalars calls visit for every text and number inside v that is set. The path names the field, indexes and keys
// included; the pattern has [] in the place of each index, and none for keys.
func visitScalars(v reflect.Value, path, pattern string, visit func(path, pattern string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visitScalars(v.Elem(), path, pattern, visit)
		}
	case reflect.Struct:
		for _, f := range jsonFields(v.Type()) {
			visitScalars(v.FieldByIndex(f.index), childField(path, f.name), childField(pattern, f.name), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitScalars(v.Index(i), keyField(path, strconv.Itoa(i)), pattern+"[]", visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			visit(keyField(path, key.String()), pattern, key)
			visitScalars(v.MapIndex(key), keyField(path, key.String()), pattern, visit)
		}
	case reflect.String, reflect.Int, reflect.Int64:
		visit(path, pattern, v)
	}
}
