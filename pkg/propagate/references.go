package propagate

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	policiesv1beta1 "open-cluster-management.io/governance-policy-propagator/api/v1beta1"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/strict"
)

// checkReferences finds bindings and sets that name missing objects, and policies that reach no cluster. The propagator
// says nothing about any of these.
func checkReferences(h *hub, p plan, decisions []placement.Result) diag.Findings {
	var findings diag.Findings
	for _, binding := range h.bindings {
		findings = append(findings, checkPlacementRef(binding, decisions)...)
		findings = append(findings, h.checkSubjects(binding)...)
	}
	for _, set := range h.sets {
		findings = append(findings, h.checkMembers(set)...)
	}
	for _, policy := range h.policies {
		findings = append(findings, checkPlaced(policy, p)...)
	}
	return findings
}

func checkPlacementRef(binding source[*policiesv1.PlacementBinding], decisions []placement.Result) diag.Findings {
	want := refKey(binding.typed)
	var names, namespaces []string
	for _, result := range decisions {
		switch {
		case placementKey{result.Kind, result.Namespace, result.Name} == want:
			return nil
		case result.Kind == want.kind && result.Namespace == want.namespace:
			names = append(names, result.Name)
		case result.Kind == want.kind && result.Name == want.name:
			namespaces = append(namespaces, result.Namespace)
		}
	}
	finding := strict.Finding(binding.origin, "placementRef.name", fmt.Sprintf("there is no %s %s/%s", want.kind, want.namespace, want.name))
	finding.Hint = diag.DidYouMean(want.name, names)
	if len(namespaces) > 0 {
		finding.Hint = fmt.Sprintf("there is one in namespace %s, but a binding reaches only its own namespace", strings.Join(namespaces, ", "))
	}
	return diag.Findings{finding}
}

func (h *hub) checkSubjects(binding source[*policiesv1.PlacementBinding]) diag.Findings {
	var findings diag.Findings
	namespace := binding.typed.Namespace
	for i, subject := range binding.typed.Subjects {
		field := fmt.Sprintf("subjects[%d].name", i)
		if subject.Kind == policiesv1.Kind {
			findings = append(findings, h.checkPolicyName(binding.origin, field, namespace, subject.Name, diag.Error)...)
			continue
		}
		if _, found := h.sets[types.NamespacedName{Namespace: namespace, Name: subject.Name}]; found || h.refused["PolicySet "+namespace+"/"+subject.Name] {
			continue
		}
		var names []string
		for key := range h.sets {
			if key.Namespace == namespace {
				names = append(names, key.Name)
			}
		}
		slices.Sort(names)
		finding := strict.Finding(binding.origin, field, fmt.Sprintf("there is no PolicySet %s/%s", namespace, subject.Name))
		finding.Hint = diag.DidYouMean(subject.Name, names)
		findings = append(findings, finding)
	}
	return findings
}

func (h *hub) checkMembers(set source[*policiesv1beta1.PolicySet]) diag.Findings {
	var findings diag.Findings
	for i, member := range set.typed.Spec.Policies {
		field := fmt.Sprintf("spec.policies[%d]", i)
		findings = append(findings, h.checkPolicyName(set.origin, field, set.typed.Namespace, string(member), diag.Warning)...)
	}
	return findings
}

// checkPolicyName reports a name that no policy of the namespace has.
func (h *hub) checkPolicyName(origin manifest.Object, field, namespace, name string, severity diag.Severity) diag.Findings {
	names := h.policyNames(namespace)
	if slices.Contains(names, name) || h.refused["Policy "+namespace+"/"+name] {
		return nil
	}
	finding := strict.Finding(origin, field, fmt.Sprintf("there is no Policy %s/%s", namespace, name))
	finding.Severity = severity
	finding.Hint = diag.DidYouMean(name, names)
	if others := h.namespacesOf(name); len(others) > 0 {
		finding.Hint = fmt.Sprintf("there is one in namespace %s, but policies are found only in the namespace of the %s",
			strings.Join(others, ", "), origin.GetKind())
	}
	return diag.Findings{finding}
}

// checkPlaced reports policies that reach no cluster.
func checkPlaced(policy source[*policiesv1.Policy], p plan) diag.Findings {
	finding := strict.Finding(policy.origin, "", "")
	finding.Severity = diag.Warning
	bindings := p[policy.typed]
	placing := slices.ContainsFunc(bindings, func(b binds) bool { return !b.restricted })
	reaching := slices.ContainsFunc(bindings, func(b binds) bool { return !b.restricted && len(b.clusters) > 0 })
	switch {
	case policy.typed.Spec.Disabled:
		finding.Severity, finding.Field, finding.Message = diag.Info, "spec.disabled", "the policy is disabled, so it reaches no cluster"
	case len(bindings) == 0:
		finding.Message = "no PlacementBinding places the policy, so it reaches no cluster"
		finding.Hint = "create a PlacementBinding in namespace " + policy.typed.Namespace
	case !placing:
		finding.Message = "only bindings with subFilter: restricted name the policy; they override, but place nothing"
	case !reaching:
		finding.Severity, finding.Message = diag.Info, "the placements of the policy select no cluster"
	default:
		return nil
	}
	return diag.Findings{finding}
}
