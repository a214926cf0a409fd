package generate

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	policyv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	policyv1beta1 "open-cluster-management.io/governance-policy-propagator/api/v1beta1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

// policySets are the PolicySets of all resources, by namespace and name.
type policySets map[string]*policySet

type policySet struct {
	object *policyv1beta1.PolicySet
	// describedBy is the resource that gives the description, or empty.
	describedBy string
	conflict    string
}

// join puts the Policy of a resource into a set; its report stays out, whose findings are those of the owners of machines. Only one of the resources needs to describe it.
func (s policySets) join(namespace string, set *v1alpha1.PolicySet, dns *v1alpha1.VirtualMachineDNS) {
	key := namespace + "/" + set.Name
	known := s[key]
	if known == nil {
		known = &policySet{object: &policyv1beta1.PolicySet{
			TypeMeta:   metav1.TypeMeta{APIVersion: policyv1beta1.GroupVersion.String(), Kind: policyv1.PolicySetKind},
			ObjectMeta: metav1.ObjectMeta{Name: set.Name, Namespace: namespace},
		}}
		s[key] = known
	}
	switch {
	case set.Description == "" || set.Description == known.object.Spec.Description:
	case known.describedBy == "":
		known.describedBy, known.object.Spec.Description = dns.Metadata.Name, set.Description
	default:
		known.conflict = fmt.Sprintf("%s and %s describe it differently", known.describedBy, dns.Metadata.Name)
	}
	add := set.Policies
	if slices.Contains(dns.Spec.Policy.PolicySets, set.Name) {
		add = append(slices.Clone(add), dns.Metadata.Name)
	}
	for _, name := range add {
		if member := policyv1beta1.NonEmptyString(name); !slices.Contains(known.object.Spec.Policies, member) {
			known.object.Spec.Policies = append(known.object.Spec.Policies, member)
		}
	}
}

// objects gives the sets in the order of their names, each with its policies in theirs, as PolicyGenerator does.
func (s policySets) objects() ([]any, error) {
	var objects []any
	var findings diag.Findings
	for _, key := range slices.Sorted(maps.Keys(s)) {
		set := s[key]
		slices.Sort(set.object.Spec.Policies)
		objects = append(objects, set.object)
		if set.conflict != "" {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Object: policyv1.PolicySetKind + " " + key, Message: set.conflict, Hint: "describe a set in one place",
			})
		}
	}
	return objects, findings.Err()
}
