package cluster

import (
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
)

func (w *write) create(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if err := w.fits("", object); err != nil {
		return nil, err
	}
	if object.GetResourceVersion() != "" {
		return nil, apierrors.NewBadRequest("resourceVersion should not be set on objects to be created")
	}
	if err := w.namespaceIsThere(); err != nil {
		return nil, err
	}
	if object.GetName() == "" && object.GetGenerateName() != "" {
		object.SetName(w.generatedName(object.GetGenerateName()))
	}
	w.newMetadata(object)
	if err := w.admit(object, nil); err != nil {
		return nil, err
	}
	if _, err := w.entry(object.GetName()); err == nil {
		return nil, apierrors.NewAlreadyExists(w.gvr.GroupResource(), object.GetName())
	}
	key := w.resource.key(object.GetNamespace(), object.GetName())
	if w.dryRun {
		object.SetUID(uidOf("dry run/"+key, 1))
	} else {
		object.SetUID(w.newUID(w.resource, key))
	}
	return w.keep(object, manifest.Object{}), nil
}

// newMetadata sets what an API server sets itself.
func (w *write) newMetadata(object *unstructured.Unstructured) {
	for _, field := range []string{"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "uid", "managedFields"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	metadata, isMap := object.Object["metadata"].(map[string]any)
	if !isMap {
		metadata = map[string]any{}
		object.Object["metadata"] = metadata
	}
	metadata["creationTimestamp"] = w.timestamp()
	if w.hasGeneration() {
		metadata["generation"] = int64(1)
	}
	w.builtInMetadata(object)
}

// generatedName gives a name that is not taken.
func (w *write) generatedName(prefix string) string {
	for n := 1; ; n++ {
		name := prefix + strconv.FormatInt(int64(10000+n), 36)
		if _, err := w.entry(name); err != nil {
			return name
		}
	}
}
