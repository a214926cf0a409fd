package v1alpha1

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// docField is a field as the reference describes it.
type docField struct {
	jsonField
	// path is a pattern as in visitScalars.
	path        string
	description string
	// fallback is the default as the comment words it.
	fallback string
	// value is the default that Default sets, or nil.
	value any
	// fields are those of a map, or of each map in a list.
	fields []docField
}

// documented describes the fields of VirtualMachineDNS with the comments and defaults of the code.
func documented(t *testing.T) []docField {
	d := documenter{comments: comments(t)}
	d.empty.Metadata.Name = "<policy>"
	d.empty.Default()
	d.sample.Metadata.Name = "<policy>"
	addItems(reflect.ValueOf(&d.sample).Elem())
	d.sample.Default()
	return d.fields(reflect.TypeFor[VirtualMachineDNS](), "")
}

// documentedTest describes the fields of PolicyTest.
func documentedTest(t *testing.T) []docField {
	fields := (&documenter{comments: comments(t), plain: true}).fields(reflect.TypeFor[PolicyTest](), "")
	for i, f := range fields {
		switch f.path {
		case "apiVersion":
			fields[i].value, fields[i].description = APIVersion, "Always "+APIVersion+"."
		case "kind":
			fields[i].value, fields[i].description = PolicyTestKind, "Always "+PolicyTestKind+"."
		}
	}
	return fields
}

type documenter struct {
	comments map[string]string
	// plain says that the type has no Default.
	plain bool
	// empty has the defaults of everything outside lists, sample those of the items in lists.
	empty, sample VirtualMachineDNS
}

var defaultSentence = regexp.MustCompile(`(?s)\s*Default: (.*)\.$`)

func (d *documenter) fields(t reflect.Type, path string) []docField {
	var fields []docField
	for _, f := range jsonFields(t) {
		field := docField{jsonField: f, path: childField(path, f.name), description: d.comment(t, f.name)}
		if t == reflect.TypeFor[metav1.LabelSelector]() || t == reflect.TypeFor[metav1.LabelSelectorRequirement]() {
			field.description = kubernetesComment(t, f.name)
		}
		if match := defaultSentence.FindStringSubmatch(field.description); match != nil {
			field.fallback = match[1]
			field.description = strings.TrimSuffix(field.description, match[0])
		}
		source := &d.empty
		if strings.Contains(field.path, "[]") {
			source = &d.sample
		}
		if !f.required && !d.plain {
			field.value = valueAt(source, field.path)
		}
		inner := f.typ
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case field.path == "spec.policySets[].placement":
			// Described once, under spec.placement.
		case inner.Kind() == reflect.Struct:
			field.fields = d.fields(inner, field.path)
		case inner.Kind() == reflect.Slice:
			if inner.Elem().Kind() == reflect.Struct {
				field.fields = d.fields(inner.Elem(), field.path+"[]")
			}
		}
		fields = append(fields, field)
	}
	return fields
}

// comment gives the comment of a field, which may be that of an inlined struct.
func (d *documenter) comment(t reflect.Type, name string) string {
	if comment := d.comments[t.Name()+"."+name]; comment != "" {
		return comment
	}
	for f := range t.Fields() {
		if f.Anonymous {
			if comment := d.comment(f.Type, name); comment != "" {
				return comment
			}
		}
	}
	return ""
}

// walk calls visit for each field and those inside it.
func walk(fields []docField, visit func(docField)) {
	for _, f := range fields {
		visit(f)
		walk(f.fields, visit)
	}
}

// addItems gives every list of maps one empty item.
func addItems(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range jsonFields(v.Type()) {
			addItems(v.FieldByIndex(f.index))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
	}
}

// valueAt gives a field as JSON decodes it, or nil if it is not set.
func valueAt(resource *VirtualMachineDNS, path string) any {
	data, err := json.Marshal(resource)
	if err != nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil
	}
	for name := range strings.SplitSeq(path, ".") {
		name, isList := strings.CutSuffix(name, "[]")
		object, _ := value.(map[string]any)
		value = object[name]
		if items, _ := value.([]any); isList && len(items) > 0 {
			value = items[0]
		}
	}
	if _, isMap := value.(map[string]any); isMap {
		return nil
	}
	return value
}

// comments gives the comment of each field of the package's types, keyed by "Type.jsonName".
func comments(t *testing.T) map[string]string {
	comments := map[string]string{}
	for _, file := range []string{"types.go", "policy.go", "policyset.go", "policytest.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			structure, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range structure.Fields.List {
				if field.Tag == nil || len(field.Names) == 0 {
					continue
				}
				tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
				name, _, _ := strings.Cut(tag, ",")
				comments[spec.Name.Name+"."+name] = forUsers(field.Doc.Text(), field.Names[0].Name, name)
			}
			return true
		})
	}
	comments["VirtualMachineDNS.apiVersion"] = "Always " + APIVersion + "."
	comments["VirtualMachineDNS.kind"] = "Always " + VirtualMachineDNSKind + "."
	return comments
}

// forUsers makes a Go comment one line that names the field as YAML does.
func forUsers(comment, goName, jsonName string) string {
	text := strings.Join(strings.Fields(comment), " ")
	for _, preposition := range []string{" of ", ", "} {
		if strings.HasPrefix(text, goName+preposition) {
			return text
		}
	}
	if rest, ok := strings.CutPrefix(text, goName+" "); ok {
		return jsonName + " " + rest
	}
	return text
}

// kubernetesComment gives the first sentence that Kubernetes has for a field.
func kubernetesComment(t reflect.Type, name string) string {
	documented, ok := reflect.New(t).Interface().(interface{ SwaggerDoc() map[string]string })
	if !ok {
		return ""
	}
	sentence, _, _ := strings.Cut(documented.SwaggerDoc()[name], ". ")
	return strings.TrimSuffix(sentence, ".") + "."
}
