// Package scaffold gives the files of a new policy: a VirtualMachineDNS, a kustomization, a fleet of fixtures and a first test.
package scaffold

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed files
var files embed.FS

// Options are what a new policy is called.
type Options struct {
	// Name is the name of the policy, and Namespace that of its namespace on the hub.
	Name, Namespace string
}

// File is a file to write. The path has slashes.
type File struct {
	Path string
	Data []byte
}

// Files gives the files in the order of their paths.
func Files(o Options) ([]File, error) {
	replace := strings.NewReplacer("@NAME@", o.Name, "@NAMESPACE@", o.Namespace)
	var list []File
	err := fs.WalkDir(files, "files", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		target := strings.TrimPrefix(name, "files/")
		if path.Base(target) == "vm-dns.yaml" && path.Dir(target) == "tests" {
			target = path.Join("tests", o.Name+".yaml")
		}
		list = append(list, File{Path: target, Data: []byte(replace.Replace(string(data)))})
		return nil
	})
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list, err
}
