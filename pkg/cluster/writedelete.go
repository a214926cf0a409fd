package cluster

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
)

func (w *write) delete(name string, options metav1.DeleteOptions) error {
	existing, err := w.entry(name)
	if err != nil {
		return err
	}
	if p := options.Preconditions; p != nil {
		old := existing.object.Unstructured
		if p.UID != nil {
			err = w.preconditions(old, *p.UID, "")
		}
		if err == nil && p.ResourceVersion != nil {
			err = w.preconditions(old, "", *p.ResourceVersion)
		}
		if err != nil {
			return err
		}
	}
	if w.dryRun {
		return nil
	}
	w.version++
	if options.PropagationPolicy != nil && *options.PropagationPolicy == metav1.DeletePropagationOrphan {
		w.orphan(existing)
	}
	w.remove(w.resource, existing, "")
	return nil
}

// remove deletes an object, or marks it where finalizers hold it.
func (s *State) remove(r *resource, e *entry, cause string) {
	if len(e.object.GetFinalizers()) > 0 {
		if e.object.GetDeletionTimestamp() == nil {
			s.mark(r, e)
		}
		return
	}
	s.finish(r, e, cause)
}

// finish takes an object away that nothing holds any more, and what goes with it.
func (s *State) finish(r *resource, e *entry, cause string) {
	outer := s.cause
	s.cause = cause
	s.drop(r, e.key)
	s.cause = outer
	switch r.GroupKind {
	case crdKind.GroupKind():
		s.withdraw(e.object)
	case namespaceKind.GroupKind():
		s.empty(e.object.GetName())
	}
	s.collect(e.object)
}

// mark says that an object is about to be deleted.
func (s *State) mark(r *resource, e *entry) {
	object := e.object.DeepCopy()
	metadata := object.Object["metadata"].(map[string]any)
	metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"] = s.timestamp(), int64(0)
	object.SetResourceVersion(s.nextVersion())
	s.store(r, newEntry(manifest.Object{Unstructured: object, Position: e.object.Position}, e.key))
}

// collect does the work of the garbage collector: it removes the objects whose last owner is gone.
func (s *State) collect(owner manifest.Object) {
	uid := owner.GetUID()
	if uid == "" {
		return
	}
	for _, at := range s.dependents(uid) {
		r, table := s.view.discovery.kinds[at.kind], s.view.tables[at.kind]
		if r == nil || table == nil || table.byKey[at.key] == nil {
			continue
		}
		dependent := table.byKey[at.key]
		left := slices.DeleteFunc(dependent.object.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == uid })
		if len(left) == 0 {
			s.remove(r, dependent, "its owner "+manifest.Reference(owner.Unstructured)+" is gone")
			continue
		}
		s.setOwners(r, dependent, left)
	}
}

// orphan makes the dependents of an object forget it.
func (s *State) orphan(owner *entry) {
	uid := owner.object.GetUID()
	for _, at := range s.dependents(uid) {
		if r, table := s.view.discovery.kinds[at.kind], s.view.tables[at.kind]; r != nil && table != nil && table.byKey[at.key] != nil {
			dependent := table.byKey[at.key]
			s.setOwners(r, dependent, slices.DeleteFunc(dependent.object.GetOwnerReferences(),
				func(o metav1.OwnerReference) bool { return o.UID == uid }))
		}
	}
}

func (s *State) setOwners(r *resource, e *entry, owners []metav1.OwnerReference) {
	object := e.object.DeepCopy()
	object.SetOwnerReferences(owners)
	if len(owners) == 0 {
		unstructured.RemoveNestedField(object.Object, "metadata", "ownerReferences")
	}
	object.SetResourceVersion(s.nextVersion())
	s.store(r, newEntry(manifest.Object{Unstructured: object, Position: e.object.Position}, e.key))
}

// empty removes all objects of a namespace that is gone.
func (s *State) empty(namespace string) {
	for kind, t := range s.view.tables {
		if r := s.view.discovery.kinds[kind]; r != nil && r.namespaced {
			for _, e := range slices.Clone(t.list(namespace, nil)) {
				s.remove(r, e, "its Namespace "+namespace+" is gone")
			}
		}
	}
}
