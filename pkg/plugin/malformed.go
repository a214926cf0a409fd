package plugin

import (
	"os"
	"path/filepath"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// malformed gives the place of the fault in a file that kustomize cannot read, which a kustomization in the directory names; an
// empty directory stands for the first one. ok is false if the file has no fault that can be found.
func (s *survey) malformed(directory, name string) (finding diag.Finding, ok bool) {
	if directory == "" {
		directory = s.root
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(directory, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return diag.Finding{}, false
	}
	_, findings := manifest.Decode(s.show(path), data, manifest.AnyMap())
	for _, f := range findings {
		if f.Severity == diag.Error {
			return f, true
		}
	}
	return diag.Finding{}, false
}
