package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/render"
)

// listFile holds the names of the files that were written, so that the next run can take away those that it does not write
// again.
const listFile = ".policyloom-output"

// directoryClusters writes a file <cluster>/<kind>_<namespace>_<name>.yaml for each object.
type directoryClusters struct {
	root    string
	written []string
	taken   map[string]bool
}

// NewDirectory gives a printer that writes files below a directory, which it makes if need be. A directory that holds anything
// but the files of an earlier run is refused; those are removed first.
func NewDirectory(root string) (Clusters, error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(root, listFile))
	if err != nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty and not the output of an earlier run: name another directory", root)
	}
	for _, name := range strings.Split(string(list), "\n") {
		if name == "" || !filepath.IsLocal(name) {
			continue
		}
		file := filepath.Join(root, name)
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		// A directory that still holds something stays.
		_ = os.Remove(filepath.Dir(file))
	}
	return &directoryClusters{root: root, taken: map[string]bool{}}, nil
}

func (p *directoryClusters) Write(cluster render.Cluster) error {
	for _, object := range cluster.Objects {
		text, err := yaml.Marshal(object.Object.Object)
		if err != nil {
			return err
		}
		base := fileName(object.Object.GetKind()) + "_" + fileName(object.Object.GetNamespace()) + "_" + fileName(object.Object.GetName())
		if object.ComplianceType == "mustnothave" {
			base += ".mustnothave"
		}
		name := p.free(filepath.Join(fileName(cluster.Name), base))
		file := filepath.Join(p.root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		content := fmt.Sprintf("# cluster: %s\n%s%s", diag.Printable(cluster.Name), origin(object), text)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil { //nolint:gosec // meant to be read by others
			return err
		}
		p.written = append(p.written, filepath.ToSlash(name))
	}
	return nil
}

// free gives the name of a file that is not written yet; objects that share kind, namespace and name are counted. Letter case
// does not tell names apart, since not every file system does.
func (p *directoryClusters) free(path string) string {
	name := path + ".yaml"
	for n := 2; p.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d.yaml", path, n)
	}
	p.taken[strings.ToLower(name)] = true
	return name
}

func (p *directoryClusters) Close() error {
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		return err
	}
	text := strings.Join(p.written, "\n") + "\n"
	return os.WriteFile(filepath.Join(p.root, listFile), []byte(text), 0o644) //nolint:gosec // meant to be read by others
}

// fileName keeps letters, digits, dots (not in front) and hyphens and writes every other byte as %XX, so that a name from a
// template can lead nowhere else.
func fileName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
