package suite

import (
	"os"
	"regexp"
	"testing"
	"testing/fstest"
)

// TestDocs reads the tests that the documentation shows.
func TestDocs(t *testing.T) {
	found := 0
	for _, file := range []string{"../../README.md", "../../docs/testing.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(text, -1) {
			if !seemsTest.Match(block[1]) {
				continue
			}
			found++
			if tests, findings := Find(fstest.MapFS{"a.yaml": {Data: block[1]}}, []string{"a.yaml"}); len(findings) > 0 || len(tests) != 1 {
				t.Errorf("%s: %v", file, findings)
			}
		}
	}
	if found < 2 {
		t.Errorf("only %d tests found", found)
	}
}
