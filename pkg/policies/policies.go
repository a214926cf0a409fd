// Package policies reads the manifests of policies: files, directories, streams and kustomizations. A VirtualMachineDNS among them
// gives what it generates.
package policies

import (
	"context"
	"io"
	"io/fs"
	"slices"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// Source says where policies come from.
type Source struct {
	// FS holds the files. Paths are given to it as they are.
	FS fs.FS
	// Files are files and directories.
	Files []string
	// Kustomizations are directories that kustomize builds, from the file system of the machine.
	Kustomizations []string
	// Streams are read to their end.
	Streams []Stream
}

// Stream is a stream of manifests, and what findings call it.
type Stream struct {
	Name   string
	Reader io.Reader
}

// Load gives the manifests of all sources. A source without any is a finding. The error says that something failed that is no fault
// of the sources, or is that of the context.
func Load(ctx context.Context, source Source) ([]manifest.Object, diag.Findings, error) {
	var objects []manifest.Object
	var findings diag.Findings
	for _, stream := range source.Streams {
		read, found := manifest.Read(stream.Reader, stream.Name, manifest.AllowFragments())
		objects, findings = append(objects, read...), append(findings, notNothing(stream.Name, true, read, found)...)
	}
	for _, file := range source.Files {
		read, found := manifest.LoadFS(source.FS, file, manifest.AllowFragments())
		objects, findings = append(objects, read...), append(findings, notNothing(file, manifest.IsManifestFile(file), read, found)...)
	}
	for _, dir := range source.Kustomizations {
		built, found, err := kustomize(ctx, source.FS, dir)
		if err != nil {
			return nil, nil, err
		}
		objects, findings = append(objects, built...), append(findings, found...)
	}
	objects, found, err := expand(objects)
	return objects, append(findings, found...), err
}

// notNothing adds a finding about a source that holds no manifest.
func notNothing(file string, isManifest bool, objects []manifest.Object, findings diag.Findings) diag.Findings {
	if len(objects) > 0 || findings.HasErrors() {
		return findings
	}
	nothing := diag.Finding{Severity: diag.Error, Position: diag.Position{File: file}, Message: "holds no manifest"}
	switch {
	case slices.ContainsFunc(findings, func(f diag.Finding) bool { return manifest.IsKustomization(f.File) }):
		nothing.Hint = "build the kustomization in it instead"
	case !isManifest:
		nothing.Hint = "manifests are files that end in .yaml, .yml or .json"
	}
	return append(findings, nothing)
}
