package evaluate

import (
	"github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// missWatcher notes whether a template looked for a kind that cannot be looked up.
type missWatcher struct {
	client.DynamicWatcher
	missed bool
}

func (w *missWatcher) Get(
	watcher client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace, name string,
) (*unstructured.Unstructured, error) {
	object, err := w.DynamicWatcher.Get(watcher, gvk, namespace, name)
	w.missed = w.missed || err != nil
	return object, err
}

func (w *missWatcher) List(
	watcher client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	objects, err := w.DynamicWatcher.List(watcher, gvk, namespace, selector)
	w.missed = w.missed || err != nil
	return objects, err
}

func (w *missWatcher) GVKToGVR(gvk schema.GroupVersionKind) (client.ScopedGVR, error) {
	gvr, err := w.DynamicWatcher.GVKToGVR(gvk)
	w.missed = w.missed || err != nil
	return gvr, err
}
