package dnsplan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// TestSources compares the endpoints of each case in testdata/sources with endpoints.json, which the sources and wrappers of
// external-dns gave: test/engines/externaldns runs them.
func TestSources(t *testing.T) {
	t.Parallel()
	quiet.ExternalDNS()
	directories, err := filepath.Glob("testdata/sources/*")
	if err != nil || len(directories) == 0 {
		t.Fatal(directories, err)
	}
	for _, directory := range directories {
		t.Run(filepath.Base(directory), func(t *testing.T) {
			t.Parallel()
			i, findings := newInstance(Settings{
				Cluster: "c1", Complete: true,
				Args: strings.Fields(readFile(t, filepath.Join(directory, "args"))),
			})
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			cluster := Cluster{Name: "c1"}
			objects, findings := manifest.Decode("objects.yaml", []byte(readFile(t, filepath.Join(directory, "objects.yaml"))))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			for _, object := range objects {
				if object.GetKind() == "Service" {
					cluster.Services = append(cluster.Services, object)
				} else {
					cluster.Endpoints = append(cluster.Endpoints, object)
				}
			}
			if findings := i.load(cluster); findings.HasErrors() {
				t.Fatal(findings)
			}
			var lines []string
			for _, endpoint := range i.desired {
				slices.Sort(endpoint.Targets)
				line, err := json.Marshal(endpoint.Endpoint)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, string(line)+"\n")
			}
			slices.Sort(lines)
			if got, want := strings.Join(lines, ""), readFile(t, filepath.Join(directory, "endpoints.json")); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
