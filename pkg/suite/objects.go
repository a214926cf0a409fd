package suite

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// state gives the cluster that an expectation is about, or fails.
func (l *look) state(field, name string) (string, *cluster.State) {
	name, problem := l.clusterOf(l.field+field+".cluster", name)
	if problem != nil {
		l.add(*problem)
		return "", nil
	}
	state, _ := l.world.Cluster(name)
	return name, state
}

// kinds gives the kinds that a name means on a cluster, none if the cluster does not serve it now. It fails if there is no such kind.
func (l *look) kinds(field, on string, state *cluster.State, name string) ([]schema.GroupVersionKind, bool) {
	found := state.Cluster().KindsNamed(name)
	switch {
	case len(found) == 1:
		return found, true
	case len(found) > 1:
		var names []string
		for _, kind := range found {
			names = append(names, kind.GroupKind().String())
		}
		l.fail(field, on, fmt.Sprintf("%.80q may be %s", name, strings.Join(names, " or ")), "write Kind.group")
		return nil, false
	}
	for _, away := range state.FormerKinds() {
		if away.Kind == name || away.String() == name {
			return nil, true
		}
	}
	l.fail(field, on, fmt.Sprintf("the cluster knows no kind %.80q", name), diag.DidYouMean(name, state.Cluster().KindNames()))
	return nil, false
}

// list gives the objects of a kind, without what an API server sets.
func list(state *cluster.State, kind schema.GroupVersionKind, namespace string, selector labels.Selector) []*unstructured.Unstructured {
	found, err := state.List(kind, namespace, selector)
	if err != nil {
		// The kind is not served: there is none of it.
		return nil
	}
	objects := make([]*unstructured.Unstructured, 0, len(found))
	for _, object := range found {
		objects = append(objects, evaluate.WithoutServerFields(object.Unstructured))
	}
	return objects
}

func (l *look) objects() {
	for i, expected := range l.expected.Objects {
		at := fmt.Sprintf(".objects[%d]", i)
		name, state := l.state(at, expected.Cluster)
		if state == nil {
			continue
		}
		want, ok := l.wanted(at, expected)
		if !ok {
			continue
		}
		kinds, ok := l.kindsOf(at, name, state, expected.Kinds, want)
		if !ok {
			continue
		}
		selector := labels.SelectorFromSet(expected.Labels)
		var is []*unstructured.Unstructured
		for _, kind := range kinds {
			is = append(is, list(state, kind, expected.Namespace, selector)...)
		}
		l.sameObjects(at, name, expected, want, is)
	}
}

// wanted reads the objects that are expected.
func (l *look) wanted(field string, expected v1alpha1.ExactObjects) ([]*unstructured.Unstructured, bool) {
	var want []*unstructured.Unstructured
	for _, content := range expected.Exactly {
		want = append(want, evaluate.WithoutServerFields(&unstructured.Unstructured{Object: content}))
	}
	if expected.File == "" {
		return want, true
	}
	if missing := l.stage.missing(l.test, l.field+field+".file", expected.File); missing != nil {
		if l.updates != nil {
			return nil, true
		}
		missing.Hint = "write it with --update"
		l.add(*missing)
		return nil, false
	}
	objects, findings := manifest.LoadFS(l.stage.fsys, l.test.path(expected.File))
	if l.failed(findings) {
		return nil, false
	}
	for _, object := range objects {
		want = append(want, evaluate.WithoutServerFields(object.Unstructured))
	}
	return want, true
}

// kindsOf gives the kinds to compare: those that are named, or those of the objects.
func (l *look) kindsOf(
	field, on string, state *cluster.State, names []string, want []*unstructured.Unstructured,
) (kinds []schema.GroupVersionKind, ok bool) {
	add := func(kind schema.GroupVersionKind) {
		if !slices.ContainsFunc(kinds, func(k schema.GroupVersionKind) bool { return k.GroupKind() == kind.GroupKind() }) {
			kinds = append(kinds, kind)
		}
	}
	for _, object := range want {
		add(object.GroupVersionKind())
	}
	ok = true
	for i, name := range names {
		found, known := l.kinds(fmt.Sprintf("%s.kinds[%d]", field, i), on, state, name)
		ok = ok && known
		for _, kind := range found {
			add(kind)
		}
	}
	return kinds, ok
}

func (l *look) sameObjects(field, on string, expected v1alpha1.ExactObjects, want, is []*unstructured.Unstructured) {
	wanted, there := byKey(want), byKey(is)
	if maps.EqualFunc(wanted, there, func(a, b *unstructured.Unstructured) bool { return reflect.DeepEqual(a.Object, b.Object) }) {
		return
	}
	l.updatableObjects(field, expected, is, func() { l.differing(field, on, expected.File, want, wanted, there) })
}

