package report

import (
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/evaluate"
)

// FuzzFileNames checks that no name leads out of a directory, is too long, or takes the place of another.
func FuzzFileNames(f *testing.F) {
	for _, name := range []string{"", ".", "..", "../x", "/", `a\b`, "a/b", "CON", "nul.txt", "web", "WEB", "web_2", "\x00", "é", strings.Repeat("x", 300), strings.Repeat("é", 200)} {
		f.Add("ConfigMap", "ns", name)
		f.Add(name, name, "web")
	}
	f.Fuzz(func(t *testing.T, kind, namespace, name string) {
		taken, seen := fileNames{}, map[string]bool{}
		for _, compliance := range []string{"musthave", "mustnothave"} {
			for _, name := range []string{name, strings.ToUpper(name), "web", name + ".mustnothave", "web_2"} {
				object := &unstructured.Unstructured{Object: map[string]any{}}
				object.SetKind(kind)
				object.SetNamespace(namespace)
				object.SetName(name)
				got := taken.of(evaluate.Object{Object: object, ComplianceType: compliance})
				if !filepath.IsLocal(got) || filepath.Base(got) != got || strings.ContainsAny(got, `\/:`) || len(got) > 255 || got[0] == '.' {
					t.Errorf("%q %q %q becomes %q", kind, namespace, name, got)
				}
				if folded := strings.ToLower(got); seen[folded] {
					t.Errorf("%q is taken twice", got)
				} else {
					seen[folded] = true
				}
			}
		}
	})
}

func TestFileName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"web-01.a": "web-01.a", "../x": "%2E.%2Fx", "a_b": "a%5Fb", "CON": "%43ON", "com1": "%63om1", "console": "console", "lpt": "%6Cpt", "": "",
	} {
		if got := fileName(name); got != want {
			t.Errorf("%q becomes %q instead of %q", name, got, want)
		}
	}
}
