package v1alpha1

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

const (
	referenceMarkdown     = "../../../docs/reference/virtualmachinedns.md"
	testReferenceMarkdown = "../../../docs/reference/policytest.md"
)

const testMarkdownHead = `# PolicyTest

Every field of apiVersion ` + APIVersion + `, made from the Go types by "go test ./pkg/api/v1alpha1 -update".
[policytest.yaml](policytest.yaml) shows all of them in use; [policytest.schema.json](policytest.schema.json) is for editors.
What tests are for, and how to write them, is in [testing policies](../testing.md).

| field | type | default | description |
|---|---|---|---|
`

const markdownHead = `# VirtualMachineDNS

Every field of apiVersion ` + APIVersion + `, made from the Go types by "go test ./pkg/api/v1alpha1 -update".
[virtualmachinedns.yaml](virtualmachinedns.yaml) shows all of them in use;
[virtualmachinedns.schema.json](virtualmachinedns.schema.json) is for editors.

| field | type | default | description |
|---|---|---|---|
`

// TestMarkdown compares the tables of fields with the types.
func TestMarkdown(t *testing.T) {
	compareMarkdown(t, referenceMarkdown, markdownHead, documented(t))
	compareMarkdown(t, testReferenceMarkdown, testMarkdownHead, documentedTest(t))
}

func compareMarkdown(t *testing.T, file, head string, fields []docField) {
	var b strings.Builder
	b.WriteString(head)
	walk(fields, func(f docField) {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.path, cell(typeName(f.typ, f.path)), cell(defaultText(f)), cell(f.description))
	})
	golden(t, file, b.String())
}

// cell escapes what a table of Markdown would take for markup.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s) }

func typeName(t reflect.Type, pattern string) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem(), pattern)
	case reflect.Slice:
		return "list of " + typeName(t.Elem(), pattern+"[]")
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return "map"
		}
		return "map of text"
	case reflect.Struct:
		if t == reflect.TypeFor[AllowedDomain]() {
			return "text or map"
		}
		return "map"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		if values := enumOf(pattern).values; len(values) > 0 {
			return "`" + strings.Join(values, "`, `") + "`"
		}
		return "text"
	}
	least, greatest := rangeOf(pattern)
	switch {
	case least == math.MinInt64:
		return "number"
	case greatest == math.MaxInt64:
		return fmt.Sprintf("number, %d or more", least)
	}
	return fmt.Sprintf("number, %d to %d", least, greatest)
}

func defaultText(f docField) string {
	switch {
	case f.required:
		return "required"
	case f.fallback != "":
		return f.fallback
	}
	return plainValue(f.value)
}

// plainValue words a default as a comment does: texts without quotes, and a list of one text as that text.
func plainValue(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case []any:
		if len(value) == 1 && value[0] != "*" {
			return plainValue(value[0])
		}
		if len(value) > 1 {
			texts := make([]string, len(value))
			for i, item := range value {
				texts[i] = plainValue(item)
			}
			return "[" + strings.Join(texts, ", ") + "]"
		}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestCommentsNameTheDefaults compares the defaults that comments name with those that Default sets.
func TestCommentsNameTheDefaults(t *testing.T) {
	walk(append(documented(t), documentedTest(t)...), func(f docField) {
		if f.path == "apiVersion" || f.path == "kind" {
			return
		}
		if f.description == "" {
			t.Errorf("%s has no comment", f.path)
		}
		if f.value == nil || strings.HasSuffix(f.path, "placement.tolerations") || f.path == "spec.policySets[].placement" {
			return // the comment says it in words
		}
		if want := plainValue(f.value); f.fallback != want {
			t.Errorf("%s: the comment names the default %q, Default sets %q", f.path, f.fallback, want)
		}
	})
}
