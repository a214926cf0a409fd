// Package generate turns VirtualMachineDNS resources into the objects that the hub takes: Policy, Placement,
// PlacementBinding and, on request, ManagedClusterSetBinding. Names, annotations and tolerations follow PolicyGenerator.
package generate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// Objects gives the objects for the hub, in the order Policies, PolicySets, ManagedClusterSetBindings, Placements,
// PlacementBindings. The resources have their defaults and are valid. Objects that several resources share (a binding of the
// same cluster set) come once, and a PolicySet of several resources holds the policies of all. It fails where two resources make
// different objects of one name.
func Objects(resources []*v1alpha1.VirtualMachineDNS) ([]*unstructured.Unstructured, error) {
	var policies, setBindings, placements, bindings []any
	sets := policySets{}
	for _, dns := range resources {
		if dns.Spec.Output == v1alpha1.OutputTemplate {
			continue
		}
		generated, err := policiesOf(dns)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dns.Metadata.Name, err)
		}
		for _, policy := range generated {
			policies = append(policies, policy)
		}
		namespace := dns.Spec.Policy.Namespace
		place := func(p *v1alpha1.Placement, kind, subject, reportBinding string) {
			setBindings = append(setBindings, setBindingsOf(namespace, p)...)
			if !p.IsExisting() {
				placements = append(placements, placementOf(namespace, p))
			}
			bindings = append(bindings, bindingOf(namespace, p, "binding-"+subject, kind, subject))
			if *dns.Spec.Report {
				// What overrides the action of the Policy or of its set must not make the report enforce.
				bindings = append(bindings, bindingOf(namespace, p, "binding-"+reportBinding, policyv1.Kind, reportName(dns)))
			}
		}
		if dns.IsPlaced() {
			place(&dns.Spec.Placement, policyv1.Kind, dns.Metadata.Name, reportName(dns))
		}
		for _, set := range dns.Sets() {
			sets.join(namespace, &set, dns)
			if *set.GeneratePolicySetPlacement {
				place(&set.Placement, policyv1.PolicySetKind, set.Name, reportName(dns)+"-"+set.Name)
			}
		}
	}
	generatedSets, err := sets.objects()
	if err != nil {
		return nil, err
	}

	var objects []*unstructured.Unstructured
	for _, group := range [][]any{policies, generatedSets, setBindings, placements, bindings} {
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

// policiesOf gives the Policy of a resource, and the one that reports if that is asked for.
func policiesOf(dns *v1alpha1.VirtualMachineDNS) ([]*policyv1.Policy, error) {
	policy, err := policyOf(dns)
	if err != nil || !*dns.Spec.Report {
		return []*policyv1.Policy{policy}, err
	}
	report, err := reportOf(dns)
	return []*policyv1.Policy{policy, report}, err
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
