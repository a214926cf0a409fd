package evaluate

import (
	"context"
	"encoding/json"

	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// finish fills in the result of a template when nothing changes any more.
func (s *Session) finish(ctx context.Context, e *entryResult) {
	e.result.Changes = e.happened.list(false)
	if e.policy == nil {
		return
	}
	status := e.policy.Status
	e.result.Details = detailsOf(status)
	e.result.Related = relatedOf(status)
	e.result.StatusBytes = statusBytes(status)
	if s.would && e.policy.Spec.RemediationAction.IsInform() && e.result.Compliance == NonCompliant {
		e.result.Changes = append(e.result.Changes, s.tryOut(ctx, e)...)
	}
}

// tryOut enforces a policy that informs, on a copy of the cluster, and gives what that changes.
func (s *Session) tryOut(ctx context.Context, e *entryResult) []Change {
	trial := *s
	trial.state = s.state.Fork()
	enforced := e.policy.DeepCopy()
	enforced.Spec.RemediationAction = configpolicyv1.Enforce
	enforced.Generation++
	var happened changes
	trial.state.Watch(happened.add)
	trial.run(ctx, enforced, e.template)
	return happened.list(true)
}

func detailsOf(status configpolicyv1.ConfigurationPolicyStatus) []Detail {
	details := make([]Detail, 0, len(status.CompliancyDetails))
	for _, d := range status.CompliancyDetails {
		detail := Detail{Compliance: Compliance(d.ComplianceState)}
		if detail.Compliance == "" {
			detail.Compliance = Unknown
		}
		if len(d.Conditions) > 0 {
			detail.Reason, detail.Message = d.Conditions[0].Reason, d.Conditions[0].Message
		}
		details = append(details, detail)
	}
	return details
}

func relatedOf(status configpolicyv1.ConfigurationPolicyStatus) []Related {
	list := make([]Related, 0, len(status.RelatedObjects))
	for _, r := range status.RelatedObjects {
		related := Related{
			APIVersion: r.Object.APIVersion, Kind: r.Object.Kind, Namespace: r.Object.Metadata.Namespace, Name: r.Object.Metadata.Name,
			Compliance: Compliance(r.Compliant), Reason: r.Reason,
		}
		if p := r.Properties; p != nil {
			related.CreatedByPolicy = p.CreatedByPolicy != nil && *p.CreatedByPolicy
			related.UID, related.MatchesAfterDryRun, related.Diff = p.UID, p.MatchesAfterDryRun, p.Diff
		}
		list = append(list, related)
	}
	return list
}

// statusBytes is what an API server stores of the status.
func statusBytes(status configpolicyv1.ConfigurationPolicyStatus) int {
	text, err := json.Marshal(status)
	if err != nil {
		return 0
	}
	return len(text)
}
