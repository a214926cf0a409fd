package cluster

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	kubejson "sigs.k8s.io/json"
)

// decodeBuiltIn refuses what an API server cannot decode as the built-in kind. Fields that the kind does not have are an error
// for a strict request, and otherwise dropped.
func (w *write) decodeBuiltIn(object, old *unstructured.Unstructured) error {
	typed, err := scheme.Scheme.New(w.gvk())
	if err != nil {
		return nil
	}
	text, err := json.Marshal(object.Object)
	if err != nil {
		return w.cannotBeHandled(err.Error())
	}
	unknown, err := kubejson.UnmarshalStrict(text, typed)
	if err != nil {
		return w.cannotBeHandled(err.Error())
	}
	if len(unknown) > 0 && w.strict {
		texts := make([]string, 0, len(unknown))
		for _, fault := range unknown {
			texts = append(texts, fault.Error())
		}
		return w.cannotBeHandled("strict decoding error: " + strings.Join(texts, ", "))
	}
	for _, fault := range unknown {
		removeUnknown(object.Object, fault.Error())
	}
	if old == nil && builtInHasStatus(w.gvk()) && w.resource.GroupKind != namespaceKind.GroupKind() {
		delete(object.Object, "status")
	}
	if w.resource.Group == "" && w.resource.Kind == "Secret" {
		encodeStringData(object.Object)
	}
	return nil
}

// removeUnknown removes the field that a fault of the decoder names, as far as it leads through maps.
func removeUnknown(object map[string]any, fault string) {
	_, path, _ := strings.Cut(fault, `unknown field "`)
	fields := strings.Split(strings.TrimSuffix(path, `"`), ".")
	unstructured.RemoveNestedField(object, fields...)
}

// builtInHasStatus tells whether the built-in kind has a status, which writes of the object leave alone.
func builtInHasStatus(gvk schema.GroupVersionKind) bool {
	typed, known := scheme.Scheme.AllKnownTypes()[gvk]
	if !known {
		return false
	}
	_, found := typed.FieldByName("Status")
	return found && typed.Kind() == reflect.Struct
}

// encodeStringData moves the stringData of a Secret to its data.
func encodeStringData(secret map[string]any) {
	texts, found := secret["stringData"].(map[string]any)
	delete(secret, "stringData")
	if !found {
		return
	}
	data, isMap := secret["data"].(map[string]any)
	if !isMap {
		data = map[string]any{}
		secret["data"] = data
	}
	for key, value := range texts {
		if text, isString := value.(string); isString {
			data[key] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
}

// builtInMetadata sets what an API server adds to new objects of some kinds.
func (w *write) builtInMetadata(object *unstructured.Unstructured) {
	switch w.resource.GroupKind {
	case crdKind.GroupKind():
		object.Object["status"] = map[string]any{"conditions": []any{
			map[string]any{"type": "NamesAccepted", "status": "True"},
			map[string]any{"type": "Established", "status": "True"},
		}}
		return
	case namespaceKind.GroupKind():
	default:
		return
	}
	if labels := object.GetLabels(); badStrings(object) == "" {
		if labels == nil {
			labels = map[string]string{}
		}
		labels["kubernetes.io/metadata.name"] = object.GetName()
		object.SetLabels(labels)
	}
	object.Object["status"] = map[string]any{"phase": "Active"}
}
