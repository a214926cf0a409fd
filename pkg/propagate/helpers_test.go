package propagate

import (
	"context"
	"os"
	"testing"

	depclient "github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
)

func parse(t testing.TB, file, text string) []manifest.Object {
	t.Helper()
	objects, findings := manifest.Decode(file, []byte(text))
	if len(findings) > 0 {
		t.Fatal(findings.Error())
	}
	return objects
}

func readFile(t testing.TB, path string) []manifest.Object {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, path, string(data))
}

// selects is the result of a Placement that selects the clusters.
func selects(namespace, name string, clusters ...string) placement.Result {
	return placement.Result{Kind: "Placement", Namespace: namespace, Name: name, Groups: []placement.Group{{Clusters: clusters}}}
}

// resources are the APIs that the hub of the tests serves.
var resources = map[schema.GroupVersionKind]depclient.ScopedGVR{
	{Version: "v1", Kind: "ConfigMap"}: {GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Namespaced: true},
	{Version: "v1", Kind: "Secret"}:    {GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, Namespaced: true},
	managedClusterGVK: {GroupVersionResource: schema.GroupVersionResource{
		Group: managedClusterGVK.Group, Version: "v1", Resource: "managedclusters",
	}},
}

// memoryWatcher answers look-ups from a list of objects.
type memoryWatcher struct{ objects []manifest.Object }

func (w memoryWatcher) AddWatcher(depclient.ObjectIdentifier, depclient.ObjectIdentifier) error {
	return nil
}

func (w memoryWatcher) AddOrUpdateWatcher(depclient.ObjectIdentifier, ...depclient.ObjectIdentifier) error {
	return nil
}
func (w memoryWatcher) RemoveWatcher(depclient.ObjectIdentifier) error   { return nil }
func (w memoryWatcher) Start(context.Context) error                      { return nil }
func (w memoryWatcher) GetWatchCount() uint                              { return 0 }
func (w memoryWatcher) Started() <-chan struct{}                         { return nil }
func (w memoryWatcher) StartQueryBatch(depclient.ObjectIdentifier) error { return nil }
func (w memoryWatcher) EndQueryBatch(depclient.ObjectIdentifier) error   { return nil }

func (w memoryWatcher) Get(
	_ depclient.ObjectIdentifier, gvk schema.GroupVersionKind, namespace, name string,
) (*unstructured.Unstructured, error) {
	for _, object := range w.objects {
		if object.GroupVersionKind() == gvk && object.GetNamespace() == namespace && object.GetName() == name {
			return object.DeepCopy(), nil
		}
	}
	return nil, nil
}

func (w memoryWatcher) List(
	_ depclient.ObjectIdentifier, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	var list []unstructured.Unstructured
	for _, object := range w.objects {
		if object.GroupVersionKind() == gvk && (namespace == "" || object.GetNamespace() == namespace) && selector.Matches(labels.Set(object.GetLabels())) {
			list = append(list, *object.DeepCopy())
		}
	}
	return list, nil
}

func (w memoryWatcher) GetFromCache(gvk schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	return w.Get(depclient.ObjectIdentifier{}, gvk, namespace, name)
}

func (w memoryWatcher) ListFromCache(gvk schema.GroupVersionKind, namespace string, selector labels.Selector) ([]unstructured.Unstructured, error) {
	return w.List(depclient.ObjectIdentifier{}, gvk, namespace, selector)
}

func (w memoryWatcher) ListWatchedFromCache(depclient.ObjectIdentifier) ([]unstructured.Unstructured, error) {
	return nil, nil
}

func (w memoryWatcher) GVKToGVR(gvk schema.GroupVersionKind) (depclient.ScopedGVR, error) {
	if scoped, found := resources[gvk]; found {
		return scoped, nil
	}
	return depclient.ScopedGVR{}, depclient.ErrNoVersionedResource
}
