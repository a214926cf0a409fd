package manifest

import (
	"fmt"
	"strings"
	"testing"
)

const positions = `# comment
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: one
  labels: {a: x, "b.c/d": w}
data:
  literal: |

      first
        - second
  tagged: !!str
    # comment
    |-
    text
  folded: >
    folded
  plain: text
  anchored: &block |+
    kept
  alias: *block
---
apiVersion: v1
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: two
  data:
    literal: |-
      x
-
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: three
    labels: &labels
      a: x
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: four
    labels: {<<: *labels, c: z}
kind: List
`

func TestFieldPosition(t *testing.T) {
	objects, findings := Decode("f.yaml", []byte(positions))
	if len(findings) > 0 || len(objects) != 4 {
		t.Fatal(len(objects), findings)
	}
	tests := []struct {
		object int
		path   []any
		want   string
	}{
		{0, nil, "f.yaml:3:1"},
		{0, []any{"metadata"}, "f.yaml:5:1"},
		{0, []any{"metadata", "labels", "b.c/d"}, "f.yaml:7:18"},
		{0, []any{"metadata", "labels", "gone"}, "f.yaml:7:3"},
		{0, []any{"spec", "x", 3}, "f.yaml:3:1"},
		{0, []any{"metadata", 0}, "f.yaml:5:1"},
		{0, []any{"data", "alias", "x"}, "f.yaml:22:3"},
		{1, []any{"metadata", "name"}, "f.yaml:29:5"},
		{2, []any{"metadata", "labels", "a"}, "f.yaml:39:7"},
		{3, []any{"metadata", "labels", "a"}, "f.yaml:39:7"},
		{3, []any{"metadata", "labels", "c"}, "f.yaml:44:27"},
	}
	for _, test := range tests {
		if got := objects[test.object].FieldPosition(test.path...).String(); got != test.want {
			t.Errorf("object %d %v: %s, want %s", test.object, test.path, got, test.want)
		}
	}
	if got := (Object{Position: objects[0].Position}).FieldPosition("metadata").String(); got != "f.yaml:3:1" {
		t.Errorf("an object without a text: %s", got)
	}
}

func TestBlockPosition(t *testing.T) {
	objects, _ := Decode("f.yaml", []byte(positions))
	lines := strings.Split(positions, "\n")
	tests := []struct {
		object int
		key    string
		want   string
	}{
		{0, "literal", "f.yaml:10:7"},
		{0, "tagged", "f.yaml:16:5"},
		{0, "folded", "f.yaml:18:5"},
		{0, "plain", ""},
		{0, "gone", ""},
		{0, "anchored", "f.yaml:21:5"},
		{1, "literal", "f.yaml:32:7"},
	}
	for _, test := range tests {
		at, ok := objects[test.object].BlockPosition("data", test.key)
		if got := at.String(); got != test.want || ok != (test.want != "") {
			t.Errorf("object %d %s: %q, want %q", test.object, test.key, got, test.want)
			continue
		}
		if !ok || test.key == "folded" {
			continue
		}
		text := objects[test.object].Object["data"].(map[string]any)[test.key].(string)
		for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			if got := lines[at.Line-1+i]; strings.TrimSpace(got) != strings.TrimSpace(line) {
				t.Errorf("%s: line %d is %q in the text and %q in the file", test.key, i+1, line, got)
			}
		}
	}
}

func TestFragmentPositions(t *testing.T) {
	objects, findings := Decode("dir/My fragment.yaml", []byte("# c\nobject-templates-raw: |\n  {{ fail }}\n"), AllowFragments())
	if len(findings) > 0 || len(objects) != 1 {
		t.Fatal(findings)
	}
	o := objects[0]
	if o.GetName() != "my-fragment" || o.GetKind() != "ConfigurationPolicy" {
		t.Error(Reference(o.Unstructured))
	}
	if at, ok := o.BlockPosition("spec", "object-templates-raw"); !ok || at.String() != "dir/My fragment.yaml:3:3" {
		t.Error(at, ok)
	}
	if got := o.FieldPosition("spec", "severity").String(); got != "dir/My fragment.yaml:2:1" {
		t.Error(got)
	}
	if _, findings := Decode("f.yaml", []byte("object-templates-raw: x\n")); findings.Err() == nil {
		t.Error("a fragment is taken without being allowed")
	}
}

func TestJSONPositions(t *testing.T) {
	text := "{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\",\n \"metadata\": {\"name\": \"\\ud83d\\ude00\"}},\t{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"b\"}}]}"
	objects, findings := Decode("f.json", []byte(text))
	if len(findings) > 0 || len(objects) != 2 {
		t.Fatal(findings)
	}
	for i, want := range []string{"f.json:2:15", "f.json:2:96"} {
		if got := objects[i].FieldPosition("metadata", "name").String(); got != want {
			t.Errorf("object %d: %s, want %s", i, got, want)
		}
	}
	for i, want := range []string{"f.json:1:28", "f.json:2:41"} {
		if got := objects[i].Position.String(); got != want {
			t.Errorf("object %d: %s, want %s", i, got, want)
		}
	}
}

// TestSlowListPositions checks Lists that need the complete parser: element by element, and as a whole.
func TestSlowListPositions(t *testing.T) {
	for _, head := range []string{"kind: List\nitems:\n", "kind: &anchor List\nitems:\n"} {
		slowList(t, head)
	}
}

func slowList(t *testing.T, head string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(head)
	for i := range 50 {
		fmt.Fprintf(&b, "- {apiVersion: v1, kind: ConfigMap, metadata: {name: n%d}}\n", i)
	}
	objects, findings := Decode("f.yaml", []byte(b.String()))
	if len(findings) > 0 || len(objects) != 50 {
		t.Fatal(findings)
	}
	for i, o := range objects {
		if got, want := o.FieldPosition("metadata", "name").String(), fmt.Sprintf("f.yaml:%d:48", i+3); got != want {
			t.Fatalf("object %d: %s, want %s", i, got, want)
		}
	}
}
