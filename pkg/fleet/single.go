package fleet

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// LoadCluster makes a fleet of one cluster from files and directories. Its ManagedCluster is made up, with that name and
// the labels on top of those that an import gives. A directory without a manifest is an error. The fleet is never nil.
func LoadCluster(fsys fs.FS, name string, labels map[string]string, paths ...string) (*Fleet, diag.Findings) {
	var findings diag.Findings
	var roots []string
	for _, root := range paths {
		root = path.Clean(root)
		if slices.Contains(roots, root) {
			continue
		}
		if _, err := fs.Stat(fsys, root); err != nil {
			findings = append(findings, diag.Unreadable(root, err))
			continue
		}
		if isDir(fsys, path.Join(root, clustersDir)) {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: diag.Position{File: root}, Message: "is a fleet, not one cluster: it has clusters/",
				Hint: "load it as a fleet, or name one directory below clusters/",
			})
			continue
		}
		if !holdsManifests(fsys, root) {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: diag.Position{File: root}, Message: "holds no manifest",
				Hint: "manifests are files that end in .yaml, .yml or .json",
			})
			continue
		}
		roots = append(roots, root)
	}
	slices.Sort(roots)
	findings = append(findings, checkLabels(labels)...)
	cluster, problems := newCluster(fsys, name, roots...)
	findings = append(findings, problems...)
	findings.Sort()
	if cluster == nil {
		return &Fleet{}, findings
	}
	cluster.Synthetic = true
	return &Fleet{
		Hub:      []manifest.Object{{Unstructured: managedCluster(name, labels)}},
		Clusters: []*Cluster{cluster},
	}, findings
}

// holdsManifests tells whether a path is a file, or a directory with a manifest file in it or below. What it cannot read it
// leaves to Load to report.
func holdsManifests(fsys fs.FS, root string) bool {
	found := false
	_ = fs.WalkDir(fsys, root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() && (file == root || manifest.IsManifestFile(file)) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

func checkLabels(labels map[string]string) (findings diag.Findings) {
	for _, key := range sortedKeys(labels) {
		problems := append(validation.IsQualifiedName(key), validation.IsValidLabelValue(labels[key])...)
		if len(problems) > 0 {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Message: fmt.Sprintf("%.140q is not a label", key+"="+labels[key]), Hint: problems[0],
			})
		}
	}
	return findings
}
