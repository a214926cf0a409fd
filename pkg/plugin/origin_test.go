package plugin

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Asking where objects come from changes nothing in what comes out.
func TestOriginsChangeNothing(t *testing.T) {
	t.Parallel()
	directories, err := filepath.Glob("testdata/build/*")
	if err != nil || len(directories) == 0 {
		t.Fatal("no cases", err)
	}
	compared := 0
	for _, directory := range slices.Concat(directories, []string{"../../policies/vm-dns"}) {
		if info, err := os.Stat(directory); err != nil || !info.IsDir() {
			continue
		}
		want, _, err := Build(t.Context(), Options{Dir: directory})
		if err != nil {
			t.Fatal(directory, err)
		}
		built, _, err := BuildWithOrigins(t.Context(), Options{Dir: directory})
		if err != nil || !bytes.Equal(built.Output, want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", directory, err, built.Output, want)
		}
		if documents := bytes.Count(append([]byte("\n"), want...), []byte("\nkind: ")); len(want) > 0 && len(built.Origins) != documents {
			t.Errorf("%s: %d origins of %d documents", directory, len(built.Origins), documents)
		}
		compared += len(built.Origins)
	}
	if compared < 5 {
		t.Errorf("%d objects are too few to show anything", compared)
	}
}
