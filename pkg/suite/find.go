package suite

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// ownKinds are the kinds of the project's group.
var ownKinds = []string{v1alpha1.PolicyTestKind, v1alpha1.VirtualMachineDNSKind}

// Find gives the PolicyTests in files, and in directories and all below them. Other manifests are passed over, unless they are in a
// file that is named itself and has no test at all.
func Find(fsys fs.FS, roots []string) ([]*Test, diag.Findings) {
	var tests []*Test
	var findings diag.Findings
	read := map[string]bool{}
	for _, root := range roots {
		files, named, found := filesIn(fsys, root)
		findings = append(findings, found...)
		for _, file := range files {
			if read[file] {
				continue
			}
			read[file] = true
			found, problems := testsIn(fsys, file, named)
			tests, findings = append(tests, found...), append(findings, problems...)
		}
	}
	slices.SortStableFunc(tests, func(a, b *Test) int { return strings.Compare(a.File(), b.File()) })
	findings = append(findings, sameNames(tests)...)
	findings.Sort()
	return tests, findings
}

// Broken gives a result for each file with errors among what Find found: tests in it that cannot run.
func Broken(findings diag.Findings) []Result {
	var results []Result
	for _, f := range findings {
		if f.Severity != diag.Error {
			continue
		}
		at := slices.IndexFunc(results, func(r Result) bool { return r.File == f.File })
		if at < 0 {
			at = len(results)
			results = append(results, Result{Suite: f.File, File: f.File})
		}
		results[at].Findings = append(results[at].Findings, f)
	}
	return results
}

// filesIn lists the manifest files in and below a directory; named tells that the root is a file itself.
func filesIn(fsys fs.FS, root string) (files []string, named bool, findings diag.Findings) {
	info, err := fs.Stat(fsys, root)
	if err != nil {
		return nil, false, diag.Findings{diag.Unreadable(root, err)}
	}
	if !info.IsDir() {
		return []string{root}, true, nil
	}
	err = fs.WalkDir(fsys, root, func(file string, entry fs.DirEntry, err error) error {
		switch hidden := file != root && strings.HasPrefix(path.Base(file), "."); {
		case err != nil:
			findings = append(findings, diag.Unreadable(file, err))
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir() && hidden:
			return fs.SkipDir
		case !entry.IsDir() && !hidden && manifest.IsManifestFile(file) && !manifest.IsKustomization(file):
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		findings = append(findings, diag.Unreadable(root, err))
	}
	return files, false, findings
}

// seemsTest matches the text of a PolicyTest whatever else is wrong with it.
var seemsTest = regexp.MustCompile(`(?m)^["{\s]*kind"?\s*:\s*["']?PolicyTest`)

func testsIn(fsys fs.FS, file string, named bool) ([]*Test, diag.Findings) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, diag.Findings{diag.Unreadable(file, err)}
	}
	if !named && !bytes.Contains(data, []byte(v1alpha1.Group+"/")) && !seemsTest.Match(data) {
		return nil, nil
	}
	objects, problems := manifest.Decode(file, data)
	var tests []*Test
	var findings diag.Findings
	ours := 0
	for i, object := range objects {
		if object.GroupVersionKind().Group != v1alpha1.Group && object.GetKind() != v1alpha1.PolicyTestKind {
			continue
		}
		ours++
		switch kind := object.GetKind(); kind {
		case v1alpha1.PolicyTestKind:
			test, found := read(object, i)
			findings = append(findings, found...)
			if test != nil {
				tests = append(tests, test)
			}
		case v1alpha1.VirtualMachineDNSKind:
			ours--
		default:
			f := diag.Finding{
				Severity: diag.Error, Position: object.FieldPosition("kind"), Object: manifest.Reference(object.Unstructured),
				Field: "kind", Message: "there is no such kind in " + v1alpha1.Group, Hint: diag.DidYouMean(kind, ownKinds),
			}
			findings = append(findings, f)
		}
	}
	if named || ours > 0 || seemsTest.Match(data) {
		findings = append(problems, findings...)
	}
	if named && ours == 0 && !findings.HasErrors() {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: diag.Position{File: file}, Message: "holds no " + v1alpha1.PolicyTestKind,
		})
	}
	return tests, findings
}

// sameNames refuses two tests of one name: --run could not tell them apart, and neither could a report.
func sameNames(tests []*Test) diag.Findings {
	var findings diag.Findings
	first := map[string]*Test{}
	for _, t := range tests {
		if earlier := first[t.Name()]; earlier != nil {
			findings = append(findings, t.finding("metadata.name", "another test has this name, in "+earlier.object.Position.String(),
				"give each test a name of its own"))
			continue
		}
		first[t.Name()] = t
	}
	return findings
}
