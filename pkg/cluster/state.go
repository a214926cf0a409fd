package cluster

import (
	"maps"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// State is a cluster that changes. It answers requests as an API server does, see Client, and does the work of the garbage
// collector and of the namespace controller at once. What it does not do: defaults, conversions and most validations of built-in
// kinds, admission, conversion webhooks, managed fields. Objects that requests do not touch are shared with the cluster that it
// started from. It is safe for concurrent use.
type State struct {
	lock sync.Mutex
	view *Cluster
	// owned are the kinds whose table belongs to this state alone, so that it may change in place.
	owned map[schema.GroupKind]bool
	// ownsDiscovery tells the same of what discovery knows.
	ownsDiscovery bool

	// latest is the cluster as it was when someone last asked for it, or at the start.
	latest *Cluster
	// changed tells whether it is any different by now.
	changed bool

	now     func() time.Time
	version int64
	// created counts how often an object was created, so that each has another uid.
	created map[string]int
	owners  ownerIndex
	schemas map[schema.GroupVersionKind]*loadedSchema
	watches map[int]func(Change)
	watched int
	cause   string
	// away are the APIs that were taken away.
	away map[schema.GroupKind]takenAPI
	// withdrawn are the kinds whose CustomResourceDefinition was deleted at some time.
	withdrawn map[schema.GroupKind]bool
}

// NewState gives a state that starts as the cluster, which does not change by it. The clock gives creation times.
func NewState(from *Cluster, clock func() time.Time) *State {
	s := &State{now: clock, created: map[string]int{}, version: highestVersion(from)}
	s.start(from)
	return s
}

func (s *State) start(from *Cluster) {
	s.latest = from
	s.view = &Cluster{discovery: from.discovery, tables: maps.Clone(from.tables)}
	s.view.definitions = sync.OnceValue(s.view.allDefinitions)
	s.owned, s.ownsDiscovery, s.owners, s.schemas = map[schema.GroupKind]bool{}, false, nil, map[schema.GroupVersionKind]*loadedSchema{}
}

// highestVersion gives the highest resource version of the fixtures, so that later ones are new.
func highestVersion(c *Cluster) int64 {
	highest := int64(0)
	for _, t := range c.tables {
		for _, e := range t.entries {
			if version, err := strconv.ParseInt(e.object.GetResourceVersion(), 10, 64); err == nil {
				highest = max(highest, version)
			}
		}
	}
	return highest
}

// Cluster gives the cluster as it is now: the same one as the last time, or as at the start, if nothing has changed. It takes no
// copy: what changes later is not in it.
func (s *State) Cluster() *Cluster {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.changed {
		return s.latest
	}
	now := &Cluster{discovery: s.view.discovery, tables: maps.Clone(s.view.tables)}
	now.definitions = sync.OnceValue(now.allDefinitions)
	clear(s.owned)
	s.ownsDiscovery = false
	s.latest, s.changed = now, false
	return now
}

// Fork gives a state that goes its own way from here on.
func (s *State) Fork() *State {
	from := s.Cluster()
	s.lock.Lock()
	defer s.lock.Unlock()
	fork := &State{now: s.now, created: maps.Clone(s.created), version: s.version, away: maps.Clone(s.away), withdrawn: maps.Clone(s.withdrawn)}
	fork.start(from)
	return fork
}

// Watch calls a function with each change that a request makes, those of the garbage collector included, until stop is called. The
// function must not use the state.
func (s *State) Watch(notify func(Change)) (stop func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.watched++
	id := s.watched
	if s.watches == nil {
		s.watches = map[int]func(Change){}
	}
	s.watches[id] = notify
	return func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		delete(s.watches, id)
	}
}

// Version is the resource version of the last change: it is the same if nothing was changed.
func (s *State) Version() int64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.version
}

// Put stores an object as it is, whatever a request could do, as fixtures are. It makes the kind known. The object is kept.
func (s *State) Put(object *unstructured.Unstructured) {
	s.lock.Lock()
	defer s.lock.Unlock()
	gvk := object.GroupVersionKind()
	if _, served := s.view.discovery.served(gvk); !served {
		s.changeDiscovery().learn(gvk, object.GetNamespace() != "")
		s.redefine()
	}
	r := s.view.discovery.kinds[gvk.GroupKind()]
	s.version++
	object.SetResourceVersion(strconv.FormatInt(s.version, 10))
	s.store(r, newEntry(manifest.Object{Unstructured: object}, r.key(object.GetNamespace(), object.GetName())))
}

// Remove takes an object away that Put stored. Nothing else goes with it.
func (s *State) Remove(gvk schema.GroupVersionKind, namespace, name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r, served := s.view.discovery.served(gvk)
	if !served {
		return
	}
	if t := s.view.tables[r.GroupKind]; t != nil && t.byKey[r.key(namespace, name)] != nil {
		s.version++
		s.drop(r, r.key(namespace, name))
	}
}

// Get is Cluster.Get on what is there now.
func (s *State) Get(gvk schema.GroupVersionKind, namespace, name string) (manifest.Object, bool, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.view.Get(gvk, namespace, name)
}

// List is Cluster.List on what is there now.
func (s *State) List(gvk schema.GroupVersionKind, namespace string, selector labels.Selector) ([]manifest.Object, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.view.List(gvk, namespace, selector)
}

// key is the place of an object in the table of its kind.
func (r *resource) key(namespace, name string) string {
	if r.namespaced {
		return namespace + "/" + name
	}
	return name
}

// own gives the table of a kind, to change.
func (s *State) own(r *resource) *table {
	s.changed = true
	t := s.view.tables[r.GroupKind]
	switch {
	case t == nil:
		t = newTable(r.namespaced, map[string]*entry{})
	case !s.owned[r.GroupKind]:
		t = t.clone()
	default:
		return t
	}
	s.view.tables[r.GroupKind], s.owned[r.GroupKind] = t, true
	return t
}

// store puts an entry in the place of the one with its key.
func (s *State) store(r *resource, e *entry) {
	t := s.own(r)
	before := t.byKey[e.key]
	t.put(e)
	s.owners.replace(ownedBy{r.GroupKind, e.key}, before, e)
	if r.GroupKind == crdKind.GroupKind() {
		s.redefine()
	}
	s.notify(r, before, e)
}

// drop takes an entry away.
func (s *State) drop(r *resource, key string) {
	t := s.own(r)
	before := t.byKey[key]
	t.remove(key)
	s.owners.replace(ownedBy{r.GroupKind, key}, before, nil)
	if r.GroupKind == crdKind.GroupKind() {
		s.redefine()
	}
	s.notify(r, before, nil)
}

// nextVersion gives the resource version of a change.
func (s *State) nextVersion() string {
	s.version++
	return strconv.FormatInt(s.version, 10)
}

// newUID gives an object that is created a uid: always the same for the same history.
func (s *State) newUID(r *resource, key string) types.UID {
	id := r.GroupKind.String() + "/" + key
	s.created[id]++
	return uidOf(id, s.created[id])
}
