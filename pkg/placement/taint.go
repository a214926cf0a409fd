package placement

import (
	"fmt"
	"slices"
	"time"

	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
)

// whyTaints gives one reason for each taint that keeps the cluster out.
func (e *explainer) whyTaints(cluster *clusterv1.ManagedCluster) []Reason {
	var reasons []Reason
	for _, taint := range cluster.Spec.Taints {
		if taint.Effect == clusterv1.TaintEffectPreferNoSelect {
			continue
		}
		if taint.Effect == clusterv1.TaintEffectNoSelectIfNew && slices.Contains(e.recorded, cluster.Name) {
			continue
		}
		if reason, excludes := e.whyTaint(taint); excludes {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

func (e *explainer) whyTaint(taint clusterv1.Taint) (Reason, bool) {
	reason := Reason{Kind: Taint, Message: fmt.Sprintf("taint %s is not tolerated", taintName(taint))}
	for _, toleration := range e.placement.Spec.Tolerations {
		if toleration.Key != "" && toleration.Key != taint.Key {
			continue
		}
		switch {
		case toleration.Effect != "" && toleration.Effect != taint.Effect:
			reason.Hint = fmt.Sprintf("the toleration of %s is for effect %s", taint.Key, toleration.Effect)
		case !valueTolerated(toleration, taint):
			reason.Hint = fmt.Sprintf("the toleration of %s wants the value %q; operator Exists tolerates any", taint.Key, toleration.Value)
		default:
			end, limited := tolerationEnd(toleration, taint)
			if !limited || e.now.Before(end) {
				return Reason{}, false
			}
			reason.Message = fmt.Sprintf("taint %s is not tolerated any more: %d seconds were over at %s",
				taintName(taint), *toleration.TolerationSeconds, end.UTC().Format(time.RFC3339))
		}
	}
	return reason, true
}

func valueTolerated(toleration clusterv1beta1.Toleration, taint clusterv1.Taint) bool {
	switch toleration.Operator {
	case "", clusterv1beta1.TolerationOpEqual:
		return toleration.Value == taint.Value
	case clusterv1beta1.TolerationOpExists:
		return true
	}
	return false
}

// tolerationEnd gives the time at which the toleration ends, if it does.
func tolerationEnd(toleration clusterv1beta1.Toleration, taint clusterv1.Taint) (end time.Time, limited bool) {
	if toleration.TolerationSeconds == nil {
		return time.Time{}, false
	}
	return taint.TimeAdded.Add(time.Duration(*toleration.TolerationSeconds) * time.Second), true
}

// taintName names a taint as key or key=value.
func taintName(taint clusterv1.Taint) string {
	name := taint.Key
	if taint.Value != "" {
		name += "=" + taint.Value
	}
	return name
}
