package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// write is a request that changes an object.
type write struct {
	*State
	resource  *resource
	gvr       schema.GroupVersionResource
	namespace string
	strict    bool
	dryRun    bool
	// status tells that the request is about the status alone.
	status bool
}

func (c resourceClient) write(r *resource, fieldValidation string, dryRun []string) *write {
	return &write{
		State: c.state, resource: r, gvr: c.gvr, namespace: c.namespace,
		strict: fieldValidation == metav1.FieldValidationStrict, dryRun: len(dryRun) > 0,
	}
}

func (w *write) gvk() schema.GroupVersionKind { return w.resource.WithVersion(w.gvr.Version) }

// fits refuses an object that is not what the address of the request says, and fills in what it may leave out.
func (w *write) fits(name string, object *unstructured.Unstructured) error {
	if object.Object == nil || object.GetKind() == "" {
		return apierrors.NewBadRequest("Object 'Kind' is missing")
	}
	if gvk := object.GroupVersionKind(); gvk != w.gvk() {
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s, Kind=%s) does not match the expected API version (%s, Kind=%s)",
			object.GetAPIVersion(), gvk.Kind, w.gvk().GroupVersion(), w.resource.Kind))
	}
	if given := object.GetNamespace(); given != w.namespace {
		if given != "" && w.namespace != "" {
			return apierrors.NewBadRequest(fmt.Sprintf("the namespace of the provided object does not match the namespace sent on the request: %q, %q",
				given, w.namespace))
		}
		if w.namespace == "" {
			unstructured.RemoveNestedField(object.Object, "metadata", "namespace")
		} else {
			object.SetNamespace(w.namespace)
		}
	}
	if name != "" && object.GetName() != name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", object.GetName(), name))
	}
	return nil
}

// entry gives the object of a name that is there.
func (w *write) entry(name string) (*entry, error) {
	table := w.view.tables[w.resource.GroupKind]
	if table != nil {
		if found := table.byKey[w.resource.key(w.namespace, name)]; found != nil {
			return found, nil
		}
	}
	if w.resource.GroupKind == crdKind.GroupKind() {
		if found := w.view.definitions().byKey[name]; found != nil {
			return found, nil
		}
	}
	return nil, apierrors.NewNotFound(w.gvr.GroupResource(), name)
}

// keep stores the object, unless this is a dry run, and gives a copy of it.
func (w *write) keep(object *unstructured.Unstructured, at manifest.Object) *unstructured.Unstructured {
	if w.dryRun {
		return object
	}
	object.SetResourceVersion(w.nextVersion())
	at.Unstructured = object
	w.store(w.resource, newEntry(at, w.resource.key(object.GetNamespace(), object.GetName())))
	if w.gvk() == crdKind {
		w.establish(at)
	}
	return &unstructured.Unstructured{Object: copyMap(object.Object)}
}

func (s *State) lastVersion() string { return strconv.FormatInt(s.version, 10) }

func (s *State) timestamp() string { return s.now().UTC().Format(time.RFC3339) }

// cannotBeHandled is what an API server says of an object that it cannot decode.
func (w *write) cannotBeHandled(reason string) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", w.resource.Kind, w.gvr.Version, w.resource.Kind, reason))
}

// unknownFields is what an API server says of fields that a kind does not have.
func unknownFields(paths []string) string {
	texts := make([]string, 0, len(paths))
	for _, path := range paths {
		texts = append(texts, fmt.Sprintf("unknown field %q", path))
	}
	return "strict decoding error: " + strings.Join(texts, ", ")
}
