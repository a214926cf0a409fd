package evaluate

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	configpolicycommon "open-cluster-management.io/config-policy-controller/pkg/common"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// targets gives the objects that the selectors of the policy and of the object template choose, by namespace and name.
func (r *renderer) targets(
	policy *configpolicyv1.ConfigurationPolicy, field string, d definition, selector *metav1.LabelSelector,
) ([]target, bool) {
	namespaces := []string{""}
	if d.namespaced {
		namespaces = []string{d.namespace}
		if d.namespace == "" {
			selected, err := r.selectNamespaces(policy)
			if err != nil {
				r.report(diag.Error, "spec.namespaceSelector", err.Error(), "")
				return nil, false
			}
			switch {
			case len(selected) > 0:
				namespaces = selected
			case !d.templatedNamespace:
				r.report(diag.Error, field, "has no namespace, and spec.namespaceSelector selects none", "set metadata.namespace or spec.namespaceSelector")
				return nil, false
			}
		}
	}
	if d.name != "" || selector == nil {
		targets := make([]target, 0, len(namespaces))
		for _, namespace := range namespaces {
			targets = append(targets, target{namespace: namespace, name: d.name, existing: r.existing(d, namespace)})
		}
		return targets, true
	}
	return r.selectObjects(field, d, namespaces, selector)
}

// existing gives a copy of the object that the template is about where the template uses it and it is there.
func (r *renderer) existing(d definition, namespace string) map[string]any {
	if !d.usesObject || d.name == "" || d.namespaced && namespace == "" {
		return nil
	}
	object, found, err := r.cluster.Get(d.gvk, namespace, d.name)
	if err != nil || !found {
		return nil
	}
	return contextObject(object.Unstructured)
}

func (r *renderer) selectObjects(field string, d definition, namespaces []string, by *metav1.LabelSelector) ([]target, bool) {
	selector, err := metav1.LabelSelectorAsSelector(by)
	if err != nil {
		r.report(diag.Error, field+": objectSelector", err.Error(), "")
		return nil, false
	}
	var targets []target
	for _, namespace := range namespaces {
		objects, err := r.cluster.List(d.gvk, namespace, selector)
		if err != nil {
			r.report(diag.Error, field+": objectSelector", err.Error(), "")
			return nil, false
		}
		for _, object := range objects {
			t := target{namespace: namespace, name: object.GetName()}
			if d.usesObject {
				t.existing = contextObject(object.Unstructured)
			}
			targets = append(targets, t)
		}
	}
	return targets, true
}

// contextObject copies an object for .Object, without managedFields, whose keys the template engine cannot take.
func contextObject(object *unstructured.Unstructured) map[string]any {
	content := object.DeepCopy().Object
	unstructured.RemoveNestedField(content, "metadata", "managedFields")
	return content
}

// selectNamespaces asks the controller's own selector.
func (r *renderer) selectNamespaces(policy *configpolicyv1.ConfigurationPolicy) ([]string, error) {
	selector, err := configpolicycommon.NewNamespaceSelectorReconciler(namespaceLister{cluster: r.cluster}, nil, "IfMatch")
	if err != nil {
		return nil, err
	}
	return selector.Get(policy.Namespace, policy.Name, policy.Spec.NamespaceSelector)
}

// namespaceLister is the part of a client that the selector uses: it lists namespaces.
type namespaceLister struct {
	client.Client
	cluster lister
}

// lister is what a cluster and a state of one have in common.
type lister interface {
	List(gvk schema.GroupVersionKind, namespace string, selector labels.Selector) ([]manifest.Object, error)
}

func (l namespaceLister) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	namespaces, err := l.cluster.List(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, "", nil)
	if err != nil {
		return err
	}
	into, ok := list.(*corev1.NamespaceList)
	if !ok {
		return runtime.NewNotRegisteredErrForType("namespaces", nil)
	}
	for _, object := range namespaces {
		var namespace corev1.Namespace
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &namespace); err != nil {
			return err
		}
		into.Items = append(into.Items, namespace)
	}
	return nil
}
