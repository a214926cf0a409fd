package cluster

import (
	"github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// stateWatcher is a watcher whose cluster changes.
type stateWatcher struct {
	*watcher
	state *State
}

// Watcher gives the view of the state as it is at each look-up, see Cluster.Watcher.
func (s *State) Watcher() client.DynamicWatcher {
	return &stateWatcher{watcher: &watcher{cluster: s.view}, state: s}
}

func (w *stateWatcher) Get(
	_ client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace, name string,
) (*unstructured.Unstructured, error) {
	return w.GetFromCache(gvk, namespace, name)
}

func (w *stateWatcher) GetFromCache(gvk schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	w.state.lock.Lock()
	defer w.state.lock.Unlock()
	return w.watcher.GetFromCache(gvk, namespace, name)
}

func (w *stateWatcher) List(
	_ client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	return w.ListFromCache(gvk, namespace, selector)
}

func (w *stateWatcher) ListFromCache(
	gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	w.state.lock.Lock()
	defer w.state.lock.Unlock()
	return w.watcher.ListFromCache(gvk, namespace, selector)
}

func (w *stateWatcher) GVKToGVR(gvk schema.GroupVersionKind) (client.ScopedGVR, error) {
	w.state.lock.Lock()
	defer w.state.lock.Unlock()
	return w.watcher.GVKToGVR(gvk)
}
