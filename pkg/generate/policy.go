package generate

import (
	"encoding/json"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// policyOf gives the Policy with the ConfigurationPolicy in it, both named after the resource.
func policyOf(dns *v1alpha1.VirtualMachineDNS) (*policyv1.Policy, error) {
	options := dns.Spec.Policy
	configurationPolicy, err := configurationPolicyOf(dns)
	if err != nil {
		return nil, err
	}
	definition, err := json.Marshal(configurationPolicy)
	if err != nil {
		return nil, err
	}
	policy := &policyv1.Policy{
		TypeMeta: metav1.TypeMeta{APIVersion: policyv1.GroupVersion.String(), Kind: policyv1.Kind},
		ObjectMeta: metav1.ObjectMeta{
			Name:        dns.Metadata.Name,
			Namespace:   options.Namespace,
			Annotations: policyAnnotations(options),
			Labels:      options.PolicyLabels,
		},
		Spec: policyv1.PolicySpec{
			Disabled:          *options.Disabled,
			RemediationAction: policyv1.RemediationAction(options.RemediationAction),
			Dependencies:      dependencies(options.Dependencies),
			PolicyTemplates: []*policyv1.PolicyTemplate{{
				ObjectDefinition:  runtime.RawExtension{Raw: definition},
				ExtraDependencies: dependencies(options.ExtraDependencies),
				IgnorePending:     options.IgnorePending != nil && *options.IgnorePending,
			}},
		},
	}
	if !*options.CopyPolicyMetadata {
		policy.Spec.CopyPolicyMetadata = options.CopyPolicyMetadata
	}
	if options.HubTemplateOptions.ServiceAccountName != "" {
		policy.Spec.HubTemplateOptions = &policyv1.HubTemplateOptions{
			ServiceAccountName: options.HubTemplateOptions.ServiceAccountName,
		}
	}
	return policy, nil
}

// configurationPolicyOf gives the content of the ConfigurationPolicy, without a status.
func configurationPolicyOf(dns *v1alpha1.VirtualMachineDNS) (map[string]any, error) {
	options := dns.Spec.Policy
	text, err := Template(dns)
	if err != nil {
		return nil, err
	}
	object, err := untyped(&configpolicyv1.ConfigurationPolicy{
		TypeMeta: metav1.TypeMeta{APIVersion: configpolicyv1.GroupVersion.String(), Kind: "ConfigurationPolicy"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        dns.Metadata.Name,
			Annotations: options.ConfigurationPolicyAnnotations,
		},
		Spec: configpolicyv1.ConfigurationPolicySpec{
			RemediationAction:   configpolicyv1.RemediationAction(options.RemediationAction),
			Severity:            configpolicyv1.Severity(options.Severity),
			PruneObjectBehavior: configpolicyv1.PruneObjectBehavior(options.PruneObjectBehavior),
			EvaluationInterval: configpolicyv1.EvaluationInterval{
				Compliant:    options.EvaluationInterval.Compliant,
				NonCompliant: options.EvaluationInterval.NonCompliant,
			},
			CustomMessage: configpolicyv1.CustomMessage{
				Compliant:    options.CustomMessage.Compliant,
				NonCompliant: options.CustomMessage.NonCompliant,
			},
			ObjectTemplatesRaw: text,
		},
	})
	if err != nil {
		return nil, err
	}
	return object.Object, nil
}

func policyAnnotations(options v1alpha1.Policy) map[string]string {
	const prefix = "policy.open-cluster-management.io/"
	annotations := map[string]string{}
	maps.Copy(annotations, options.PolicyAnnotations)
	annotations[prefix+"categories"] = strings.Join(options.Categories, ",")
	annotations[prefix+"controls"] = strings.Join(options.Controls, ",")
	annotations[prefix+"standards"] = strings.Join(options.Standards, ",")
	annotations[prefix+"description"] = options.Description
	return annotations
}

func dependencies(list []v1alpha1.Dependency) []policyv1.PolicyDependency {
	var result []policyv1.PolicyDependency
	for _, d := range list {
		result = append(result, policyv1.PolicyDependency{
			TypeMeta:   metav1.TypeMeta{APIVersion: d.APIVersion, Kind: d.Kind},
			Name:       d.Name,
			Namespace:  d.Namespace,
			Compliance: policyv1.ComplianceState(d.Compliance),
		})
	}
	return result
}
