package suite

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// onCluster sends the requests of a change to a managed cluster.
func (r *caseRun) onCluster(field, name string, e *v1alpha1.Event, objects []manifest.Object) diag.Findings {
	state, ok := r.world.Cluster(name)
	if !ok {
		return diag.Findings{r.test.finding(field+".cluster", fmt.Sprintf("there is no managed cluster %.60q any more", name), "")}
	}
	var findings diag.Findings
	if e.MissingAPIs != nil {
		found := state.SetMissingAPIs(*e.MissingAPIs...)
		for _, f := range found {
			f.Position = r.test.at(field + "." + f.Field)
			f.Field = field + "." + f.Field
			f.Object = manifest.Reference(r.test.object.Unstructured)
			findings = append(findings, f)
		}
	}
	for i, object := range objects {
		at := fmt.Sprintf("%s.apply[%d]", field, i)
		if len(e.ApplyFiles) > 0 {
			at = field + ".applyFiles"
		}
		if err := apply(state, object.Unstructured); err != nil {
			f := r.refused(at, name, manifest.Reference(object.Unstructured), err)
			if len(e.ApplyFiles) > 0 {
				f.Position = object.Position
			}
			findings = append(findings, f)
		}
	}
	for i, of := range e.Delete {
		findings = append(findings, r.deleted(fmt.Sprintf("%s.delete[%d]", field, i), name, state, of)...)
	}
	if e.Patch != nil {
		findings = append(findings, r.patched(field+".patch", name, state, e.Patch)...)
	}
	return findings
}

// refused says what the cluster answered to a request.
func (r *caseRun) refused(field, cluster, object string, err error) diag.Finding {
	f := r.test.finding(field, fmt.Sprintf("%s refuses %s: %s", cluster, object, err), "")
	var unknown *unknownKindError
	if errors.As(err, &unknown) {
		f.Message, f.Hint = fmt.Sprintf("%s serves no %s of %s", cluster, unknown.kind.Kind, unknown.kind.GroupVersion()), unknown.hint
	}
	return f
}

// unknownKindError says that a cluster does not serve a kind.
type unknownKindError struct {
	kind schema.GroupVersionKind
	hint string
}

func (e *unknownKindError) Error() string { return "the cluster does not serve " + e.kind.String() }

// resource gives the client for an object.
func resource(state *cluster.State, kind schema.GroupVersionKind, namespace string) (dynamic.ResourceInterface, error) {
	found, err := state.Cluster().Resource(kind)
	if found.Empty() {
		hint := "give the cluster its CustomResourceDefinition"
		if state.WasServed(kind.GroupKind()) {
			hint = "its API is gone"
		} else if other := diag.DidYouMean(kind.Kind, state.Cluster().KindNames()); other != "" {
			hint = other
		}
		return nil, errors.Join(&unknownKindError{kind, hint}, err)
	}
	client := state.Client().Resource(found.GroupVersionResource)
	if !found.Namespaced {
		return client, nil
	}
	if namespace == "" {
		return nil, errors.New("a " + kind.Kind + " belongs to a namespace, and this one names none")
	}
	return client.Namespace(namespace), nil
}

// apply creates an object or replaces it, its status included. A namespace that is missing comes with the object.
func apply(state *cluster.State, object *unstructured.Unstructured) error {
	ctx := context.Background()
	client, err := resource(state, object.GroupVersionKind(), object.GetNamespace())
	if err != nil {
		return err
	}
	if err := addNamespace(ctx, state, object.GetNamespace()); err != nil {
		return err
	}
	wanted := object.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "managedFields", "generation", "selfLink"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	before, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	strict := metav1.FieldValidationStrict
	var stored *unstructured.Unstructured
	switch {
	case apierrors.IsNotFound(err):
		stored, err = client.Create(ctx, object, metav1.CreateOptions{FieldValidation: strict})
	case err == nil:
		// What an API server would refuse to be changed stays.
		object.SetResourceVersion(before.GetResourceVersion())
		object.SetUID(before.GetUID())
		stored, err = client.Update(ctx, object, metav1.UpdateOptions{FieldValidation: strict})
	}
	if err == nil {
		stored, err = setStatus(ctx, client, stored, wanted.Object["status"])
	}
	if err != nil {
		return err
	}
	setTimes(state, stored, wanted)
	return nil
}

