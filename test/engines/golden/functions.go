package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of functions anew")

// Functions compares the functions of sprig that an engine has with the list in testdata/engines/functions, which the table of
// releases is checked against.
func Functions(t *testing.T, engine string, names []string) {
	t.Helper()
	slices.Sort(names)
	got := strings.Join(names, "\n") + "\n"
	file := filepath.Join(directory, "functions", engine+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want := text(t, file); got != want {
		t.Errorf("differs from %s; got\n%s", file, got)
	}
}
