package v1alpha1

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

const referenceYAML = "../../../docs/reference/virtualmachinedns.yaml"

// TestReferenceIsValid decodes and validates the reference, which may not even raise a warning, but for an option without effect.
func TestReferenceIsValid(t *testing.T) {
	for _, resource := range reference(t) {
		for range 2 {
			findings := slices.DeleteFunc(resource.Validate(), func(f diag.Finding) bool { return f.Field == "spec.policy.namespaceSelector" })
			if len(findings) > 0 {
				t.Error(findings)
			}
			resource.Default()
		}
	}
}

func TestReferenceHasEveryField(t *testing.T) {
	given := map[string]bool{}
	itemIndex := regexp.MustCompile(`\[\d+\]`)
	for _, resource := range reference(t) {
		for path := range resource.source.positions {
			given[itemIndex.ReplaceAllString(path, "[]")] = true
		}
	}
	walk(documented(t), func(f docField) {
		if !given[f.path] {
			t.Errorf("%s lacks %s", referenceYAML, f.path)
		}
	})
}

// TestSchemaAcceptsWhatIsValid validates the reference and every case without errors against the schema.
func TestSchemaAcceptsWhatIsValid(t *testing.T) {
	schema := compileSchema(t)
	files, err := filepath.Glob("testdata/*/input.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, referenceYAML) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// Decode takes null for unset, which editors need not offer.
		if bytes.Contains(data, []byte(": null")) || check(t, data).HasErrors() {
			continue
		}
		for _, document := range documents(t, data) {
			if err := schema.Validate(document); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	for _, name := range []string{
		"unknown-field-typo", "unknown-field-top-level", "unknown-field-in-allowed-domain", "type-text-for-number", "type-text-for-list",
		"label-value-boolean", "apiversion-v1", "kind-typo", "ttl-zero", "ttl-too-long", "record-types", "endpoint-per-typo",
		"policy-enums", "limits-out-of-range", "tolerations", "name-missing",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", name, "input.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(documents(t, data)[0]) == nil {
			t.Errorf("the schema accepts %s", name)
		}
	}
}

func reference(t *testing.T) []*VirtualMachineDNS {
	t.Helper()
	data, err := os.ReadFile(referenceYAML)
	if err != nil {
		t.Fatal(err)
	}
	resources, findings := Decode(filepath.Base(referenceYAML), data)
	if len(findings) > 0 || len(resources) == 0 {
		t.Fatal(findings)
	}
	return resources
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaJSON)
	if err != nil {
		t.Fatal(err)
	}
	if schema.DraftVersion != 2020 {
		t.Errorf("want draft 2020-12, got %d", schema.DraftVersion)
	}
	return schema
}

// documents gives each document of a YAML file as jsonschema takes it.
func documents(t *testing.T, data []byte) []any {
	t.Helper()
	var documents []any
	stream := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var node yaml.Node
		if err := stream.Decode(&node); err == io.EOF {
			return documents
		} else if err != nil {
			t.Fatal(err)
		}
		if content(&node) == nil {
			continue
		}
		text, err := yaml.Marshal(&node)
		if err != nil {
			t.Fatal(err)
		}
		asJSON, err := kubeyaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		var document any
		decoder := json.NewDecoder(bytes.NewReader(asJSON))
		decoder.UseNumber()
		if err := decoder.Decode(&document); err != nil {
			t.Fatal(err)
		}
		documents = append(documents, document)
	}
}
