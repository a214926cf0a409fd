// Package generate turns VirtualMachineDNS resources into the objects that the hub takes: Policy, Placement,
// PlacementBinding and, on request, ManagedClusterSetBinding. Names, annotations and tolerations follow PolicyGenerator.
package generate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// Objects gives the objects for the hub, in the order Policies, ManagedClusterSetBindings, Placements, PlacementBindings.
// The resources have their defaults and are valid. Objects that several resources share (a binding of the same cluster set)
// come once. It fails where two resources make different objects of one name.
func Objects(resources []*v1alpha1.VirtualMachineDNS) ([]*unstructured.Unstructured, error) {
	var policies, setBindings, placements, bindings []any
	for _, dns := range resources {
		if dns.Spec.Output == v1alpha1.OutputTemplate {
			continue
		}
		policy, err := policyOf(dns)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dns.Metadata.Name, err)
		}
		policies = append(policies, policy)
		if *dns.Spec.Report {
			report, err := reportOf(dns)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", dns.Metadata.Name, err)
			}
			policies = append(policies, report)
		}
		for _, binding := range setBindingsOf(dns) {
			setBindings = append(setBindings, binding)
		}
		if !dns.Spec.Placement.IsExisting() {
			placements = append(placements, placementOf(dns))
		}
		bindings = append(bindings, bindingOf(dns))
	}

	var objects []*unstructured.Unstructured
	for _, group := range [][]any{policies, setBindings, placements, bindings} {
		for _, typed := range group {
			object, err := untyped(typed)
			if err != nil {
				return nil, err
			}
			objects = append(objects, object)
		}
	}
	return unique(objects)
}

// YAML gives what the generator prints for the resources: the objects for the hub as a YAML stream, then a document for
// each resource with output: Template. The resources have their defaults and are valid. The same resources always give the same bytes.
func YAML(resources []*v1alpha1.VirtualMachineDNS) ([]byte, error) {
	objects, err := Objects(resources)
	if err != nil {
		return nil, err
	}
	documents := make([]any, 0, len(objects))
	for _, object := range objects {
		documents = append(documents, object.Object)
	}
	for _, dns := range resources {
		if dns.Spec.Output != v1alpha1.OutputTemplate {
			continue
		}
		text, err := Template(dns)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dns.Metadata.Name, err)
		}
		documents = append(documents, map[string]any{"object-templates-raw": text})
	}
	return stream(documents)
}
