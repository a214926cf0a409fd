package cluster

import (
	"context"

	"github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// watcher answers the template engine's look-ups from a cluster. Since a cluster does not change, it has nothing to watch: the
// methods that manage watches and query batches succeed and do nothing.
type watcher struct {
	cluster *Cluster
	shared  bool
}

var _ client.DynamicWatcher = (*watcher)(nil)

// WatcherOption changes how a watcher answers.
type WatcherOption func(*watcher)

// SharedObjects makes look-ups give the cluster's own objects instead of copies. It is for templates that do not change what they
// looked up, see MutatesLookups.
func SharedObjects() WatcherOption {
	return func(w *watcher) { w.shared = true }
}

// Watcher gives the view of the cluster for templates.NewResolverWithDynamicWatcher (with SkipBatchManagement). It answers as the
// watcher of a managed cluster's controller does, is safe for concurrent use, and copies the objects of each look-up.
func (c *Cluster) Watcher(options ...WatcherOption) client.DynamicWatcher {
	w := &watcher{cluster: c}
	for _, option := range options {
		option(w)
	}
	return w
}

// Get gives the object, or nil if there is none.
func (w *watcher) Get(
	_ client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace, name string,
) (*unstructured.Unstructured, error) {
	return w.GetFromCache(gvk, namespace, name)
}

// GetFromCache is Get: the whole cluster is in the cache.
func (w *watcher) GetFromCache(gvk schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	object, found, err := w.cluster.Get(gvk, namespace, name)
	if err != nil || !found {
		return nil, err
	}
	return &unstructured.Unstructured{Object: w.content(object.Object)}, nil
}

// List gives the objects in the order of an API server.
func (w *watcher) List(
	_ client.ObjectIdentifier, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	return w.ListFromCache(gvk, namespace, selector)
}

// ListFromCache is List: the whole cluster is in the cache.
func (w *watcher) ListFromCache(
	gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	entries, err := w.cluster.list(gvk, namespace, selector)
	if err != nil {
		return nil, err
	}
	result := make([]unstructured.Unstructured, 0, len(entries))
	for _, e := range entries {
		result = append(result, unstructured.Unstructured{Object: w.content(e.inVersion(gvk).Object)})
	}
	return result, nil
}

// ListWatchedFromCache gives nothing, since nothing is watched.
func (w *watcher) ListWatchedFromCache(client.ObjectIdentifier) ([]unstructured.Unstructured, error) {
	return nil, nil
}

// GVKToGVR gives the resource and the scope of a kind, see Cluster.Resource.
func (w *watcher) GVKToGVR(gvk schema.GroupVersionKind) (client.ScopedGVR, error) {
	return w.cluster.Resource(gvk)
}

// Start waits until the context ends.
func (w *watcher) Start(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Started gives a closed channel: the watcher can be used at once.
func (w *watcher) Started() <-chan struct{} {
	started := make(chan struct{})
	close(started)
	return started
}

func (w *watcher) AddWatcher(client.ObjectIdentifier, client.ObjectIdentifier) error { return nil }

func (w *watcher) AddOrUpdateWatcher(client.ObjectIdentifier, ...client.ObjectIdentifier) error {
	return nil
}

func (w *watcher) RemoveWatcher(client.ObjectIdentifier) error { return nil }

func (w *watcher) StartQueryBatch(client.ObjectIdentifier) error { return nil }

func (w *watcher) EndQueryBatch(client.ObjectIdentifier) error { return nil }

func (w *watcher) GetWatchCount() uint { return 0 }

func (w *watcher) content(object map[string]any) map[string]any {
	if w.shared {
		return object
	}
	return copyMap(object)
}

// copyMap copies all maps and lists. Unlike runtime.DeepCopyJSON it does not panic on values that JSON does not have.
func copyMap(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	result := make(map[string]any, len(m))
	for key, item := range m {
		result[key] = copyValue(item)
	}
	return result
}

func copyValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return copyMap(v)
	case []any:
		if v == nil {
			return v
		}
		result := make([]any, len(v))
		for i, item := range v {
			result[i] = copyValue(item)
		}
		return result
	}
	return value
}
