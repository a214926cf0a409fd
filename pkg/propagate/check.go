package propagate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// maxReplicatedName is the length that the name of a replicated policy, <namespace>.<name>, may have: it is also the value
// of a label.
const maxReplicatedName = 63

// checkPolicy applies the schema of the Policy and the admission webhook. A policy that they refuse is not replicated.
func checkPolicy(object manifest.Object, policy *policiesv1.Policy) (bool, diag.Findings) {
	var findings diag.Findings
	refuse := func(field, message, hint string) {
		finding := strict.Finding(object, field, message)
		finding.Hint = hint
		findings = append(findings, finding)
	}
	if length := utf8.RuneCountInString(common.FullNameForPolicy(policy)); length > maxReplicatedName {
		budget := maxReplicatedName - 1 - utf8.RuneCountInString(policy.Namespace)
		refuse("metadata.name", fmt.Sprintf("the replicated policy would be called %s: %d characters, %d are allowed",
			common.FullNameForPolicy(policy), length, maxReplicatedName),
			fmt.Sprintf("in namespace %s a policy name may have %d characters, this one has %d",
				policy.Namespace, max(budget, 0), utf8.RuneCountInString(policy.Name)))
	}
	for _, field := range []string{"disabled", "policy-templates"} {
		if value, found, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", field); !found || value == nil {
			refuse("spec."+field, "is required", "")
		}
	}
	if message, hint := enumProblem(string(policy.Spec.RemediationAction), "inform", "enforce", "Inform", "Enforce"); message != "" {
		refuse("spec.remediationAction", message, hint)
	}
	for i, template := range policy.Spec.PolicyTemplates {
		if template == nil || len(template.ObjectDefinition.Raw) == 0 {
			refuse(fmt.Sprintf("spec.policy-templates[%d].objectDefinition", i), "is required", "")
		}
	}
	if len(findings) == 0 {
		findings = append(findings, checkRemediation(object, policy)...)
	}
	return !findings.HasErrors(), findings
}

// checkRemediation requires a remediationAction as the webhook does, and says which one counts where there are two.
func checkRemediation(object manifest.Object, policy *policiesv1.Policy) diag.Findings {
	var findings diag.Findings
	parent := string(policy.Spec.RemediationAction)
	for i, template := range policy.Spec.PolicyTemplates {
		child := parseTemplate(template)
		action, found, _ := unstructured.NestedString(child.Object, "spec", "remediationAction")
		field := fmt.Sprintf("spec.policy-templates[%d].objectDefinition.spec.remediationAction", i)
		switch {
		case parent == "" && !found && child.GetKind() == "ConfigurationPolicy":
			finding := strict.Finding(object, field, "neither the policy nor its template sets a remediationAction, so the webhook refuses the policy")
			finding.Hint = "set spec.remediationAction of the policy to inform or enforce"
			findings = append(findings, finding)
		case parent != "" && found && !strings.EqualFold(parent, action):
			finding := strict.Finding(object, "spec.remediationAction",
				fmt.Sprintf("%s of the policy overrides %s of its template %s", parent, action, templateName(i, child)))
			finding.Severity = diag.Info
			findings = append(findings, finding)
		}
	}
	return findings
}

// checkBinding applies the schema of the PlacementBinding.
func checkBinding(object manifest.Object, binding *policiesv1.PlacementBinding) (bool, diag.Findings) {
	var findings diag.Findings
	enum := func(field, value string, allowed ...string) {
		message, hint := enumProblem(value, allowed...)
		if value == "" && !optional(field) {
			message = "is required"
		}
		if message != "" {
			finding := strict.Finding(object, field, message)
			finding.Hint = hint
			findings = append(findings, finding)
		}
	}
	ref := binding.PlacementRef
	enum("placementRef.apiGroup", ref.APIGroup, "cluster.open-cluster-management.io", "apps.open-cluster-management.io")
	enum("placementRef.kind", ref.Kind, "Placement", "PlacementRule")
	enum("subFilter", string(binding.SubFilter), string(policiesv1.Restricted))
	enum("bindingOverrides.remediationAction", binding.BindingOverrides.RemediationAction, "enforce", "Enforce")
	for i, subject := range binding.Subjects {
		field := fmt.Sprintf("subjects[%d].", i)
		enum(field+"apiGroup", subject.APIGroup, common.APIGroup)
		enum(field+"kind", subject.Kind, "Policy", "PolicySet")
		if subject.Name == "" {
			findings = append(findings, strict.Finding(object, field+"name", "is required"))
		}
	}
	if ref.Name == "" {
		findings = append(findings, strict.Finding(object, "placementRef.name", "is required"))
	}
	if len(binding.Subjects) == 0 {
		findings = append(findings, strict.Finding(object, "subjects", "is required"))
	}
	if len(findings) == 0 && !common.HasValidPlacementRef(binding) {
		finding := strict.Finding(object, "placementRef.apiGroup", fmt.Sprintf("%s is not the API group of a %s, so the binding is ignored", ref.APIGroup, ref.Kind))
		finding.Hint = "a Placement is in cluster.open-cluster-management.io"
		findings = append(findings, finding)
	}
	return len(findings) == 0, findings
}

func optional(field string) bool {
	return field == "subFilter" || field == "bindingOverrides.remediationAction"
}

// enumProblem says what is wrong with a value of an enumeration; an empty value is not judged.
func enumProblem(value string, allowed ...string) (message, hint string) {
	if value == "" || slices.Contains(allowed, value) {
		return "", ""
	}
	return fmt.Sprintf("must be one of %s, is %q", strings.Join(allowed, ", "), value), diag.DidYouMean(value, allowed)
}