// differing fails for each object that is not as it should be.
func (l *look) differing(field, on, file string, want []*unstructured.Unstructured, wanted, there map[string]*unstructured.Unstructured) {
	place := field + ".exactly"
	if file != "" {
		place = field + ".file"
	}
	indexes := map[string]int{}
	for i, object := range want {
		indexes[keyOf(object)] = i
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		object := wanted[key]
		at := place
		if file == "" {
			at = fmt.Sprintf("%s[%d]", place, indexes[key])
		}
		switch other := there[key]; {
		case other == nil:
			l.fail(at, on, manifest.Reference(object)+" is not there", nearestName(object, there))
		case !reflect.DeepEqual(object.Object, other.Object):
			l.fail(at, on, manifest.Reference(object)+" differs", "", differences(object, other)...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(there)) {
		if wanted[key] == nil {
			l.fail(place, on, manifest.Reference(there[key])+" is there, too", "", yamlLines(there[key].Object)...)
		}
	}
}

func byKey(list []*unstructured.Unstructured) map[string]*unstructured.Unstructured {
	m := map[string]*unstructured.Unstructured{}
	for _, object := range list {
		m[keyOf(object)] = object
	}
	return m
}

// nearestName says which object may have been meant.
func nearestName(object *unstructured.Unstructured, is map[string]*unstructured.Unstructured) string {
	var names []string
	for _, other := range is {
		if other.GetKind() == object.GetKind() {
			names = append(names, manifest.Reference(other))
		}
	}
	if len(names) == 0 {
		return "there is no " + object.GetKind() + " at all"
	}
	slices.Sort(names)
	return diag.DidYouMean(manifest.Reference(object), names)
}

func (l *look) contains() {
	for i, expected := range l.expected.Contains {
		at := fmt.Sprintf(".contains[%d]", i)
		name, state := l.state(at, expected.Cluster)
		if state == nil {
			continue
		}
		want := &unstructured.Unstructured{Object: expected.Object}
		is, found, err := state.Get(want.GroupVersionKind(), want.GetNamespace(), want.GetName())
		if err != nil || !found {
			l.fail(at+".object", name, manifest.Reference(want)+" is not there", l.whyNot(state, want.GroupVersionKind(), want))
			continue
		}
		if part, whole := partOf(expected.Object, is.Object); !whole {
			l.fail(at+".object", name, manifest.Reference(want)+" has not all of the fields", "",
				differences(&unstructured.Unstructured{Object: expected.Object}, &unstructured.Unstructured{Object: part})...)
		}
	}
}

// whyNot says why an object may not be there.
func (l *look) whyNot(state *cluster.State, kind schema.GroupVersionKind, object *unstructured.Unstructured) string {
	if _, err := state.Cluster().Resource(kind); err != nil {
		if state.WasServed(kind.GroupKind()) {
			return "its API is gone"
		}
		if hint := diag.DidYouMean(kind.Kind, state.Cluster().KindNames()); hint != "" {
			return hint
		}
		return "the cluster does not serve " + kind.String()
	}
	return nearestName(object, byKey(list(state, kind, "", nil)))
}

func (l *look) absent() {
	for i, expected := range l.expected.Absent {
		at := fmt.Sprintf(".absent[%d]", i)
		name, state := l.state(at, expected.Cluster)
		if state == nil {
			continue
		}
		object := reference(expected.ObjectReference).Unstructured
		kind := object.GroupVersionKind()
		if _, err := state.Cluster().Resource(kind); err != nil && !state.WasServed(kind.GroupKind()) {
			// An object of a kind that does not exist is never there, so the expectation would mean nothing.
			l.fail(at+".kind", name, fmt.Sprintf("the cluster knows no kind %s of %s", kind.Kind, kind.GroupVersion()),
				diag.DidYouMean(kind.Kind, state.Cluster().KindNames()))
			continue
		}
		if is, found, _ := state.Get(kind, expected.Namespace, expected.Name); found {
			l.fail(at, name, manifest.Reference(object)+" is there", "", yamlLines(evaluate.WithoutServerFields(is.Unstructured).Object)...)
		}
	}
}

func (l *look) counts() {
	for i, expected := range l.expected.Counts {
		at := fmt.Sprintf(".counts[%d]", i)
		name, state := l.state(at, expected.Cluster)
		if state == nil {
			continue
		}
		kinds, ok := l.kinds(at+".kind", name, state, expected.Kind)
		if !ok {
			continue
		}
		selector := labels.Everything()
		if expected.Labels != nil {
			// It was checked when the test was read.
			selector, _ = metav1.LabelSelectorAsSelector(expected.Labels)
		}
		var is []*unstructured.Unstructured
		for _, kind := range kinds {
			is = append(is, list(state, kind, expected.Namespace, selector)...)
		}
		if len(is) == *expected.Is {
			continue
		}
		var names []string
		for _, object := range is {
			names = append(names, manifest.Reference(object))
		}
		const shown = 10
		if len(names) > shown {
			names = append(names[:shown], fmt.Sprintf("and %d more", len(is)-shown))
		}
		l.updatable(at+".is", int64(len(is)), func() {
			l.fail(at+".is", name, fmt.Sprintf("%d of kind %s, want %d", len(is), expected.Kind, *expected.Is), "", names...)
		})
	}
}
