package fleet

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Given are objects that are written down somewhere else than in a fleet's directory, and files with more of them.
type Given struct {
	Files   []string
	Objects []manifest.Object
}

// GivenCluster is a managed cluster of which all parts are given.
type GivenCluster struct {
	Given
	Name        string
	Labels      map[string]string
	MissingAPIs []string
}

// Compose makes a fleet of what is given. Each cluster without a ManagedCluster on the hub gets one, with its labels. The fleet is
// never nil, and holds what could be read.
func Compose(fsys fs.FS, hub Given, clusters []GivenCluster) (*Fleet, diag.Findings) {
	objects, findings := loadObjects(fsys, hub.Files, nil)
	f := &Fleet{Hub: append(objects, hub.Objects...)}
	known := map[string]bool{}
	for _, object := range f.Hub {
		if isManagedCluster(object) {
			known[object.GetName()] = true
		}
	}
	for _, given := range clusters {
		cluster, found := newCluster(fsys, given.Name, given.Files...)
		findings = append(append(findings, found...), checkLabels(given.Labels)...)
		if cluster == nil {
			continue
		}
		cluster.given = given.Objects
		cluster.MissingAPIs = append(cluster.MissingAPIs, given.MissingAPIs...)
		f.Clusters = append(f.Clusters, cluster)
		if !known[given.Name] {
			cluster.Synthetic = true
			f.Hub = append(f.Hub, manifest.Object{Unstructured: managedCluster(given.Name, given.Labels)})
		}
	}
	f.addEmpty(fsys)
	findings.Sort()
	return f, findings
}

// With gives the fleet with another hub. A ManagedCluster that the hub has now and that is no cluster of the fleet is an empty one.
func (f *Fleet) With(hub []manifest.Object) *Fleet {
	changed := &Fleet{Hub: hub, Clusters: slices.Clone(f.Clusters)}
	changed.addEmpty(nil)
	return changed
}

// addEmpty adds a cluster for each ManagedCluster that has none.
func (f *Fleet) addEmpty(fsys fs.FS) {
	for _, object := range f.Hub {
		if isManagedCluster(object) && !slices.ContainsFunc(f.Clusters, func(c *Cluster) bool { return c.Name == object.GetName() }) {
			f.Clusters = append(f.Clusters, &Cluster{Name: object.GetName(), fsys: fsys})
		}
	}
	slices.SortFunc(f.Clusters, func(a, b *Cluster) int { return strings.Compare(a.Name, b.Name) })
}
