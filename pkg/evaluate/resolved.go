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
	entries, ok := r.resolvedEntries(text)
	if !ok || r.missedAPI {
		return nil, false
	}
	list := make([]*configpolicyv1.ObjectTemplate, 0, len(entries))
	for _, entry := range entries {
		var objectTemplate *configpolicyv1.ObjectTemplate
		if err := json.Unmarshal(entry, &objectTemplate); err != nil || objectTemplate == nil {
			return nil, false
		}
		list = append(list, objectTemplate)
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

// resolvedEntries gives the list that a text gives, which may be known from rendering it.
func (r *renderer) resolvedEntries(text string) ([]json.RawMessage, bool) {
	if entries, known := r.recall(); known {
		return entries, true
	}
	if entries, isOwn := r.ownEntries(text, nil); isOwn {
		return entries, true
	}
	content, err := r.resolve([]byte(text), true, nil, nil)
	if err != nil {
		return nil, false
	}
	entries, err := entriesOf(content)
	return entries, err == nil
}
