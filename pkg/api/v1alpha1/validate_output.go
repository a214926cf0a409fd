package v1alpha1

import (
	"slices"
	"strings"
)

// ReportSuffix follows the name of a resource in the name of its report policy.
const ReportSuffix = "-report"

// output reports settings that the chosen output ignores.
func (v *validator) output() {
	if v.resource.Spec.Output != OutputTemplate || v.resource.source == nil {
		return
	}
	for _, field := range []string{"spec.policy", "spec.placement"} {
		if v.resource.isGiven(field) && !v.resource.isGivenForTemplate(field) {
			v.warning(field, "the output Template has neither a Policy nor a Placement: these options have no effect",
				"give them where the template is used")
		}
	}
}

// isGivenForTemplate tells whether a field holds nothing but what the template says, too: the namespace of the policy is in the
// label of its objects, and the options of objects are in it.
func (d *VirtualMachineDNS) isGivenForTemplate(field string) bool {
	used := []string{"spec.policy.namespace", "spec.policy.recordDiff", "spec.policy.recreateOption"}
	found := false
	for given := range d.source.positions {
		if !strings.HasPrefix(given, field+".") {
			continue
		}
		if !slices.Contains(used, given) {
			return false
		}
		found = true
	}
	return found
}

// report refuses what takes more than the one template of the output Template.
func (v *validator) report() {
	if v.resource.Spec.Output != OutputTemplate {
		return
	}
	const message, hint = "the output Template is a single template", "remove it, or write output: Policy"
	if isTrue(v.resource.Spec.Report) {
		v.error("spec.report", message, hint)
	}
	if shards := v.resource.Spec.Policy.Shards; shards != nil && *shards > 1 {
		v.error("spec.policy.shards", message, hint)
	}
}
