package manifest

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

// LoadFS reads a file, or every .yaml, .yml and .json file in and below a directory. Hidden files and directories are
// passed over, and so are kustomizations, which are no manifests; links to files are followed, links to directories
// are not. Files are decoded in parallel; objects come in the order of their paths, then of their places in the file.
//
// Paths are joined with / and given to fsys as they are, so a file system that takes other paths than those of fs.FS,
// such as "../fleet", works as well and has them in its findings.
func LoadFS(fsys fs.FS, root string, opts ...Option) ([]Object, diag.Findings) {
	o := newOptions(opts)
	files, findings := listFiles(fsys, root)
	if o.skip != nil {
		files = slices.DeleteFunc(files, o.skip)
	}
	slices.Sort(files)
	type result struct {
		objects  []Object
		findings diag.Findings
	}
	results := make([]result, len(files))
	parallel(len(files), o.fixtures, func(i int, intern *interner) {
		r := &results[i]
		data, err := fs.ReadFile(fsys, files[i])
		if err != nil {
			r.findings = diag.Findings{diag.Unreadable(files[i], err)}
			return
		}
		r.objects, r.findings = decodeFile(fsys, files[i], data, o, intern)
	})
	total := 0
	for _, r := range results {
		total += len(r.objects)
	}
	objects := make([]Object, 0, total)
	for _, r := range results {
		objects = append(objects, r.objects...)
		findings = append(findings, r.findings...)
	}
	findings.Sort()
	return objects, findings
}

// listFiles gives the manifest files in and below root, in no particular order.
func listFiles(fsys fs.FS, root string) (files []string, findings diag.Findings) {
	info, err := fs.Stat(fsys, root)
	if err != nil {
		return nil, diag.Findings{diag.Unreadable(root, err)}
	}
	if !info.IsDir() {
		return []string{root}, nil
	}
	err = fs.WalkDir(fsys, root, func(file string, entry fs.DirEntry, err error) error {
		hidden := file != root && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil:
			findings = append(findings, diag.Unreadable(file, err))
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir():
			if hidden {
				return fs.SkipDir
			}
		case hidden:
		case entry.Type()&fs.ModeSymlink != 0:
			f, ok := link(fsys, file)
			if f != nil {
				findings = append(findings, *f)
			}
			if ok {
				files = append(files, file)
			}
		case entry.Type().IsRegular() && IsManifestFile(file):
			if IsKustomization(file) {
				findings = append(findings, diag.Finding{
					Severity: diag.Info, Position: diag.Position{File: file}, Message: "skipped: a kustomization is no manifest",
					Hint: "use -k to build it",
				})
				break
			}
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		findings = append(findings, diag.Unreadable(root, err))
	}
	return files, findings
}

// link tells whether a symbolic link leads to a manifest file.
func link(fsys fs.FS, file string) (*diag.Finding, bool) {
	info, err := fs.Stat(fsys, file)
	switch {
	case err != nil && !IsManifestFile(file):
		return nil, false
	case err != nil:
		f := diag.Unreadable(file, err)
		f.Message = "the link leads nowhere: " + f.Message
		return &f, false
	case info.IsDir():
		return &diag.Finding{
			Severity: diag.Warning, Position: diag.Position{File: file}, Message: "skipped: a link to a directory is not followed",
			Hint: "link the files, or copy the directory",
		}, false
	}
	return nil, info.Mode().IsRegular() && IsManifestFile(file) && !IsKustomization(file)
}

// IsManifestFile tells by the name of a file whether it is one of those that LoadFS reads in a directory.
func IsManifestFile(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(path.Ext(file)))
}

// IsKustomization tells by the name of a file whether it is a kustomization, which LoadFS passes over.
func IsKustomization(file string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml"}, path.Base(file))
}
