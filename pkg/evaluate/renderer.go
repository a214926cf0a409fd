package evaluate

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// renderer collects what one policy template gives on one cluster.
type renderer struct {
	template Template
	cluster  *cluster.Cluster
	action   string
	objects  []Object
	findings diag.Findings
}

func (r *renderer) report(severity diag.Severity, field, message, hint string) {
	r.findings = append(r.findings, diag.Finding{
		Severity: severity,
		Position: r.template.Object.Position,
		Object:   r.name(),
		Field:    field,
		Message:  message,
		Hint:     hint,
	})
}

// name names the root Policy, and the template in it where that has another name.
func (r *renderer) name() string {
	template := r.template.Object.GetKind() + " " + r.template.Object.GetName()
	if r.template.Policy == "" {
		return template
	}
	name := "Policy " + r.template.Policy
	if strings.HasSuffix(name, "/"+r.template.Object.GetName()) {
		return name
	}
	return name + ": " + template
}

func (r *renderer) add(index int, complianceType configpolicyv1.ComplianceType, object *unstructured.Unstructured) {
	r.objects = append(r.objects, Object{
		Policy:            r.template.Policy,
		Template:          r.template.Object.GetKind() + " " + r.template.Object.GetName(),
		Index:             index,
		ComplianceType:    strings.ToLower(string(complianceType)),
		RemediationAction: r.action,
		Source:            r.template.Object.Position,
		Object:            object,
	})
}

// decode reads the ConfigurationPolicy and checks what an API server would refuse.
func (r *renderer) decode() (*configpolicyv1.ConfigurationPolicy, bool) {
	policy := &configpolicyv1.ConfigurationPolicy{}
	ok, findings := strict.Decode(r.template.Object, policy)
	for i := range findings {
		findings[i].Object = r.name()
	}
	r.findings = append(r.findings, findings...)
	if !ok {
		return nil, false
	}
	r.action = strings.ToLower(string(policy.Spec.RemediationAction))
	if r.template.RemediationAction != "" {
		r.action = strings.ToLower(r.template.RemediationAction)
	}
	if r.action == "" {
		r.report(diag.Error, "spec.remediationAction", "is not set, here or in the Policy", "set enforce or inform")
		return nil, false
	}
	if message, failed := policy.Annotations[hubErrorAnnotation]; failed {
		r.report(diag.Info, "", "is not evaluated, since its hub template failed: "+message, "")
		return nil, false
	}
	hasRaw, hasList := policy.Spec.ObjectTemplatesRaw != "", len(policy.Spec.ObjectTemplates) > 0
	if hasRaw && hasList {
		r.report(diag.Error, "spec", "has both object-templates and object-templates-raw", "keep one of them: an API server refuses both")
		return nil, false
	}
	if _, set := specField(r.template.Object, "object-templates"); !hasRaw && !hasList && !set {
		r.report(diag.Error, "spec", "has neither object-templates nor object-templates-raw", "add one of them")
		return nil, false
	}
	return policy, true
}

// hubErrorAnnotation is set by the propagator on a policy template whose hub template failed.
const hubErrorAnnotation = "policy.open-cluster-management.io/hub-templates-error"

func specField(object manifest.Object, field string) (any, bool) {
	value, found, err := unstructured.NestedFieldNoCopy(object.Object, "spec", field)
	return value, found && err == nil
}
