package policies

import (
	"context"
	"io/fs"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/plugin"
)

// kustomize builds a directory. The objects have the places that they have in the files they come from, as far as those can be
// told: lines of the built stream are in no file of the user's.
func kustomize(ctx context.Context, fsys fs.FS, dir string) ([]manifest.Object, diag.Findings, error) {
	built, findings, err := plugin.BuildWithOrigins(ctx, plugin.Options{Dir: dir})
	if err != nil {
		return nil, nil, err
	}
	objects, found := manifest.Decode(dir, built.Output)
	for _, finding := range found {
		finding.Line, finding.Column = 0, 0
		findings = append(findings, finding)
	}
	if len(objects) != len(built.Origins) {
		built.Origins = nil
	}
	files := map[string][]manifest.Object{}
	for i, object := range objects {
		place := manifest.Object{Position: diag.Position{File: dir}}
		if built.Origins != nil {
			place = placeOf(fsys, object, built.Origins[i], files)
		}
		objects[i] = object.PlacedAs(place, diag.Position{File: dir})
	}
	return objects, findings, nil
}

// placeOf gives the object of a file that a built one was made of, or an object that has nothing but a place.
func placeOf(fsys fs.FS, object manifest.Object, origin plugin.Origin, files map[string][]manifest.Object) manifest.Object {
	place := manifest.Object{Position: origin.Position}
	if origin.Generated {
		return place
	}
	file := origin.Position.File
	if _, read := files[file]; !read {
		// What is wrong with the file is in the findings of the build.
		files[file], _ = manifest.LoadFS(fsys, file)
	}
	var ofKind []manifest.Object
	for _, candidate := range files[file] {
		if candidate.GetKind() != object.GetKind() {
			continue
		}
		if candidate.GetName() == object.GetName() {
			return candidate
		}
		ofKind = append(ofKind, candidate)
	}
	// The kustomization may have changed its name.
	for _, candidate := range ofKind {
		if len(ofKind) == 1 || strings.Contains(object.GetName(), candidate.GetName()) {
			return candidate
		}
	}
	return place
}
