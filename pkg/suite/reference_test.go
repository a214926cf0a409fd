package suite

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

const referenceFiles = "../../docs/reference/policytest"

// TestReference reads the reference, which has no mistake and every field that the schema has.
func TestReference(t *testing.T) {
	tests, findings := Find(os.DirFS(path.Dir(referenceFiles)), []string{path.Base(referenceFiles) + ".yaml"})
	if len(findings) > 0 || len(tests) != 2 {
		t.Fatal(tests, findings)
	}
	given := map[string]bool{}
	for _, test := range tests {
		collect(test.object.Object, "", given)
	}
	table, err := os.ReadFile(referenceFiles + ".md")
	if err != nil {
		t.Fatal(err)
	}
	// What a step has under do and expect is the same as given and expect of the case.
	sameAs := strings.NewReplacer("steps[].do[]", "given[]", "steps[].expect", "expect")
	for field := range given {
		given[sameAs.Replace(field)] = true
	}
	for _, match := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(string(table), -1) {
		if !given[sameAs.Replace(match[1])] {
			t.Errorf("policytest.yaml lacks %s", match[1])
		}
	}
	schema, err := jsonschema.NewCompiler().Compile(referenceFiles + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		var document any
		text, err := yaml.Marshal(test.object.Object)
		if err == nil {
			err = yaml.Unmarshal(text, &document)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Error(err)
		}
	}
}

func collect(value any, at string, into map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			field := strings.TrimPrefix(at+"."+key, ".")
			into[field] = true
			collect(inner, field, into)
		}
	case []any:
		for _, inner := range value {
			collect(inner, at+"[]", into)
		}
	}
}

// TestFindTakesOnlyTests passes over everything else, and finds a test whatever the file is called.
func TestFindTakesOnlyTests(t *testing.T) {
	tests, findings := Find(os.DirFS("../.."), []string{"policies", "docs/reference"})
	var names []string
	for _, test := range tests {
		names = append(names, test.Name())
	}
	if want := []string{"reference", "reference-without-a-fleet", "vm-life"}; !slices.Equal(names, want) || findings.HasErrors() {
		t.Errorf("got %q, want %q; %v", names, want, findings)
	}
}
