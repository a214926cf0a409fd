package cluster

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// Client gives the state as a client of an API server sees it. Errors are those of an API server.
func (s *State) Client() dynamic.Interface { return apiClient{s} }

type apiClient struct{ state *State }

func (c apiClient) Resource(gvr schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return resourceClient{state: c.state, gvr: gvr}
}

// resourceClient sends requests about one resource, in one namespace or in none.
type resourceClient struct {
	state     *State
	gvr       schema.GroupVersionResource
	namespace string
}

var _ dynamic.NamespaceableResourceInterface = resourceClient{}

func (c resourceClient) Namespace(namespace string) dynamic.ResourceInterface {
	c.namespace = namespace
	return c
}

// request resolves the resource under the lock and does the work.
func (c resourceClient) request(verb, name string, do func(*resource) (*unstructured.Unstructured, error)) (*unstructured.Unstructured, error) {
	c.state.lock.Lock()
	defer c.state.lock.Unlock()
	r := c.state.resourceOf(c.gvr)
	if r == nil || r.namespaced && c.namespace == "" && verb != "list" || !r.namespaced && c.namespace != "" {
		return nil, apierrors.NewGenericServerResponse(404, verb, c.gvr.GroupResource(), name, "404 page not found", 0, true)
	}
	return do(r)
}

func (c resourceClient) Create(
	_ context.Context, object *unstructured.Unstructured, options metav1.CreateOptions, subresources ...string,
) (*unstructured.Unstructured, error) {
	return c.request("create", object.GetName(), func(r *resource) (*unstructured.Unstructured, error) {
		if len(subresources) > 0 {
			return nil, apierrors.NewMethodNotSupported(c.gvr.GroupResource(), "create")
		}
		w := c.write(r, options.FieldValidation, options.DryRun)
		return w.create(object.DeepCopy())
	})
}

func (c resourceClient) Update(
	_ context.Context, object *unstructured.Unstructured, options metav1.UpdateOptions, subresources ...string,
) (*unstructured.Unstructured, error) {
	return c.request("update", object.GetName(), func(r *resource) (*unstructured.Unstructured, error) {
		w := c.write(r, options.FieldValidation, options.DryRun)
		w.status = slices.Equal(subresources, []string{"status"})
		return w.update(object.GetName(), object.DeepCopy())
	})
}

func (c resourceClient) UpdateStatus(
	ctx context.Context, object *unstructured.Unstructured, options metav1.UpdateOptions,
) (*unstructured.Unstructured, error) {
	return c.Update(ctx, object, options, "status")
}

func (c resourceClient) Patch(
	_ context.Context, name string, patchType types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string,
) (*unstructured.Unstructured, error) {
	return c.request("patch", name, func(r *resource) (*unstructured.Unstructured, error) {
		w := c.write(r, options.FieldValidation, options.DryRun)
		w.status = slices.Equal(subresources, []string{"status"})
		return w.patch(name, patchType, data)
	})
}

func (c resourceClient) Apply(
	_ context.Context, name string, object *unstructured.Unstructured, options metav1.ApplyOptions, subresources ...string,
) (*unstructured.Unstructured, error) {
	return c.request("apply", name, func(r *resource) (*unstructured.Unstructured, error) {
		w := c.write(r, metav1.FieldValidationStrict, options.DryRun)
		w.status = slices.Equal(subresources, []string{"status"})
		return w.apply(name, object.DeepCopy())
	})
}

func (c resourceClient) ApplyStatus(
	ctx context.Context, name string, object *unstructured.Unstructured, options metav1.ApplyOptions,
) (*unstructured.Unstructured, error) {
	return c.Apply(ctx, name, object, options, "status")
}

func (c resourceClient) Delete(_ context.Context, name string, options metav1.DeleteOptions, _ ...string) error {
	_, err := c.request("delete", name, func(r *resource) (*unstructured.Unstructured, error) {
		return nil, c.write(r, "", options.DryRun).delete(name, options)
	})
	return err
}

func (c resourceClient) DeleteCollection(ctx context.Context, options metav1.DeleteOptions, which metav1.ListOptions) error {
	list, err := c.List(ctx, which)
	if err != nil {
		return err
	}
	for i := range list.Items {
		in := c
		in.namespace = list.Items[i].GetNamespace()
		if err := in.Delete(ctx, list.Items[i].GetName(), options); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

func (c resourceClient) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	return c.request("get", name, func(r *resource) (*unstructured.Unstructured, error) {
		object, found, err := c.state.view.Get(r.WithVersion(c.gvr.Version), c.namespace, name)
		if !found {
			return nil, apierrors.NewNotFound(c.gvr.GroupResource(), name)
		}
		return &unstructured.Unstructured{Object: copyMap(object.Object)}, err
	})
}

func (c resourceClient) List(_ context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	field, err := fields.ParseSelector(options.FieldSelector)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	result := &unstructured.UnstructuredList{Object: map[string]any{}}
	_, err = c.request("list", "", func(r *resource) (*unstructured.Unstructured, error) {
		gvk := r.WithVersion(c.gvr.Version)
		objects, err := c.state.view.List(gvk, c.namespace, selector)
		for _, object := range objects {
			if field.Empty() || field.Matches(fieldsOf(object)) {
				result.Items = append(result.Items, unstructured.Unstructured{Object: copyMap(object.Object)})
			}
		}
		result.SetAPIVersion(c.gvr.GroupVersion().String())
		result.SetKind(r.Kind + "List")
		result.SetResourceVersion(c.state.lastVersion())
		return nil, err
	})
	return result, err
}

// fieldsOf gives the fields that every kind can be selected by.
func fieldsOf(object manifest.Object) fields.Set {
	return fields.Set{"metadata.name": object.GetName(), "metadata.namespace": object.GetNamespace()}
}

// Watch is refused: the one who changes the state knows when it changes.
func (c resourceClient) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return nil, apierrors.NewMethodNotSupported(c.gvr.GroupResource(), "watch")
}
