package render

import (
	"fmt"
	"slices"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// policyKinds are the kinds of the policy group.
var policyKinds = []string{
	"Policy", "PolicySet", "PlacementBinding", "PolicyAutomation", "ConfigurationPolicy", "OperatorPolicy", "CertificatePolicy", "IamPolicy",
}

// checkKinds reports manifests of the policy source whose kind or group is mistyped: they would count as any other object, and the
// policy would be missing without a word.
func checkKinds(policies []manifest.Object) diag.Findings {
	var findings diag.Findings
	for _, object := range policies {
		gvk := object.GroupVersionKind()
		finding := diag.Finding{Severity: diag.Error, Position: object.FieldPosition("kind"), Object: manifest.Reference(object.Unstructured), Field: "kind"}
		switch {
		case gvk.Group == policyGroup && !slices.Contains(policyKinds, gvk.Kind):
			finding.Message = fmt.Sprintf("there is no kind %s in %s", gvk.Kind, policyGroup)
			finding.Hint = diag.DidYouMean(gvk.Kind, policyKinds)
		case gvk.Group != policyGroup && slices.Contains(policyKinds, gvk.Kind) && diag.Suggest(gvk.Group, []string{policyGroup}) != "":
			finding.Position, finding.Field = object.FieldPosition("apiVersion"), "apiVersion"
			finding.Message = fmt.Sprintf("%s is not the group of a %s", gvk.Group, gvk.Kind)
			finding.Hint = "write " + policyGroup + "/" + gvk.Version
		default:
			continue
		}
		findings = append(findings, finding)
	}
	return findings
}
