package cluster

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// namespaceIsThere refuses objects in a namespace that does not exist or is about to go.
func (w *write) namespaceIsThere() error {
	if !w.resource.namespaced {
		return nil
	}
	namespaces := schema.GroupResource{Resource: "namespaces"}
	table := w.view.tables[namespaceKind.GroupKind()]
	if table == nil || table.byKey[w.namespace] == nil {
		return apierrors.NewNotFound(namespaces, w.namespace)
	}
	if table.byKey[w.namespace].object.GetDeletionTimestamp() != nil {
		refusal := apierrors.NewForbidden(w.gvr.GroupResource(), "", fmt.Errorf("unable to create new content in namespace %s because it is being terminated", w.namespace))
		refusal.ErrStatus.Details.Causes = append(refusal.ErrStatus.Details.Causes, metav1.StatusCause{
			Type: corev1.NamespaceTerminatingCause, Message: fmt.Sprintf("namespace %s is being terminated", w.namespace), Field: "metadata.namespace",
		})
		return refusal
	}
	return nil
}

// admit checks an object against its kind and fills in what the kind sets. The old object is nil when it is created.
func (w *write) admit(object, old *unstructured.Unstructured) error {
	if message := badStrings(object); message != "" {
		return w.cannotBeHandled(message)
	}
	var faults field.ErrorList
	loaded, err := w.schema(w.gvk())
	switch {
	case err != nil:
		return apierrors.NewInternalError(err)
	case loaded != nil:
		if faults, err = w.admitCustom(loaded, object, old); err != nil {
			return err
		}
	case w.resource.provider == builtIn:
		if err := w.decodeBuiltIn(object, old); err != nil {
			return err
		}
		faults = immutableFields(w.resource.GroupKind, object, old)
	}
	faults = append(faults, validation.ValidateObjectMetaAccessor(object, w.resource.namespaced, w.nameRule(), field.NewPath("metadata"))...)
	if len(faults) > 0 {
		return apierrors.NewInvalid(w.resource.GroupKind, object.GetName(), faults)
	}
	return nil
}

// badStrings says what of the labels and annotations is not a string.
func badStrings(object *unstructured.Unstructured) string {
	metadata, isMap := object.Object["metadata"].(map[string]any)
	if !isMap {
		return "json: cannot unmarshal the metadata into Go value of type v1.ObjectMeta"
	}
	for _, name := range []string{"labels", "annotations"} {
		values, isMap := metadata[name].(map[string]any)
		if metadata[name] != nil && !isMap {
			return fmt.Sprintf("json: cannot unmarshal %s into Go struct field ObjectMeta.metadata.%s of type map[string]string", jsonType(metadata[name]), name)
		}
		for _, value := range values {
			if _, isString := value.(string); !isString {
				return fmt.Sprintf("json: cannot unmarshal %s into Go struct field ObjectMeta.metadata.%s of type string", jsonType(value), name)
			}
		}
	}
	return ""
}

func jsonType(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case bool:
		return "bool"
	case string:
		return "string"
	case nil:
		return "null"
	default:
		return "number"
	}
}

// nameRule is what the kind wants of names.
func (w *write) nameRule() validation.ValidateNameFunc {
	switch {
	case w.resource.Group == "rbac.authorization.k8s.io":
		return path.ValidatePathSegmentName
	case w.resource.GroupKind == namespaceKind.GroupKind():
		return validation.ValidateNamespaceName
	case w.resource.Group == "" && w.resource.Kind == "Service":
		return validation.NameIsDNS1035Label
	case w.resource.provider == aggregated || strings.HasSuffix(w.resource.Group, "openshift.io") && w.resource.provider != custom:
		return path.ValidatePathSegmentName
	default:
		return validation.NameIsDNSSubdomain
	}
}
