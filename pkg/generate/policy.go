package generate

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// policyOf gives the Policy with the ConfigurationPolicy in it, both named after the resource, or with one for each shard.
func policyOf(dns *v1alpha1.VirtualMachineDNS) (*policyv1.Policy, error) {
	options := dns.Spec.Policy
	policy := wrapperOf(dns)
	shards := *options.Shards
	for shard := 1; shard <= shards; shard++ {
		name := dns.Metadata.Name
		if shards > 1 {
			name = fmt.Sprintf("%s-shard-%d", name, shard)
		}
		text, err := shardTemplate(dns, shard, shards)
		if err != nil {
			return nil, err
		}
		configurationPolicy := configurationPolicyOf(dns, name, text)
		template, err := policyTemplate(dns, configurationPolicy)
		if err != nil {
			return nil, err
		}
		policy.Spec.PolicyTemplates = append(policy.Spec.PolicyTemplates, template)
	}
	return policy, nil
}

// wrapperOf gives the Policy without any policy template.
func wrapperOf(dns *v1alpha1.VirtualMachineDNS) *policyv1.Policy {
	options := dns.Spec.Policy
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
	return policy
}

// policyTemplate puts a ConfigurationPolicy into a form that has no status and none of the empty values of the types.
func policyTemplate(dns *v1alpha1.VirtualMachineDNS, configurationPolicy *configpolicyv1.ConfigurationPolicy) (*policyv1.PolicyTemplate, error) {
	options := dns.Spec.Policy
	object, err := untyped(configurationPolicy)
	if err != nil {
		return nil, err
	}
	definition, err := json.Marshal(object.Object)
	if err != nil {
		return nil, err
	}
	return &policyv1.PolicyTemplate{
		ObjectDefinition:  runtime.RawExtension{Raw: definition},
		ExtraDependencies: dependencies(options.ExtraDependencies),
		IgnorePending:     options.IgnorePending != nil && *options.IgnorePending,
	}, nil
}

// ConfigurationPolicy gives the ConfigurationPolicy that makes all DNSEndpoints of a resource that has its defaults and is valid,
// without the Policy around it.
func ConfigurationPolicy(dns *v1alpha1.VirtualMachineDNS) (*unstructured.Unstructured, error) {
	text, err := Template(dns)
	if err != nil {
		return nil, err
	}
	return untyped(configurationPolicyOf(dns, dns.Metadata.Name, text))
}

func configurationPolicyOf(dns *v1alpha1.VirtualMachineDNS, name, text string) *configpolicyv1.ConfigurationPolicy {
	options := dns.Spec.Policy
	return &configpolicyv1.ConfigurationPolicy{
		TypeMeta: metav1.TypeMeta{APIVersion: configpolicyv1.GroupVersion.String(), Kind: "ConfigurationPolicy"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
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
			NamespaceSelector: namespaceSelector(&options.NamespaceSelector),
			CustomMessage: configpolicyv1.CustomMessage{
				Compliant:    options.CustomMessage.Compliant,
				NonCompliant: options.CustomMessage.NonCompliant,
			},
			ObjectTemplatesRaw: text,
		},
	}
}

func namespaceSelector(s *v1alpha1.NamespaceSelector) configpolicyv1.Target {
	target := configpolicyv1.Target{}
	for _, name := range s.Include {
		target.Include = append(target.Include, configpolicyv1.NonEmptyString(name))
	}
	for _, name := range s.Exclude {
		target.Exclude = append(target.Exclude, configpolicyv1.NonEmptyString(name))
	}
	if len(s.MatchLabels)+len(s.MatchExpressions) > 0 {
		target.LabelSelector = &metav1.LabelSelector{MatchLabels: s.MatchLabels, MatchExpressions: s.MatchExpressions}
	}
	return target
}

// annotationPrefix is that of the annotations of a Policy which the console reads.
const annotationPrefix = "policy.open-cluster-management.io/"

func policyAnnotations(options v1alpha1.Policy) map[string]string {
	annotations := map[string]string{}
	maps.Copy(annotations, options.PolicyAnnotations)
	annotations[annotationPrefix+"categories"] = strings.Join(options.Categories, ",")
	annotations[annotationPrefix+"controls"] = strings.Join(options.Controls, ",")
	annotations[annotationPrefix+"standards"] = strings.Join(options.Standards, ",")
	annotations[annotationPrefix+"description"] = options.Description
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
