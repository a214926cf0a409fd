// Package evaluate tells what a managed cluster makes of its policies: it resolves the templates of ConfigurationPolicies
// with the controller's own engine over an in-memory cluster.
package evaluate

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// Template is a policy template as a managed cluster has it: hub templates are resolved.
type Template struct {
	// Policy is the root Policy as namespace/name, or empty for a ConfigurationPolicy that stands alone.
	Policy string
	// Object is the ConfigurationPolicy, or a policy of another kind, with the place that it has in the user's files.
	Object manifest.Object
	// RemediationAction is the root Policy's. It overrides the template's unless it is empty.
	RemediationAction string
	// Place gives the place of a field, such as spec.object-templates[0], in the user's file. Without it, findings have the
	// place of the template.
	Place func(field string) diag.Position
	// Line gives the place of a line, counted from 1, of the text of a field. ok is false where it is not known.
	Line func(field string, line int) (at diag.Position, ok bool)
	// Written gives the text of a field as it is in the user's file, before the hub resolved its templates. Without it nothing was
	// resolved.
	Written func(field string) string
	// Observe gives an observer for an object-templates-raw, or nil. It may be nil itself.
	Observe func(text string) Observer
	// Dependencies are the policies that the template waits for: those of the root Policy, and its own extraDependencies.
	Dependencies []Dependency
	// IgnorePending tells that the template counts as compliant while it waits.
	IgnorePending bool
	// Memo spares resolving the template twice where Render and a Session get it; nil spares nothing.
	Memo *Memo
	// EncryptionKey is the AES key of the cluster, for values that the hub has encrypted; nil if there are none.
	EncryptionKey []byte
}

// Observer listens to the execution of a template.
type Observer interface {
	// Functions take the place of those of the engine.
	Functions() template.FuncMap
	// Findings are what it found out, without the policy, and without a place if that is the template's.
	Findings(on *cluster.Cluster) diag.Findings
}

// Object is what a policy template says about one object of a cluster.
type Object struct {
	// Policy is the root Policy as namespace/name, empty if there is none.
	Policy string `json:"policy,omitempty"`
	// Template is the policy template as "Kind name".
	Template string `json:"template"`
	// Index is the position in object-templates, counted from 0; -1 if the object is the policy template itself.
	Index int `json:"index"`
	// ComplianceType is musthave, mustonlyhave or mustnothave.
	ComplianceType string `json:"complianceType"`
	// RemediationAction is enforce or inform, as it counts on the cluster.
	RemediationAction string `json:"remediationAction"`
	// Source is the place of the policy template in the user's files.
	Source diag.Position `json:"source,omitzero"`
	// Object is the object definition after all templates are resolved.
	Object *unstructured.Unstructured `json:"object"`
}

// Owner names what asks for the object: the root Policy, and the template in it where that has another name.
func (o Object) Owner() string { return owner(o.Policy, o.Template) }

func owner(policy, template string) string {
	_, name, _ := strings.Cut(template, " ")
	switch {
	case policy == "":
		return template
	case strings.HasSuffix(policy, "/"+name):
		return "Policy " + policy
	default:
		return "Policy " + policy + ": " + template
	}
}

// Render gives the objects that a policy template asks for on a cluster. A template that cannot be resolved gives none, and an
// error that says why; the others of its policy are not harmed.
func Render(template Template, on *cluster.Cluster) ([]Object, diag.Findings) {
	quiet.TemplateEngine()
	r := renderer{template: template, cluster: on}
	if kind := template.Object.GroupVersionKind(); kind.Group != configpolicyv1.GroupVersion.Group || kind.Kind != "ConfigurationPolicy" {
		return r.otherKind()
	}
	if version := template.Object.GroupVersionKind().Version; version != configpolicyv1.GroupVersion.Version {
		r.report(diag.Error, "apiVersion", fmt.Sprintf("there is no version %q of ConfigurationPolicy", version), "write "+configpolicyv1.GroupVersion.String())
		return nil, r.findings
	}
	policy, ok := r.decode()
	if !ok {
		return nil, r.findings
	}
	if policy.Spec.ObjectTemplatesRaw != "" {
		r.raw(policy)
	} else {
		r.list(policy)
	}
	if r.refused {
		r.objects = nil
	}
	return r.objects, r.findings
}

// otherKind passes on a policy that another controller than the config-policy-controller evaluates.
func (r *renderer) otherKind() ([]Object, diag.Findings) {
	gvk := r.template.Object.GroupVersionKind()
	if known := []string{"ConfigurationPolicy", "OperatorPolicy", "CertificatePolicy", "IamPolicy"}; gvk.Group == configpolicyv1.GroupVersion.Group && !slices.Contains(known, gvk.Kind) {
		r.report(diag.Error, "kind", fmt.Sprintf("there is no policy of kind %s", gvk.Kind), diag.DidYouMean(gvk.Kind, known))
		return nil, r.findings
	}
	object := r.template.Object.DeepCopy()
	r.action, _, _ = unstructured.NestedString(object.Object, "spec", "remediationAction")
	if r.template.RemediationAction != "" {
		r.action = r.template.RemediationAction
	}
	r.action = strings.ToLower(r.action)
	r.add(-1, configpolicyv1.MustHave, object)
	r.report(diag.Info, "", "is created on the cluster; what its own controller does is not simulated", "")
	return r.objects, r.findings
}
