package placement

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// noon is the time at which the tests decide.
var noon = time.Date(2025, 11, 1, 12, 0, 0, 0, time.UTC)

func parse(t testing.TB, file, text string) []manifest.Object {
	t.Helper()
	objects, findings := manifest.Decode(file, []byte(text))
	if len(findings) > 0 {
		t.Fatal(findings.Error())
	}
	return objects
}

func readFile(t testing.TB, path string) []manifest.Object {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, path, string(data))
}

func fleet(t testing.TB) []manifest.Object {
	t.Helper()
	return append(readFile(t, "testdata/fleet/00-fleet.yaml"), readFile(t, "testdata/fleet/01-sets-and-bindings.yaml")...)
}

// decide loads the objects and decides at noon. It returns the results by name and all findings as text.
func decide(t testing.TB, objects []manifest.Object) (map[string]Result, string) {
	t.Helper()
	hub, findings := FromObjects(objects)
	results, more := Decide(context.Background(), hub, noon)
	byName := map[string]Result{}
	for _, result := range results {
		byName[result.Name] = result
	}
	return byName, append(findings, more...).Error()
}

func messages(reasons []Reason) string {
	var list []string
	for _, reason := range reasons {
		text := string(reason.Kind) + ": " + reason.Message
		if reason.Hint != "" {
			text += " (" + reason.Hint + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, "\n")
}
