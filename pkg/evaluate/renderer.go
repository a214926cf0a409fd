package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/crds"
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
	// refused says that an API server would not store the policy.
	refused bool
	// sensitive tells that a template used a Secret or the like, and missedAPI that one looked for a kind that is not served.
	sensitive, missedAPI bool
}

func (r *renderer) report(severity diag.Severity, field, message, hint string) {
	r.findings = append(r.findings, diag.Finding{
		Severity: severity,
		Position: r.place(field),
		Object:   r.name(),
		Field:    field,
		Message:  message,
		Hint:     hint,
	})
}

// place gives the place of a field in the user's file. What follows ": " in a field leads into what the template gives, which
// is in no file.
func (r *renderer) place(field string) diag.Position {
	if r.template.Place == nil || field == "" {
		return r.template.Object.Position
	}
	written, _, _ := strings.Cut(field, ": ")
	return r.template.Place(written)
}

func (r *renderer) name() string {
	return owner(r.template.Policy, r.template.Object.GetKind()+" "+r.template.Object.GetName())
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
		findings[i].Position = r.place(findings[i].Field)
		if strings.HasPrefix(findings[i].Field, "spec.evaluationInterval.") {
			findings[i].Hint = "a duration such as 1h25m3s, watch or never"
		}
	}
	r.findings = append(r.findings, findings...)
	if !ok {
		return nil, false
	}
	if policy.Name == "" {
		r.report(diag.Error, "metadata.name", "the name is missing", "")
		return nil, false
	}
	r.action = strings.ToLower(string(policy.Spec.RemediationAction))
	switch {
	case r.action == "informonly" && r.template.Policy != "":
		// So the governance-policy-framework hands it to the cluster, whatever the root Policy says.
		r.action = "inform"
	case r.template.RemediationAction != "":
		r.action = strings.ToLower(r.template.RemediationAction)
	}
	if r.action == "" {
		r.report(diag.Error, "spec.remediationAction", "is not set, here or in the Policy", "set enforce or inform")
		return nil, false
	}
	if known := []string{"inform", "enforce", "informonly"}; !slices.Contains(known, r.action) {
		r.report(diag.Error, "spec.remediationAction", fmt.Sprintf("unknown remediationAction %q", r.action), diag.DidYouMean(r.action, known))
		return nil, false
	}
	if message, failed := policy.Annotations[hubErrorAnnotation]; failed {
		r.report(diag.Info, "", "is not evaluated, since its hub template failed: "+message, "")
		return nil, false
	}
	r.checkDefinition()
	hasRaw, hasList := policy.Spec.ObjectTemplatesRaw != "", len(policy.Spec.ObjectTemplates) > 0
	if hasRaw && hasList {
		r.report(diag.Error, "spec", "has both object-templates and object-templates-raw", "keep one of them: an API server refuses both")
		return nil, false
	}
	// A field may be there and empty, as one that hub templates give nothing for: that is a policy without any objects.
	_, listSet := specField(r.template.Object, "object-templates")
	_, rawSet := specField(r.template.Object, "object-templates-raw")
	if !listSet && !rawSet {
		r.report(diag.Error, "spec", "has neither object-templates nor object-templates-raw", "add one of them")
		return nil, false
	}
	return policy, true
}

// checkDefinition reports what an API server refuses. Then there is no such policy on the cluster; it is rendered nevertheless, to
// find what else is wrong with it.
func (r *renderer) checkDefinition() {
	content := maps.Clone(r.template.Object.Object)
	if spec, isMap := content["spec"].(map[string]any); isMap {
		// The root Policy's action takes the place of the template's own.
		spec = maps.Clone(spec)
		spec["remediationAction"] = r.action
		content["spec"] = spec
	}
	problems, err := crds.ConfigurationPolicy(content)
	if err != nil {
		r.report(diag.Error, "", err.Error(), "")
	}
	for _, problem := range problems {
		r.report(diag.Error, problem.Field, problem.Message, problem.Hint)
	}
	r.refused = err != nil || len(problems) > 0
}

// hubErrorAnnotation is set by the propagator on a policy template whose hub template failed.
const hubErrorAnnotation = "policy.open-cluster-management.io/hub-templates-error"

func specField(object manifest.Object, field string) (any, bool) {
	value, found, err := unstructured.NestedFieldNoCopy(object.Object, "spec", field)
	return value, found && err == nil
}
