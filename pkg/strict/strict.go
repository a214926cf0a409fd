// Package strict converts manifests to Go API types the way a careful API server would: unknown fields and values of a
// wrong type are errors, all reported at once.
package strict

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Decode fills into, a pointer to an API struct, from the object. It returns one finding for each unknown field and each
// value of a wrong type. Unknown fields below status are let pass, because captured objects may come from a newer hub.
//
// ok is false if into could not be filled. With unknown fields alone it is true: into then holds what an API server that
// prunes would have stored.
func Decode(object manifest.Object, into any) (ok bool, findings diag.Findings) {
	w := walker{object: object}
	w.root(into)
	if w.mistyped {
		return false, w.findings
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into); err != nil {
		return false, append(w.findings, Finding(object, "", "cannot be read: "+err.Error()))
	}
	return true, w.findings
}

// Finding gives an error about a field of the object, at the field's place in its file. The field is written as in
// spec.predicates[0].labels["a.b"]; it may be empty, or not exist.
func Finding(object manifest.Object, field, message string) diag.Finding {
	return diag.Finding{
		Severity: diag.Error,
		Position: object.FieldPosition(Path(field)...),
		Object:   manifest.Reference(object.Unstructured),
		Field:    field,
		Message:  message,
	}
}

// Path takes a written field apart into the names and indexes that manifest.Object's methods take.
func Path(field string) []any {
	var path []any
	for field != "" {
		switch field[0] {
		case '.':
			field = field[1:]
		case '[':
			quoted, err := strconv.QuotedPrefix(field[1:])
			if err == nil {
				// QuotedPrefix gives only what Unquote takes.
				name, _ := strconv.Unquote(quoted)
				path = append(path, name)
				field = strings.TrimPrefix(field[1+len(quoted):], "]")
				continue
			}
			index, rest, _ := strings.Cut(field[1:], "]")
			number, err := strconv.Atoi(index)
			if err != nil {
				return path
			}
			path, field = append(path, number), rest
		default:
			end := strings.IndexAny(field, ".[")
			if end < 0 {
				end = len(field)
			}
			path, field = append(path, field[:end]), field[end:]
		}
	}
	return path
}
