package v1alpha1

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (v *validator) policy(policy *Policy) {
	const field = "spec.policy"
	switch {
	case policy.Namespace != "":
		v.namespaceName(field+".namespace", policy.Namespace)
	case v.resource.Spec.Output != OutputTemplate:
		v.error(field+".namespace", "the namespace is missing", "it is the namespace of the Policy on the hub")
	}
	v.interval(field+".evaluationInterval.compliant", policy.EvaluationInterval.Compliant)
	v.interval(field+".evaluationInterval.noncompliant", policy.EvaluationInterval.NonCompliant)
	if policy.EvaluationInterval.Compliant == "never" {
		v.warning(field+".evaluationInterval.compliant", "once compliant, changes of addresses are never picked up", "write watch")
	}
	v.pruning(policy)
	v.namespaceSelector(&policy.NamespaceSelector)
	v.annotationList(field+".categories", policy.Categories)
	v.annotationList(field+".controls", policy.Controls)
	v.annotationList(field+".standards", policy.Standards)
	v.annotations(field+".policyAnnotations", policy.PolicyAnnotations)
	v.labels(field+".policyLabels", policy.PolicyLabels)
	v.annotations(field+".configurationPolicyAnnotations", policy.ConfigurationPolicyAnnotations)
	if name := policy.HubTemplateOptions.ServiceAccountName; name != "" {
		v.objectName(field+".hubTemplateOptions.serviceAccountName", name)
	}
	v.message(field+".customMessage.compliant", policy.CustomMessage.Compliant)
	v.message(field+".customMessage.noncompliant", policy.CustomMessage.NonCompliant)
	v.dependencies(field+".dependencies", policy.Dependencies)
	v.dependencies(field+".extraDependencies", policy.ExtraDependencies)
}

// crdInterval is what the custom resource definition of ConfigurationPolicy takes: Go durations with at most one decimal.
var crdInterval = regexp.MustCompile(`^([0-9]+(\.[0-9])?(h|m|s|ms|us|ns))+$`)

func (v *validator) interval(field, value string) {
	if value == "" || value == "watch" || value == "never" {
		return
	}
	duration, err := time.ParseDuration(value)
	switch {
	case err != nil:
		v.error(field, fmt.Sprintf("%q is not an interval", shorten(value)), "a duration such as 1h25m3s, watch or never")
	case duration <= 0:
		v.error(field, fmt.Sprintf("%q is not more than nothing", shorten(value)), "write watch to react to every change")
	case !crdInterval.MatchString(value):
		v.error(field, fmt.Sprintf("%q is refused by the cluster: a number has one decimal at most, and no sign", shorten(value)),
			"a duration such as 1h25m3s")
	}
}

// pruning warns of combinations that leave records behind.
func (v *validator) pruning(policy *Policy) {
	const field = "spec.policy.pruneObjectBehavior"
	inform := strings.EqualFold(policy.RemediationAction, "inform")
	prune := policy.PruneObjectBehavior
	switch {
	case inform && prune != "" && prune != "None" && v.resource.isGiven(field):
		v.warning(field, "with the remediationAction inform nothing is pruned", "")
	case !inform && prune == "None":
		v.warning(field, "records stay when their virtual machines are gone", "write DeleteIfCreated")
	}
}

// namespaceSelector checks what is only passed on.
func (v *validator) namespaceSelector(selector *NamespaceSelector) {
	const field = "spec.policy.namespaceSelector"
	v.namespaceGlobs(field+".include", selector.Include)
	v.namespaceGlobs(field+".exclude", selector.Exclude)
	v.labelSelector(field, &metav1.LabelSelector{MatchLabels: selector.MatchLabels, MatchExpressions: selector.MatchExpressions})
	if len(selector.Include)+len(selector.Exclude)+len(selector.MatchLabels)+len(selector.MatchExpressions) > 0 {
		v.warning(field, "no effect on DNSEndpoints, each of which names its namespace", "choose namespaces with spec.source.namespaces")
	}
}

// annotationList checks a list that becomes one annotation, joined by commas.
func (v *validator) annotationList(field string, list []string) {
	for i, entry := range list {
		switch {
		case strings.TrimSpace(entry) == "":
			v.error(index(field, i), "an entry is empty", "remove it")
		case strings.Contains(entry, ","):
			v.warning(index(field, i), fmt.Sprintf("%q is read as several entries, since they are joined by commas", shorten(entry)),
				"make it several entries")
		}
	}
}

func (v *validator) dependencies(field string, list []Dependency) {
	for i, d := range list {
		item := index(field, i)
		if d.Name == "" {
			v.error(item+".name", "the name is missing", "")
		} else {
			v.objectName(item+".name", d.Name)
		}
		if d.Namespace != "" && d.Namespace != v.resource.Spec.Policy.Namespace {
			v.namespaceName(item+".namespace", d.Namespace)
		}
		if d.APIVersion != "" {
			if gv, err := schema.ParseGroupVersion(d.APIVersion); err != nil || gv.Version == "" {
				v.error(item+".apiVersion", fmt.Sprintf("%q is not an apiVersion", shorten(d.APIVersion)), "for example "+policyAPIVersion)
			}
		}
		isPolicy := d.Kind == "" || d.Kind == policyKind
		if (d.Kind == "ConfigurationPolicy" || d.Kind == "CertificatePolicy") && d.Namespace != "" {
			v.error(item+".namespace", fmt.Sprintf("a %s is looked for in the cluster's own namespace", d.Kind), "remove it")
		}
		own := d.Namespace == "" || d.Namespace == v.resource.Spec.Policy.Namespace
		if isPolicy && own && d.Name != "" && d.Name == v.resource.Metadata.Name {
			v.error(item+".name", "the policy waits for itself", "")
		}
	}
}
