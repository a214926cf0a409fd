package fleet

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Cluster is a managed cluster whose objects are loaded when they are needed, so that memory is bounded by the clusters
// that are being worked on.
type Cluster struct {
	Name string
	// MissingAPIs names the APIs that the cluster does not serve: an API group (kubevirt.io), a version of one
	// (kubevirt.io/v1) or a resource (virtualmachineinstances.kubevirt.io).
	MissingAPIs []string
	// ExternalDNS says how external-dns runs there, where cluster.yaml says so.
	ExternalDNS []ExternalDNS
	// Synthetic says that the ManagedCluster is made up, because the hub has none of that name.
	Synthetic bool

	fsys     fs.FS
	roots    []string
	settings []string
	// given are objects that are in no file of the cluster.
	given []manifest.Object
}

// HasFixtures tells whether anything is given for the cluster, rather than a ManagedCluster on the hub alone.
func (c *Cluster) HasFixtures() bool { return len(c.roots) > 0 || len(c.given) > 0 }

// newCluster makes a cluster of a directory. It returns nil if a cluster cannot have that name.
func newCluster(fsys fs.FS, name string, roots ...string) (*Cluster, diag.Findings) {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		f := diag.Finding{
			Severity: diag.Error, Message: "a managed cluster cannot have the name " + name,
			Hint: "use at most 63 lower-case letters, digits and hyphens, with a letter or digit at both ends",
		}
		if len(roots) > 0 {
			f.File = roots[0]
		}
		return nil, diag.Findings{f}
	}
	cluster := &Cluster{Name: name, fsys: fsys, roots: roots}
	var findings diag.Findings
	for _, root := range roots {
		file := path.Join(root, settingsFile)
		if info, err := fs.Stat(fsys, file); err != nil || info.IsDir() {
			continue
		}
		settings, isSettings, found := readSettings(fsys, file)
		findings = append(findings, found...)
		if isSettings {
			cluster.MissingAPIs = append(cluster.MissingAPIs, settings.missing...)
			cluster.ExternalDNS = append(cluster.ExternalDNS, settings.externalDNS...)
			cluster.settings = append(cluster.settings, file)
		}
	}
	setCluster(findings, name)
	return cluster, findings
}

// Load reads the objects of the cluster, in the order of their files and of their places in them. It reads them again
// each time. It returns what could be read also when there are errors, of which each object that is there twice is one.
func (c *Cluster) Load(ctx context.Context) ([]manifest.Object, diag.Findings) {
	if err := ctx.Err(); err != nil {
		return nil, diag.Findings{{Severity: diag.Error, Cluster: c.Name, Message: "not loaded: " + err.Error()}}
	}
	objects, findings := loadObjects(c.fsys, c.roots, c.settings)
	if len(c.given) > 0 {
		never := func(string) bool { return false }
		all, found := unique(append(objects, c.given...), never)
		objects, findings = all, append(findings, found...)
	}
	setCluster(findings, c.Name)
	return objects, findings
}

func setCluster(findings diag.Findings, name string) {
	for i := range findings {
		findings[i].Cluster = name
	}
}

// loadObjects reads the files and directories that are the roots, without the files to skip.
func loadObjects(fsys fs.FS, roots, skip []string) ([]manifest.Object, diag.Findings) {
	var objects []manifest.Object
	var findings diag.Findings
	read := map[string]bool{}
	for _, file := range skip {
		read[file] = true
	}
	gathered := func(file string) bool { return inMustGather(file, roots) }
	for _, root := range roots {
		found, problems := manifest.LoadFS(fsys, root, manifest.Fixtures(), manifest.Lenient(gathered),
			manifest.Skip(func(file string) bool { return read[file] }))
		for _, object := range found {
			read[object.File] = true
		}
		objects = append(objects, found...)
		findings = append(findings, problems...)
	}
	if len(roots) > 1 {
		slices.SortStableFunc(objects, func(a, b manifest.Object) int { return strings.Compare(a.File, b.File) })
	}
	objects, problems := unique(objects, gathered)
	findings = append(findings, problems...)
	findings.Sort()
	return objects, findings
}
