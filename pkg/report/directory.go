package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/render"
)

// listFile holds the names of the files that were written, so that the next run can take away those that it does not write
// again. A name is in it before its file is there: a run that was killed leaves nothing that the next one does not know.
const listFile = ".policyloom-output"

// directoryClusters writes a file <cluster>/<kind>_<namespace>_<name>.yaml for each object.
type directoryClusters struct {
	path string
	// root keeps everything inside the directory, whatever links are in it. It waits for the first file.
	root *os.Root
	list *os.File
	// earlier are the files of earlier runs that are not written again yet, by their names in lower case: not every file
	// system tells letter case apart.
	earlier map[string]string
	written []string
}

// NewDirectory gives a printer that writes files below a directory, which it makes if need be. Close takes the other files of
// earlier runs away, unless errors kept this run from rendering anything. A directory that holds anything without having been
// written by an earlier run is refused.
func NewDirectory(directory string) (Clusters, error) {
	entries, err := os.ReadDir(directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(directory, listFile))
	if err != nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty and not the output of an earlier run: name another directory", directory)
	}
	p := &directoryClusters{path: directory, earlier: map[string]string{}}
	for name := range strings.SplitSeq(string(list), "\n") {
		if name != "" && name != listFile {
			p.earlier[strings.ToLower(name)] = name
		}
	}
	return p, nil
}

func (p *directoryClusters) open() error {
	if p.root != nil {
		return nil
	}
	if err := os.MkdirAll(p.path, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(p.path)
	if err != nil {
		return err
	}
	p.root = root
	p.list, err = root.OpenFile(listFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return err
}

func (p *directoryClusters) Write(cluster render.Cluster) error {
	if err := p.open(); err != nil {
		return err
	}
	names := fileNames{}
	for _, object := range cluster.Objects {
		text, err := document(cluster.Name, object)
		if err != nil {
			return err
		}
		if err := p.file(path.Join(fileName(cluster.Name), names.of(object)), text); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file in the place of one of an earlier run, but not in the place of any other.
func (p *directoryClusters) file(name string, text []byte) error {
	folded := strings.ToLower(name)
	if earlier, ok := p.earlier[folded]; ok {
		if err := p.remove(earlier); err != nil {
			return err
		}
		delete(p.earlier, folded)
	}
	if _, err := p.root.Lstat(name); err == nil {
		return fmt.Errorf("%s is not from an earlier run: it is left alone, and there is no other place for what it is to hold",
			filepath.Join(p.path, filepath.FromSlash(name)))
	}
	if _, err := p.list.WriteString(name + "\n"); err != nil {
		return err
	}
	if err := p.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := p.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	p.written = append(p.written, name)
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// remove takes away a file of an earlier run. What is not in the directory itself is none, whatever the list says.
func (p *directoryClusters) remove(name string) error {
	if !filepath.IsLocal(name) {
		return nil
	}
	if info, err := p.root.Lstat(name); err != nil || info.IsDir() {
		return nil
	}
	return p.root.Remove(name)
}

func (p *directoryClusters) Close(findings diag.Findings) error {
	if p.root == nil && findings.HasErrors() {
		return nil
	}
	if err := p.open(); err != nil {
		return err
	}
	for _, name := range p.earlier {
		if err := p.remove(name); err != nil {
			return err
		}
	}
	for _, name := range p.earlier {
		// A directory that still holds something stays.
		if directory := path.Dir(name); directory != "." && filepath.IsLocal(directory) {
			_ = p.root.Remove(directory)
		}
	}
	slices.Sort(p.written)
	if err := p.list.Close(); err != nil {
		return err
	}
	if err := p.root.WriteFile(listFile, []byte(strings.Join(p.written, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	return p.root.Close()
}
