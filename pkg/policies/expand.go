package policies

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

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
			resources, found := Decode("", text, v1alpha1.DecodeWithoutLines)
			for i := range found {
				found[i].Position = positionOf(object, found[i].Field)
			}
			findings = append(findings, found...)
			if found.HasErrors() {
				continue
			}
			generated, err := Generate(resources)
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
				Hint:    "list it under generators: in a kustomization and build that",
			})
		default:
			expanded = append(expanded, object)
		}
	}
	return expanded, findings, nil
}

// Generate gives the objects for the hub. A template for PolicyGenerator comes as a ConfigurationPolicy that stands
// alone, as PolicyGenerator would wrap it.
func Generate(resources []*v1alpha1.VirtualMachineDNS) ([]*unstructured.Unstructured, error) {
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

// Decode reads resources, fills in defaults and validates.
func Decode(
	name string, data []byte, decode func(string, []byte) ([]*v1alpha1.VirtualMachineDNS, diag.Findings),
) ([]*v1alpha1.VirtualMachineDNS, diag.Findings) {
	resources, findings := decode(name, data)
	for _, resource := range resources {
		findings = append(findings, resource.Validate()...)
		resource.Default()
	}
	if len(resources) == 0 && !findings.HasErrors() {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: diag.Position{File: name},
			Message: "holds no " + v1alpha1.VirtualMachineDNSKind,
		})
	}
	findings.Sort()
	return resources, findings
}
