package cluster

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	fakediscovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/dynamic"
	fakedynamic "k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
)

// fakeAPIServer gives clients that hold what the cluster serves.
func fakeAPIServer(t *testing.T, c *Cluster) (dynamic.Interface, *fakediscovery.FakeDiscovery) {
	t.Helper()
	lists := c.APIResourceLists()
	listKinds := map[schema.GroupVersionResource]string{}
	forEachResource(lists, func(gvr schema.GroupVersionResource, r metav1.APIResource) { listKinds[gvr] = r.Kind + "List" })
	client := fakedynamic.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), listKinds)
	forEachResource(lists, func(gvr schema.GroupVersionResource, r metav1.APIResource) {
		entries := c.tables[schema.GroupKind{Group: gvr.Group, Kind: r.Kind}]
		if r.Kind == crdKind.Kind {
			entries = c.definitions()
		}
		if entries == nil {
			return
		}
		for _, e := range entries.entries {
			object := e.inVersion(gvr.GroupVersion().WithKind(r.Kind)).DeepCopy()
			if err := client.Tracker().Create(gvr, object, object.GetNamespace()); err != nil {
				t.Fatal(err)
			}
		}
	})
	return orderedClient{client}, &fakediscovery.FakeDiscovery{Fake: &clienttesting.Fake{Resources: lists}}
}

func forEachResource(lists []*metav1.APIResourceList, do func(schema.GroupVersionResource, metav1.APIResource)) {
	for _, list := range lists {
		for _, r := range list.APIResources {
			do(schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Name}, r)
		}
	}
}

// orderedClient adds to the fake client what a real API server does and the fake does not: lists in the order of the storage
// keys, with a resource version, field selectors by name, and watches that end only when they are stopped.
type orderedClient struct{ dynamic.Interface }

func (c orderedClient) Resource(gvr schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	resource := c.Interface.Resource(gvr)
	return orderedResource{resource, orderedList{resource}}
}

type orderedResource struct {
	dynamic.NamespaceableResourceInterface
	list orderedList
}

func (r orderedResource) Namespace(namespace string) dynamic.ResourceInterface {
	return orderedList{r.NamespaceableResourceInterface.Namespace(namespace)}
}

func (r orderedResource) List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	return r.list.List(ctx, options)
}

func (r orderedResource) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return r.list.Watch(ctx, options)
}

type orderedList struct{ dynamic.ResourceInterface }

func (r orderedList) List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	list, err := r.ResourceInterface.List(ctx, options)
	if err != nil {
		return nil, err
	}
	if name, byName := strings.CutPrefix(options.FieldSelector, "metadata.name="); byName {
		list.Items = slices.DeleteFunc(list.Items, func(o unstructured.Unstructured) bool { return o.GetName() != name })
	}
	key := func(o unstructured.Unstructured) string { return o.GetNamespace() + "/" + o.GetName() }
	slices.SortFunc(list.Items, func(a, b unstructured.Unstructured) int { return cmp.Compare(key(a), key(b)) })
	list.SetResourceVersion("1")
	return list, nil
}

func (r orderedList) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watch.NewFake(), nil
}
