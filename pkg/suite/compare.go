package suite

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/gonvenience/ytbx"
	"github.com/homeport/dyff/pkg/dyff"
	yamlv3 "gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/evaluate"
)

// differences says, by the paths of fields, in what an object differs from the one that is wanted. It gives a line for each, or
// several where values are maps or lists.
func differences(want, is *unstructured.Unstructured) []string {
	if lines := byDyff(want.Object, is.Object); len(lines) > 0 {
		return lines
	}
	// What YAML shows in the same way may still differ: 180 and "180".
	var lines []string
	for _, change := range evaluate.FieldChanges(want, is) {
		lines = append(lines, fmt.Sprintf("%s: %s, want %s", change.Path, jsonText(change.After), jsonText(change.Before)))
	}
	return lines
}

func jsonText(value any) string {
	if value == nil {
		return "not there"
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func byDyff(want, is map[string]any) []string {
	from, err := document(want)
	if err != nil {
		return nil
	}
	to, err := document(is)
	if err != nil {
		return nil
	}
	report, err := dyff.CompareInputFiles(from, to, dyff.KubernetesEntityDetection(false))
	if err != nil {
		return nil
	}
	var lines []string
	for _, diff := range report.Diffs {
		for _, detail := range diff.Details {
			lines = append(lines, described(pathText(diff.Path), detail)...)
		}
	}
	return lines
}

func document(content map[string]any) (ytbx.InputFile, error) {
	var body yamlv3.Node
	if err := body.Encode(content); err != nil {
		return ytbx.InputFile{}, err
	}
	return ytbx.InputFile{Documents: []*yamlv3.Node{{Kind: yamlv3.DocumentNode, Content: []*yamlv3.Node{&body}}}}, nil
}

// pathText writes a path as spec.endpoints[0].targets, or with what names an item of a list: containers[name=web].
func pathText(path *ytbx.Path) string {
	if path == nil {
		return ""
	}
	var b strings.Builder
	for _, element := range path.PathElements {
		switch {
		case element.Key != "" && element.Name != "":
			fmt.Fprintf(&b, "[%s=%s]", element.Key, element.Name)
		case element.Name != "" && strings.ContainsAny(element.Name, "./[]"):
			fmt.Fprintf(&b, "[%q]", element.Name)
		case element.Name != "":
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(element.Name)
		default:
			fmt.Fprintf(&b, "[%d]", element.Idx)
		}
	}
	return b.String()
}

// described puts a difference into words.
func described(path string, detail dyff.Detail) []string {
	at := path
	if at != "" {
		at += ": "
	}
	switch detail.Kind {
	case dyff.MODIFICATION:
		is, want := nodeText(detail.To), nodeText(detail.From)
		if is == want {
			return nil
		}
		return []string{fmt.Sprintf("%s%s, want %s", at, is, want)}
	case dyff.ORDERCHANGE:
		return []string{fmt.Sprintf("%sthe order is %s, want %s", at, nodeText(detail.To), nodeText(detail.From))}
	case dyff.ADDITION:
		return append([]string{at + "not wanted"}, indented(detail.To, "+ ")...)
	case dyff.REMOVAL:
		return append([]string{at + "missing"}, indented(detail.From, "- ")...)
	}
	return nil
}

// nodeText gives a value in one line.
func nodeText(node *yamlv3.Node) string {
	var value any
	if node == nil || node.Decode(&value) != nil {
		return "nothing"
	}
	return jsonText(value)
}

func indented(node *yamlv3.Node, mark string) []string {
	var value any
	if node.Decode(&value) != nil {
		return nil
	}
	var lines []string
	for _, line := range yamlLines(value) {
		lines = append(lines, "  "+mark+line)
	}
	return lines
}

// yamlLines gives a value as YAML.
func yamlLines(value any) []string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// partOf gives what a value has of the fields that are wanted, and whether it has them all with the same values. Lists are compared
// item by item, so they have to be of one length.
func partOf(want, is map[string]any) (part map[string]any, whole bool) {
	value, whole := valuePart(want, is)
	part, _ = value.(map[string]any)
	return part, whole
}

func valuePart(want, is any) (part any, whole bool) {
	switch want := want.(type) {
	case map[string]any:
		there, isMap := is.(map[string]any)
		if !isMap {
			return is, false
		}
		result := map[string]any{}
		whole = true
		for key, value := range want {
			other, found := there[key]
			if !found {
				whole = false
				continue
			}
			p, same := valuePart(value, other)
			result[key] = p
			whole = whole && same
		}
		return result, whole
	case []any:
		there, isList := is.([]any)
		if !isList || len(there) != len(want) {
			return is, false
		}
		result := make([]any, 0, len(want))
		whole = true
		for i := range want {
			p, same := valuePart(want[i], there[i])
			result = append(result, p)
			whole = whole && same
		}
		return result, whole
	}
	return is, reflect.DeepEqual(want, is)
}
