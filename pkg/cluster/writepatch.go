package cluster

import (
	"encoding/json"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

func (w *write) patch(name string, patchType types.PatchType, data []byte) (*unstructured.Unstructured, error) {
	existing, err := w.entry(name)
	if patchType == types.ApplyPatchType {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(data, &object.Object); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		return w.apply(name, object)
	}
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(existing.inVersion(w.gvk()).Object)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	patched, err := w.patchedText(before, patchType, data)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(patched); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return w.update(name, object)
}

func (w *write) patchedText(before []byte, patchType types.PatchType, data []byte) ([]byte, error) {
	var patched []byte
	var err error
	switch patchType {
	case types.JSONPatchType:
		patch, decodeErr := jsonpatch.DecodePatch(data)
		if decodeErr != nil {
			return nil, apierrors.NewBadRequest(decodeErr.Error())
		}
		if patched, err = patch.Apply(before); err != nil {
			return nil, apierrors.NewGenericServerResponse(422, "patch", w.gvr.GroupResource(), "", err.Error(), 0, false)
		}
		return patched, nil
	case types.MergePatchType:
		patched, err = jsonpatch.MergePatch(before, data)
	case types.StrategicMergePatchType:
		typed, unknown := scheme.Scheme.New(w.gvk())
		if unknown != nil {
			return nil, apierrors.NewGenericServerResponse(415, "patch", w.gvr.GroupResource(), "",
				"the body of the request was in an unknown format - accepted media types include: application/json-patch+json, "+
					"application/merge-patch+json, application/apply-patch+yaml", 0, false)
		}
		patched, err = strategicpatch.StrategicMergePatch(before, data, typed)
	default:
		return nil, apierrors.NewBadRequest("unknown kind of patch: " + string(patchType))
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return patched, nil
}

// apply creates the object, or sets the fields that it names. Lists are replaced, and no field is given up, since nothing
// keeps who owns which field.
func (w *write) apply(name string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if object.GetName() == "" {
		object.SetName(name)
	}
	existing, err := w.entry(name)
	if err != nil {
		return w.create(object)
	}
	merged := copyMap(existing.inVersion(w.gvk()).Object)
	mergeInto(merged, object.Object)
	return w.update(name, &unstructured.Unstructured{Object: merged})
}

func mergeInto(target, fields map[string]any) {
	for key, value := range fields {
		inner, isMap := value.(map[string]any)
		if into, both := target[key].(map[string]any); isMap && both {
			mergeInto(into, inner)
			continue
		}
		target[key] = value
	}
}
