package evaluate

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/cluster"
)

// Verb is what happens to an object.
type Verb string

const (
	Created   Verb = "created"
	Updated   Verb = "updated"
	Recreated Verb = "recreated"
	Deleted   Verb = "deleted"
)

// Change is what a template did to an object, or would do.
type Change struct {
	Verb Verb `json:"verb"`
	// Would tells that the template only informs: nothing was done.
	Would      bool   `json:"would,omitempty"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	// Cause says what else took the object away: an owner or a namespace that is gone.
	Cause string `json:"cause,omitempty"`
	// Fields are those that differ, for an object that was there before and after.
	Fields []FieldChange `json:"fields,omitempty"`
	// Before and After are nil where there was, or is, no object. They are shared: do not change them.
	Before *unstructured.Unstructured `json:"-"`
	After  *unstructured.Unstructured `json:"-"`
	// Object is the object after the change, without what only an API server sets.
	Object *unstructured.Unstructured `json:"object,omitempty"`
}

// changes joins what happens to each object, in the order of the first time.
type changes struct {
	order []changedObject
	of    map[changedObject]*Change
	// touched counts the changes of each object, those that are undone included.
	touched map[changedObject]int
}

type changedObject struct {
	kind            schema.GroupVersionKind
	namespace, name string
}

func (c *changes) add(change cluster.Change) {
	if c.of == nil {
		c.of, c.touched = map[changedObject]*Change{}, map[changedObject]int{}
	}
	at := changedObject{change.GroupVersionKind, change.Namespace, change.Name}
	c.touched[at]++
	known := c.of[at]
	if known == nil {
		c.order = append(c.order, at)
		c.of[at] = &Change{
			APIVersion: change.GroupVersion().String(), Kind: change.Kind, Namespace: change.Namespace, Name: change.Name,
			Cause: change.Cause, Before: change.Before, After: change.After,
		}
		return
	}
	known.After, known.Cause = change.After, change.Cause
}

// list gives the changes that are left when all is done, by kind, namespace and name.
func (c *changes) list(would bool) []Change {
	var list []Change
	for _, at := range c.order {
		change := *c.of[at]
		change.Would = would
		switch {
		case change.Before == nil && change.After == nil:
			continue
		case change.Before == nil:
			change.Verb = Created
		case change.After == nil:
			change.Verb = Deleted
		default:
			change.Verb = Updated
			if change.Before.GetUID() != change.After.GetUID() {
				change.Verb = Recreated
			}
			change.Fields = FieldChanges(change.Before, change.After)
			if len(change.Fields) == 0 && change.Verb == Updated {
				continue
			}
		}
		change.Object = WithoutServerFields(change.After)
		list = append(list, change)
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Joined makes one change of those that are about the same object, which follow each other in time, in the order of the first ones. What
// was changed back is left out.
func Joined(list []Change) []Change {
	type subject struct {
		changedObject
		would bool
	}
	seen := map[subject]Change{}
	var order []subject
	for _, change := range list {
		at := changedObject{schema.FromAPIVersionAndKind(change.APIVersion, change.Kind), change.Namespace, change.Name}
		key := subject{at, change.Would}
		if known, found := seen[key]; found {
			known.After, known.Cause = change.After, change.Cause
			seen[key] = known
			continue
		}
		seen[key] = change
		order = append(order, key)
	}
	var result []Change
	for _, key := range order {
		change := seen[key]
		c := changes{order: []changedObject{key.changedObject}, of: map[changedObject]*Change{key.changedObject: &change}}
		result = append(result, c.list(key.would)...)
	}
	return result
}
