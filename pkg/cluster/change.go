package cluster

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Change is what a request did to an object.
type Change struct {
	schema.GroupVersionKind
	Namespace, Name string
	// Before and After are nil for an object that was created or deleted. They are shared: do not change them.
	Before, After *unstructured.Unstructured
	// Cause says what made the cluster itself delete an object, such as an owner that is gone; empty for the object of a request.
	Cause string
}

func (s *State) notify(r *resource, before, after *entry) {
	if len(s.watches) == 0 || before == after {
		return
	}
	change := Change{Cause: s.cause}
	of := after
	if before != nil {
		change.Before, of = before.object.Unstructured, before
	}
	if after != nil {
		change.After, of = after.object.Unstructured, after
	}
	change.GroupVersionKind = r.WithVersion(of.object.GroupVersionKind().Version)
	change.Namespace, change.Name = of.object.GetNamespace(), of.object.GetName()
	for _, notify := range s.watches {
		notify(change)
	}
}
