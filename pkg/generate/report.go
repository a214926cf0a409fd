package generate

import (
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// reportMessage lists the machines with the lines that their differences add, which are the problems. Releases that do not know
// the field have them in the differences alone.
const reportMessage = `{{ range .Policy.status.relatedObjects }}{{ if ne .compliant "Compliant" }}` +
	`{{ .object.kind }} {{ .object.metadata.namespace }}/{{ .object.metadata.name }}: ` +
	`{{ with .properties }}{{ range regexFindAll "(?m)^[+] .*$" (printf "%v" .diff) 20 }}{{ trimAll "+" . | trim }} {{ end }}{{ end }}` +
	`{{ end }}{{ end }}`

func reportName(dns *v1alpha1.VirtualMachineDNS) string {
	return dns.Metadata.Name + v1alpha1.ReportSuffix
}

// reportOf gives the Policy that informs of names that were asked for and not given. It is a Policy of its own, since the
// remediationAction of a Policy overrides those of its templates.
func reportOf(dns *v1alpha1.VirtualMachineDNS) (*policyv1.Policy, error) {
	const inform = "inform"
	text, err := reportTemplate(dns)
	if err != nil {
		return nil, err
	}
	policy := wrapperOf(dns)
	policy.Name = reportName(dns)
	policy.Annotations[v1alpha1.MayBeEmptyAnnotation] = "true"
	policy.Annotations[annotationPrefix+"description"] = "Names that virtual machines asked for and did not get from the policy " + dns.Metadata.Name
	policy.Spec.RemediationAction = inform
	configurationPolicy := configurationPolicyOf(dns, policy.Name, text)
	configurationPolicy.Spec.RemediationAction = inform
	configurationPolicy.Spec.PruneObjectBehavior = ""
	configurationPolicy.Spec.CustomMessage = configpolicyv1.CustomMessage{
		Compliant:    "every name that virtual machines asked for is given",
		NonCompliant: reportMessage,
	}
	template, err := policyTemplate(dns, configurationPolicy)
	if err != nil {
		return nil, err
	}
	policy.Spec.PolicyTemplates = []*policyv1.PolicyTemplate{template}
	return policy, nil
}
