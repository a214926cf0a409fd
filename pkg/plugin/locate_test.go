package plugin

import (
	"fmt"
	"slices"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestFieldPlace(t *testing.T) {
	var document yaml.Node
	text := `metadata:
  labels:
    example.com/team: net
spec:
  names:
    allowedDomains:
      - example.com
      - domain: "-"
  again: &a {b: c}
  alias: *a
`
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                                    "1:1",
		"kind":                                "1:1",
		"spec":                                "4:1",
		"spec.names.allowedDomains":           "6:5",
		"spec.names.allowedDomains[0]":        "7:9",
		"spec.names.allowedDomains[1].domain": "8:9",
		"spec.names.allowedDomains[1].other":  "8:9",
		"spec.names.allowedDomains[7]":        "6:5",
		"spec.names.allowedDomains[-1]":       "6:5",
		"spec.names.allowedDomains.x":         "6:5",
		"spec.names.unknown.more":             "5:3",
		"spec.alias.b":                        "9:14",
		"metadata.labels[example.com/team]":   "3:5",
		`metadata.labels["example.com/team"]`: "3:5",
	} {
		place := fieldPlace(&document, path)
		if got := fmt.Sprintf("%d:%d", place.Line, place.Column); got != want {
			t.Errorf("%q is at %s, not at %s", path, got, want)
		}
	}
}

func TestFieldSteps(t *testing.T) {
	for path, want := range map[string][]string{
		"":                 nil,
		"a":                {"a"},
		"a.b[0].c":         {"a", "b", "0", "c"},
		"a[0][1]":          {"a", "0", "1"},
		"a['x.y']":         {"a", "x.y"},
		"a[x.y/z].b":       {"a", "x.y/z", "b"},
		".a..b.":           {"a", "b"},
		"a[never.finished": {"a", "never.finished"},
	} {
		if got := fieldSteps(path); !slices.Equal(got, want) {
			t.Errorf("%q has the steps %q, not %q", path, got, want)
		}
	}
}
