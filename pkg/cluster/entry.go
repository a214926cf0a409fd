package cluster

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// entry is an object in a table, with what look-ups ask for again and again.
type entry struct {
	object manifest.Object
	// key is the name, after namespace and slash where the kind has namespaces: what an API server sorts by.
	key    string
	labels labels.Set
}

func newEntry(object manifest.Object, key string) *entry {
	object = withoutBookkeeping(object)
	return &entry{object: object, key: key, labels: object.GetLabels()}
}

// inVersion gives the object as the API version asked for serves it. As with the conversion strategy None, only apiVersion differs.
func (e *entry) inVersion(gvk schema.GroupVersionKind) manifest.Object {
	version := gvk.GroupVersion().String()
	if e.object.GetAPIVersion() == version {
		return e.object
	}
	return replaced(e.object, "apiVersion", version)
}

func (e *entry) place() string {
	if e.object.Position == (diag.Position{}) {
		return "the first one"
	}
	return e.object.Position.String()
}

// replaced gives the object with one top-level field changed, and shares the rest.
func replaced(object manifest.Object, field string, value any) manifest.Object {
	content := maps.Clone(object.Object)
	content[field] = value
	object.Unstructured = &unstructured.Unstructured{Object: content}
	return object
}

func withoutNamespace(object manifest.Object) manifest.Object {
	metadata := maps.Clone(object.Object["metadata"].(map[string]any))
	delete(metadata, "namespace")
	return replaced(object, "metadata", metadata)
}

// withoutBookkeeping drops what the cache of a managed cluster's controller drops: templates never see it.
func withoutBookkeeping(object manifest.Object) manifest.Object {
	metadata, _ := object.Object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	_, managed := metadata["managedFields"]
	_, applied := annotations[lastApplied]
	if !managed && !applied {
		return object
	}
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	if applied {
		annotations = maps.Clone(annotations)
		delete(annotations, lastApplied)
		metadata["annotations"] = annotations
	}
	return replaced(object, "metadata", metadata)
}
