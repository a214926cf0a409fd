package evaluate

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// pruneFinalizer is what the controller holds policies with that prune objects.
const pruneFinalizer = "policy.open-cluster-management.io/delete-related-objects"

// adopt gives the policy as the cluster has it: with the root policy's remediation action, what an API server sets, and the status of
// the evaluation before.
func (s *Session) adopt(e *entryResult, typed *configpolicyv1.ConfigurationPolicy, action configpolicyv1.RemediationAction) *configpolicyv1.ConfigurationPolicy {
	policy := typed.DeepCopy()
	policy.SetGroupVersionKind(configpolicyv1.GroupVersion.WithKind("ConfigurationPolicy"))
	policy.Spec.RemediationAction = action
	policy.UID = types.UID("policyloom/" + e.name.String())
	policy.Generation, policy.ResourceVersion = 1, "1"
	policy.Status = configpolicyv1.ConfigurationPolicyStatus{}
	// The root policy that the controller sends its messages to.
	policy.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "policy.open-cluster-management.io/v1", Kind: "Policy", Name: "root", UID: "root",
	}}
	if before := s.policies[e.name]; before != nil {
		policy.Status = *before.policy.Status.DeepCopy()
		policy.Generation = before.policy.Generation
		if !reflect.DeepEqual(before.policy.Spec, policy.Spec) {
			policy.Generation++
		}
	}
	if prunes(policy) {
		policy.Finalizers = []string{pruneFinalizer}
	}
	return policy
}

func prunes(policy *configpolicyv1.ConfigurationPolicy) bool {
	return policy.Spec.PruneObjectBehavior == "DeleteAll" || policy.Spec.PruneObjectBehavior == "DeleteIfCreated"
}
