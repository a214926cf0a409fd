package evaluate

import (
	"encoding/json"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/cluster"
)

// disableTemplates keeps the controller from resolving templates.
const disableTemplates = "policy.open-cluster-management.io/disable-templates"

// withResolvedTemplates gives the policy with the list that its object-templates-raw gives, resolved by our own engine, which shares
// looked-up objects instead of copying them. It gives false where the controller has to resolve the template itself: the result
// would be another, or it fails and the controller says why.
func withResolvedTemplates(policy *configpolicyv1.ConfigurationPolicy, t Template, on *cluster.Cluster) (*configpolicyv1.ConfigurationPolicy, bool) {
	text := policy.Spec.ObjectTemplatesRaw
	if text == "" || templatesDisabled(policy) || !templates.HasTemplate([]byte(text), "", true) || policy.Annotations[propagator.IVAnnotation] != "" {
		return nil, false
	}
	r := renderer{template: t, cluster: on}
	content, known := r.recall()
	if !known {
		var err error
		if content, err = r.resolve([]byte(text), true, nil, nil); err != nil {
			return nil, false
		}
	}
	if r.missedAPI {
		return nil, false
	}
	var list []*configpolicyv1.ObjectTemplate
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, false
	}
	for _, objectTemplate := range list {
		if objectTemplate == nil {
			return nil, false
		}
		if r.sensitive && objectTemplate.RecordDiff == "" {
			objectTemplate.RecordDiff = configpolicyv1.RecordDiffCensored
		}
	}
	resolved := policy.DeepCopy()
	resolved.Spec.ObjectTemplatesRaw = ""
	resolved.Spec.ObjectTemplates = list
	if resolved.Annotations == nil {
		resolved.Annotations = map[string]string{}
	}
	resolved.Annotations[disableTemplates] = "true"
	return resolved, true
}
