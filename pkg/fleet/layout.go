package fleet

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

const ownGroup = "policyloom.dev"

const layoutHint = "a fleet has the objects of the hub in hub/ and those of each managed cluster in clusters/<name>/"

// layout looks at the directory of the fleet. It tells which of its two parts there are, and reports what is not read.
func (l *loader) layout() (hub, clusters bool) {
	entries, err := fs.ReadDir(l.fsys, l.dir)
	if err != nil {
		f := diag.Unreadable(l.dir, err)
		f.Hint = layoutHint
		l.findings = append(l.findings, f)
		return false, false
	}
	hub, clusters = isDir(l.fsys, path.Join(l.dir, hubDir)), isDir(l.fsys, path.Join(l.dir, clustersDir))
	missing := []string{}
	if !hub {
		missing = append(missing, hubDir)
	}
	if !clusters {
		missing = append(missing, clustersDir)
	}
	if len(missing) == 2 {
		l.report(diag.Error, l.dir, "not a fleet: there is neither hub/ nor clusters/", layoutHint)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != hubDir && name != clustersDir && !strings.HasPrefix(name, ".") {
			l.stray(name, missing)
		}
	}
	return hub, clusters
}

// stray reports what lies beside hub/ and clusters/; missing are those of the two that are not there.
func (l *loader) stray(name string, missing []string) {
	place := path.Join(l.dir, name)
	if isDir(l.fsys, place) {
		severity, hint := diag.Info, ""
		if meant := diag.Suggest(name, []string{hubDir, clustersDir}); meant != "" {
			severity, hint = diag.Warning, diag.DidYouMean(name, []string{hubDir, clustersDir})
			if slices.Contains(missing, meant) {
				severity = diag.Error
			}
		}
		l.report(severity, place, "the directory is not read: a fleet has hub/ and clusters/", hint)
		return
	}
	if manifest.IsManifestFile(name) && !isOwnFile(l.fsys, place) {
		l.report(diag.Warning, place, "the file is not read: it is neither in hub/ nor in clusters/<name>/", "move it to hub/ or to clusters/<name>/")
	}
}

// isOwnFile tells whether a file may well lie beside a fleet: a kustomization, or one of our own kinds such as PolicyTest.
func isOwnFile(fsys fs.FS, file string) bool {
	if manifest.IsKustomization(file) {
		return true
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return false
	}
	objects, findings := manifest.Decode(file, data, manifest.AnyMap())
	return !findings.HasErrors() && !slices.ContainsFunc(objects, func(o manifest.Object) bool {
		return o.GroupVersionKind().Group != ownGroup
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
