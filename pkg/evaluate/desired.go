package evaluate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/diag"
)

// usesObject finds the template variable .Object, which makes the controller look up the object that it is about.
var usesObject = regexp.MustCompile(`\.Object\W`)

// target is one object that an object template is about: what the selectors say before its template is resolved.
type target struct {
	namespace, name string
	// existing is the object on the cluster where the template uses it, else nil.
	existing map[string]any
}

// definition is an object definition before its templates are resolved. A name or a namespace that holds a template counts
// as not given.
type definition struct {
	raw                []byte
	gvk                schema.GroupVersionKind
	namespaced         bool
	namespace, name    string
	templatedNamespace bool
	usesObject         bool
}

// desired adds the objects of one object template. The rules are those of the controller's determineDesiredObjects.
func (r *renderer) desired(policy *configpolicyv1.ConfigurationPolicy, index int, t *configpolicyv1.ObjectTemplate, resolve bool) {
	field := fmt.Sprintf("spec.object-templates[%d].objectDefinition", index)
	if policy.Spec.ObjectTemplatesRaw != "" {
		field = fmt.Sprintf("spec.object-templates-raw: entry %d: objectDefinition", index+1)
	}
	d, ok := r.definition(field, t.ObjectDefinition.Raw)
	if !ok {
		return
	}
	targets, ok := r.targets(policy, field, d, t.ObjectSelector)
	if !ok {
		return
	}
	resolve = resolve && templates.HasTemplate(d.raw, "", true)
	for _, target := range targets {
		raw, skipped := d.raw, false
		if resolve {
			var err error
			raw, skipped, err = r.resolveObject(d.raw, target)
			if err != nil && !skipped {
				r.templateError(field, string(d.raw), false, err)
				return
			}
		}
		if skipped {
			continue
		}
		object, err := decodeObject(raw)
		if err != nil {
			r.report(diag.Error, field, err.Error(), "")
			return
		}
		if r.complete(field, d, target, object, policy, t) {
			r.add(index, t.ComplianceType, object)
		}
	}
}

func (r *renderer) definition(field string, raw []byte) (definition, bool) {
	var fields struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		r.report(diag.Error, field, err.Error(), "")
		return definition{}, false
	}
	d := definition{raw: raw, gvk: fields.GroupVersionKind(), usesObject: usesObject.Match(raw)}
	if d.gvk.Kind == "" || d.gvk.Version == "" {
		r.report(diag.Error, field, "has no apiVersion and kind", "name them")
		return definition{}, false
	}
	resource, err := r.cluster.Resource(d.gvk)
	if err != nil {
		hint := r.cluster.Meant(d.gvk)
		if hint == "" {
			hint = "install its CRD on the cluster, or make the template depend on it"
		}
		r.report(diag.Error, field, fmt.Sprintf("the cluster does not serve %s %s", d.gvk.GroupVersion(), d.gvk.Kind), hint)
		return definition{}, false
	}
	d.namespaced = resource.Namespaced
	d.namespace, d.name = fields.Metadata.Namespace, fields.Metadata.Name
	if templates.HasTemplate([]byte(d.namespace), "", true) {
		d.namespace, d.templatedNamespace = "", true
	}
	if templates.HasTemplate([]byte(d.name), "", true) {
		d.name = ""
	}
	return d, true
}

// complete fills in the name and the namespace of the target and checks that the resolved object is the target.
func (r *renderer) complete(
	field string, d definition, at target, object *unstructured.Unstructured,
	policy *configpolicyv1.ConfigurationPolicy, t *configpolicyv1.ObjectTemplate,
) bool {
	if object.GetName() == "" {
		object.SetName(at.name)
	}
	if object.GetNamespace() == "" {
		object.SetNamespace(at.namespace)
	}
	object.SetName(strings.TrimSpace(object.GetName()))
	object.SetNamespace(strings.TrimSpace(object.GetNamespace()))
	object.SetKind(strings.TrimSpace(object.GetKind()))
	switch {
	case !policy.Spec.NamespaceSelector.IsEmpty() && object.GetNamespace() != at.namespace:
		r.report(diag.Error, field, fmt.Sprintf("gives the namespace %q, which is not the one that spec.namespaceSelector selected (%q)",
			object.GetNamespace(), at.namespace), "leave the namespace out or use .ObjectNamespace")
		return false
	case d.namespaced && d.templatedNamespace && object.GetNamespace() == "":
		r.report(diag.Error, field, "the template of metadata.namespace gives nothing", "")
		return false
	case t.ObjectSelector != nil && object.GetName() != at.name:
		r.report(diag.Error, field, fmt.Sprintf("gives the name %q, which is not the one that objectSelector selected (%q)",
			object.GetName(), at.name), "leave the name out or use .ObjectName")
		return false
	}
	return true
}