// setTimes lets an object be as old as a test wants it, and be deleted since when it wants: an API server takes neither from a user.
func setTimes(state *cluster.State, stored, wanted *unstructured.Unstructured) {
	changed := false
	for _, field := range []string{"creationTimestamp", "deletionTimestamp"} {
		value, found, _ := unstructured.NestedString(wanted.Object, "metadata", field)
		if is, _, _ := unstructured.NestedString(stored.Object, "metadata", field); !found || is == value {
			continue
		}
		if !changed {
			stored, changed = stored.DeepCopy(), true
		}
		stored.Object["metadata"].(map[string]any)[field] = value
	}
	if changed {
		state.Put(stored)
	}
}

// setStatus gives an object its status where that is a resource of its own.
func setStatus(
	ctx context.Context, client dynamic.ResourceInterface, stored *unstructured.Unstructured, status any,
) (*unstructured.Unstructured, error) {
	if reflect.DeepEqual(stored.Object["status"], status) {
		return stored, nil
	}
	stored = stored.DeepCopy()
	if status == nil {
		delete(stored.Object, "status")
	} else {
		stored.Object["status"] = status
	}
	return client.UpdateStatus(ctx, stored, metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict})
}

var namespaces = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

func addNamespace(ctx context.Context, state *cluster.State, name string) error {
	if name == "" {
		return nil
	}
	client, err := resource(state, namespaces, "")
	if err != nil {
		return err
	}
	if _, err = client.Get(ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return err
	}
	namespace := reference(v1alpha1.ObjectReference{APIVersion: "v1", Kind: "Namespace", Name: name}).Unstructured
	namespace.SetLabels(map[string]string{"kubernetes.io/metadata.name": name})
	_, err = client.Create(ctx, namespace, metav1.CreateOptions{})
	return err
}

// deleted deletes an object. Nobody here does the work that finalizers wait for, so it counts as done.
func (r *caseRun) deleted(field, name string, state *cluster.State, of v1alpha1.ObjectReference) diag.Findings {
	ctx := context.Background()
	object := reference(of).Unstructured
	client, err := resource(state, object.GroupVersionKind(), of.Namespace)
	if err == nil {
		err = client.Delete(ctx, of.Name, metav1.DeleteOptions{})
	}
	if apierrors.IsNotFound(err) {
		return diag.Findings{r.notThere(field, of, name, namesOf(state, object.GroupVersionKind()))}
	}
	if err == nil {
		var left *unstructured.Unstructured
		if left, err = client.Get(ctx, of.Name, metav1.GetOptions{}); err == nil && left.GetDeletionTimestamp() != nil {
			left.SetFinalizers(nil)
			_, err = client.Update(ctx, left, metav1.UpdateOptions{})
		}
		if apierrors.IsNotFound(err) {
			err = nil
		}
	}
	if err != nil {
		return diag.Findings{r.refused(field, name, "to delete "+manifest.Reference(object), err)}
	}
	return nil
}

// namesOf names the objects of a kind.
func namesOf(state *cluster.State, kind schema.GroupVersionKind) []string {
	objects, err := state.List(kind, "", nil)
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(objects))
	for _, object := range objects {
		names = append(names, manifest.Reference(object.Unstructured))
	}
	return names
}

// patched changes an object.
func (r *caseRun) patched(field, name string, state *cluster.State, patch *v1alpha1.ObjectPatch) diag.Findings {
	object := reference(patch.ObjectReference).Unstructured
	before, found, err := state.Get(object.GroupVersionKind(), patch.Namespace, patch.Name)
	if err == nil && !found {
		return diag.Findings{r.notThere(field, patch.ObjectReference, name, namesOf(state, object.GroupVersionKind()))}
	}
	var after *unstructured.Unstructured
	if err != nil {
		_, err = resource(state, object.GroupVersionKind(), patch.Namespace)
	} else if after, err = merged(before.Unstructured, patch.Merge); err == nil {
		err = sameIdentity(before.Unstructured, after)
	}
	if err == nil {
		err = apply(state, after)
	}
	if err != nil {
		return diag.Findings{r.refused(field+".merge", name, "the change of "+manifest.Reference(object), err)}
	}
	return nil
}

// sameIdentity refuses a patch that makes another object of an object.
func sameIdentity(before, after *unstructured.Unstructured) error {
	if before.GroupVersionKind() != after.GroupVersionKind() || before.GetNamespace() != after.GetNamespace() || before.GetName() != after.GetName() {
		return errors.New("a patch cannot change apiVersion, kind, namespace or name")
	}
	return nil
}
