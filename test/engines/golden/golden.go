// Package golden renders the policy templates in testdata/engines with a template engine and compares what comes out with what
// the current engine gave. It depends on nothing, so that each engine generation can have a module of its own.
package golden

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// directory holds objects.json, a list of the objects of a cluster, and a directory for each resource, with the settings of each
// of its policies, <policy>.txt, and the list of object templates that the policy gives on that cluster, <policy>.json.
const (
	directory = "../../../testdata/engines"
	templates = "../../../templates"
)

// Run renders each policy. The argument resolves a text with the API server at a URL and gives JSON.
func Run(t *testing.T, resolve func(url, text string) ([]byte, error)) {
	t.Helper()
	var objects []map[string]any
	read(t, filepath.Join(directory, "objects.json"), &objects)
	server := httptest.NewServer(newAPI(objects))
	t.Cleanup(server.Close)
	policies, err := filepath.Glob(filepath.Join(directory, "[0-9]*", "*.txt"))
	if err != nil || len(policies) == 0 {
		t.Fatal("no policies", err)
	}
	empty := 0
	for _, file := range policies {
		name := strings.TrimSuffix(file, ".txt")
		t.Run(strings.TrimPrefix(name, directory), func(t *testing.T) {
			content, err := resolve(server.URL, policyText(t, file))
			if err != nil {
				t.Fatal(err)
			}
			var got, want []any
			if err := json.Unmarshal(content, &got); err != nil {
				t.Fatal(err)
			}
			read(t, name+".json", &want)
			if len(want) == 0 {
				empty++
			}
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				pretty, _ := json.MarshalIndent(got, "", "  ")
				t.Errorf("differs from %s.json; got\n%s", name, pretty)
			}
		})
	}
	if empty > len(policies)/4 {
		t.Errorf("%d of %d policies give nothing", empty, len(policies))
	}
}

// policyText puts the settings of a policy into the template that it is made of.
func policyText(t *testing.T, file string) string {
	t.Helper()
	const begin, end, objects = "{{- /* settings: begin */}}\n", "{{- /* settings: end */}}\n", "{{- /* objects: begin */}}\n"
	before, rest, _ := strings.Cut(text(t, filepath.Join(templates, "vm-dns.tmpl")), begin)
	_, body, found := strings.Cut(rest, end)
	if !found {
		t.Fatal("the template has no settings")
	}
	if strings.HasSuffix(file, "-report.txt") {
		requests, _, _ := strings.Cut(body, objects)
		body = requests + text(t, filepath.Join(templates, "report.tmpl"))
	}
	return before + begin + text(t, file) + end + body
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
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
