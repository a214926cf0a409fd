package evaluate

import (
	"strconv"

	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// list renders object-templates.
func (r *renderer) list(policy *configpolicyv1.ConfigurationPolicy) {
	for index, objectTemplate := range policy.Spec.ObjectTemplates {
		r.desired(policy, index, objectTemplate, !templatesDisabled(policy))
	}
}

// templatesDisabled tells whether an annotation switches the templates of the policy off.
func templatesDisabled(policy *configpolicyv1.ConfigurationPolicy) bool {
	disabled, err := strconv.ParseBool(policy.Annotations["policy.open-cluster-management.io/disable-templates"])
	return err == nil && disabled
}
