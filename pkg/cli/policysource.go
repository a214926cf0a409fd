package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// policySource is where policies come from: files, directories, standard input, kustomizations.
type policySource struct {
	files          []string
	kustomizations []string
}

func (s *policySource) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVarP(&s.files, "filename", "f", nil, "policies in a file or in a directory and all below; - is standard input")
	flags.StringArrayVarP(&s.kustomizations, "kustomize", "k", nil, "policies that kustomize builds from a directory")
	completeManifests(command, "filename")
	completeDirectory(command, "kustomize")
}

func (s *policySource) isEmpty() bool { return len(s.files) == 0 && len(s.kustomizations) == 0 }

// check refuses sources that are not there.
func (s *policySource) check() error {
	var errs []error
	stdin := 0
	for _, file := range s.files {
		if file == standardInput {
			stdin++
			continue
		}
		errs = append(errs, exists(file))
	}
	if stdin > 1 {
		errs = append(errs, errors.New("standard input can be read only once"))
	}
	for _, directory := range s.kustomizations {
		errs = append(errs, exists(directory))
	}
	return errors.Join(errs...)
}

// load gives the manifests of all sources. VirtualMachineDNS resources among them are generated.
func (s *policySource) load(ctx context.Context, stdin io.Reader) ([]manifest.Object, diag.Findings, error) {
	var objects []manifest.Object
	var findings diag.Findings
	for _, file := range s.files {
		read, found := readPolicies(file, stdin)
		objects, findings = append(objects, read...), append(findings, found...)
	}
	for _, dir := range s.kustomizations {
		built, found, err := kustomize(ctx, dir)
		if err != nil {
			return nil, nil, err
		}
		objects, findings = append(objects, built...), append(findings, found...)
	}
	objects, found, err := expand(objects)
	return objects, append(findings, found...), err
}

// readPolicies reads a file, a directory or standard input, in which there must be something.
func readPolicies(file string, stdin io.Reader) ([]manifest.Object, diag.Findings) {
	var objects []manifest.Object
	var findings diag.Findings
	if file == standardInput {
		file = stdinName
		objects, findings = manifest.Read(stdin, file, manifest.AllowFragments())
	} else {
		objects, findings = manifest.LoadFS(osFS{}, file, manifest.AllowFragments())
	}
	if len(objects) > 0 || findings.HasErrors() {
		return objects, findings
	}
	nothing := diag.Finding{Severity: diag.Error, Position: diag.Position{File: file}, Message: "holds no manifest"}
	switch {
	case slices.ContainsFunc(findings, func(f diag.Finding) bool { return manifest.IsKustomization(f.File) }):
		nothing.Hint = "build the kustomization in it with --kustomize"
	case !manifest.IsManifestFile(file) && file != stdinName:
		nothing.Hint = "manifests are files that end in .yaml, .yml or .json"
	}
	return nil, append(findings, nothing)
}

// positionOf gives the place of a field. What kustomize built has no lines.
func positionOf(object manifest.Object, field string) diag.Position {
	if object.Line == 0 {
		return object.Position
	}
	return object.FieldPosition(strict.Path(field)...)
}

// expand replaces each VirtualMachineDNS by what it generates, and refuses the configuration of other generators.
func expand(objects []manifest.Object) ([]manifest.Object, diag.Findings, error) {
	var expanded []manifest.Object
	var findings diag.Findings
	for _, object := range objects {
		switch object.GetKind() {
		case v1alpha1.VirtualMachineDNSKind:
			text, err := object.MarshalJSON()
			if err != nil {
				return nil, nil, err
			}
			resources, found := decodeResources("", text, v1alpha1.DecodeWithoutLines)
			for i := range found {
				found[i].Position = positionOf(object, found[i].Field)
			}
			findings = append(findings, found...)
			if found.HasErrors() {
				continue
			}
			generated, err := generatePolicies(resources)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", object.Position, err)
			}
			for _, g := range generated {
				expanded = append(expanded, manifest.Object{Unstructured: g, Position: object.Position})
			}
		case "PolicyGenerator":
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: object.Position, Object: manifest.Reference(object.Unstructured),
				Message: "is the configuration of a generator, not a policy",
				Hint:    "list it under generators: in a kustomization and use --kustomize",
			})
		default:
			expanded = append(expanded, object)
		}
	}
	return expanded, findings, nil
}

// generatePolicies gives the objects for the hub. A template for PolicyGenerator comes as a ConfigurationPolicy that stands
// alone, as PolicyGenerator would wrap it.
func generatePolicies(resources []*v1alpha1.VirtualMachineDNS) ([]*unstructured.Unstructured, error) {
	objects, err := generate.Objects(resources)
	if err != nil {
		return nil, err
	}
	for _, dns := range resources {
		if dns.Spec.Output != v1alpha1.OutputTemplate {
			continue
		}
		policy, err := generate.ConfigurationPolicy(dns)
		if err != nil {
			return nil, err
		}
		objects = append(objects, policy)
	}
	return objects, nil
}
