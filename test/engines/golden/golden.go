// Package golden renders the policy templates in testdata/engines with a template engine and compares what comes out with what
// the current engine gave. It depends on nothing, so that each engine generation can have a module of its own.
package golden

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// directory holds objects.json, a list of the objects of a cluster, and for each policy a directory with its
// object-templates-raw, template.txt, and the list of object templates that it gives on that cluster, expected.json.
const directory = "../../../testdata/engines"

// Run renders each policy. The argument resolves a text with the API server at a URL and gives JSON.
func Run(t *testing.T, resolve func(url, text string) ([]byte, error)) {
	t.Helper()
	var objects []map[string]any
	read(t, filepath.Join(directory, "objects.json"), &objects)
	server := httptest.NewServer(newAPI(objects))
	t.Cleanup(server.Close)
	policies, err := filepath.Glob(filepath.Join(directory, "*", "template.txt"))
	if err != nil || len(policies) == 0 {
		t.Fatal("no policies", err)
	}
	for _, file := range policies {
		policy := filepath.Dir(file)
		t.Run(filepath.Base(policy), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			content, err := resolve(server.URL, string(text))
			if err != nil {
				t.Fatal(err)
			}
			var got, want []any
			if err := json.Unmarshal(content, &got); err != nil {
				t.Fatal(err)
			}
			read(t, filepath.Join(policy, "expected.json"), &want)
			if len(want) == 0 || !reflect.DeepEqual(got, want) {
				pretty, _ := json.MarshalIndent(got, "", "  ")
				t.Errorf("differs from %s; got\n%s", filepath.Join(policy, "expected.json"), pretty)
			}
		})
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(file, err)
	}
}
