// Package fleet loads the fixtures that policies are tried on: a hub and its managed clusters.
//
//	fleet/
//	  hub/              manifests of the hub: ManagedCluster, ManagedClusterSet, ConfigMap ...
//	  clusters/<name>/  manifests of that managed cluster: files, lists, must-gather trees
package fleet

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

const (
	hubDir      = "hub"
	clustersDir = "clusters"
)

// Fleet is a hub and its managed clusters.
type Fleet struct {
	// Hub holds the objects of the hub in the order of their files, with a ManagedCluster for each of the clusters.
	Hub []manifest.Object
	// Clusters holds the managed clusters by name. Their objects are loaded when they are needed.
	Clusters []*Cluster
}

// Load reads the hub of a fleet and finds its clusters. A cluster without a ManagedCluster in hub/ gets a plain one,
// which a finding of severity Info says; a ManagedCluster without a directory is an empty cluster. The fleet is never
// nil, and holds what could be read.
func Load(fsys fs.FS, dir string) (*Fleet, diag.Findings) {
	l := loader{fsys: fsys, dir: dir, fleet: &Fleet{}}
	if hub, clusters := l.layout(); hub || clusters {
		if hub {
			l.hub()
		}
		if clusters {
			l.directories()
		}
		l.join()
	}
	l.findings.Sort()
	return l.fleet, l.findings
}

// loader collects the parts of a fleet.
type loader struct {
	fsys     fs.FS
	dir      string
	fleet    *Fleet
	findings diag.Findings
}

func (l *loader) hub() {
	root := path.Join(l.dir, hubDir)
	objects, findings := loadObjects(l.fsys, []string{root}, nil)
	l.fleet.Hub = objects
	l.findings = append(l.findings, findings...)
}

// directories makes a cluster of each directory below clusters/.
func (l *loader) directories() {
	root := path.Join(l.dir, clustersDir)
	entries, err := fs.ReadDir(l.fsys, root)
	if err != nil {
		l.findings = append(l.findings, diag.Unreadable(root, err))
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		place := path.Join(root, name)
		switch {
		case strings.HasPrefix(name, "."):
		case !isDir(l.fsys, place):
			if manifest.IsManifestFile(name) {
				l.report(diag.Error, place, "belongs to no cluster", "move it to clusters/"+strings.TrimSuffix(name, path.Ext(name))+"/")
			}
		default:
			cluster, findings := newCluster(l.fsys, name, place)
			l.findings = append(l.findings, findings...)
			if cluster != nil {
				l.fleet.Clusters = append(l.fleet.Clusters, cluster)
			}
		}
	}
}

// join gives each cluster its ManagedCluster, and each ManagedCluster its cluster.
func (l *loader) join() {
	byName := func(a, b *Cluster) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(l.fleet.Clusters, byName)
	withoutDirectory := map[string]bool{}
	known := map[string]bool{}
	for _, object := range l.fleet.Hub {
		if isManagedCluster(object) {
			known[object.GetName()], withoutDirectory[object.GetName()] = true, true
		}
	}
	for _, cluster := range l.fleet.Clusters {
		delete(withoutDirectory, cluster.Name)
	}
	names := sortedKeys(withoutDirectory)
	for _, cluster := range l.fleet.Clusters {
		if known[cluster.Name] {
			continue
		}
		cluster.Synthetic = true
		place := diag.Position{File: path.Join(l.dir, clustersDir, cluster.Name)}
		l.fleet.Hub = append(l.fleet.Hub, manifest.Object{Unstructured: managedCluster(cluster.Name, nil), Position: place})
		finding := diag.Finding{
			Severity: diag.Info, Position: place, Cluster: cluster.Name,
			Message: "hub/ has no ManagedCluster of that name: a plain one is taken, accepted and available",
			Hint:    diag.DidYouMean(cluster.Name, names),
		}
		if finding.Hint != "" {
			finding.Severity = diag.Warning
		}
		l.findings = append(l.findings, finding)
	}
	for _, name := range names {
		l.fleet.Clusters = append(l.fleet.Clusters, &Cluster{Name: name, fsys: l.fsys})
	}
	slices.SortFunc(l.fleet.Clusters, byName)
}

func (l *loader) report(severity diag.Severity, file, message, hint string) {
	l.findings = append(l.findings, diag.Finding{Severity: severity, Position: diag.Position{File: file}, Message: message, Hint: hint})
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}
