package cluster

import (
	"errors"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// ownFields are those of the metadata that no request changes.
var ownFields = []string{"uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

func (w *write) update(name string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if err := w.fits(name, object); err != nil {
		return nil, err
	}
	existing, err := w.entry(name)
	if err != nil {
		return nil, err
	}
	old := existing.inVersion(w.gvk())
	if err := w.preconditions(old.Unstructured, object.GetUID(), object.GetResourceVersion()); err != nil {
		return nil, err
	}
	w.keepOwnFields(old.Unstructured, object)
	w.separateStatus(old.Unstructured, object)
	if err := w.admit(object, old.Unstructured); err != nil {
		return nil, err
	}
	if reflect.DeepEqual(object.Object, old.Object) {
		return object, nil
	}
	if w.hasGeneration() && changesMoreThanMetadata(old.Object, object.Object, w.separatesStatus()) {
		object.SetGeneration(old.GetGeneration() + 1)
	}
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		if !w.dryRun {
			w.version++
			w.finish(w.resource, existing, w.cause)
		}
		return object, nil
	}
	return w.keep(object, old), nil
}

func (w *write) preconditions(old *unstructured.Unstructured, uid types.UID, version string) error {
	if uid != "" && old.GetUID() != "" && uid != old.GetUID() {
		return apierrors.NewConflict(w.gvr.GroupResource(), old.GetName(), errors.New(
			"Precondition failed: UID in precondition: "+string(uid)+", UID in object meta: "+string(old.GetUID())))
	}
	if version != "" && version != old.GetResourceVersion() {
		return apierrors.NewConflict(w.gvr.GroupResource(), old.GetName(), errModified)
	}
	return nil
}

// keepOwnFields takes what only the API server sets from the old object.
func (w *write) keepOwnFields(old, object *unstructured.Unstructured) {
	metadata, _ := object.Object["metadata"].(map[string]any)
	before, _ := old.Object["metadata"].(map[string]any)
	for _, field := range append([]string{"resourceVersion"}, ownFields...) {
		delete(metadata, field)
		if value, found := before[field]; found {
			metadata[field] = value
		}
	}
	delete(metadata, "managedFields")
}

// separateStatus takes the status from the old object where it is a resource of its own, or everything else for a request about
// the status.
func (w *write) separateStatus(old, object *unstructured.Unstructured) {
	if !w.separatesStatus() {
		return
	}
	from, to := old.Object, object.Object
	if w.status {
		status, found := object.Object["status"]
		kept := copyMap(old.Object)
		delete(kept, "status")
		if found {
			kept["status"] = status
		}
		object.Object = kept
		return
	}
	delete(to, "status")
	if status, found := from["status"]; found {
		to["status"] = copyValue(status)
	}
}

// changesMoreThanMetadata tells whether an update counts as a new generation.
func changesMoreThanMetadata(old, updated map[string]any, ownStatus bool) bool {
	without := func(object map[string]any) map[string]any {
		rest := map[string]any{}
		for key, value := range object {
			if key != "metadata" && (key != "status" || !ownStatus) {
				rest[key] = value
			}
		}
		return rest
	}
	return !reflect.DeepEqual(without(old), without(updated))
}
