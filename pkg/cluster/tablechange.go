package cluster

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// clone gives a table with the same entries that may change.
func (t *table) clone() *table {
	c := &table{namespaced: t.namespaced, byKey: maps.Clone(t.byKey), entries: slices.Clone(t.entries)}
	if c.byKey == nil {
		c.byKey = map[string]*entry{}
	}
	c.changed()
	return c
}

// put adds an entry or replaces the one with its key.
func (t *table) put(e *entry) {
	position, found := t.position(e.key)
	if found {
		t.entries[position] = e
	} else {
		t.entries = slices.Insert(t.entries, position, e)
	}
	t.byKey[e.key] = e
	t.changed()
}

// remove takes the entry with a key away.
func (t *table) remove(key string) {
	if position, found := t.position(key); found {
		t.entries = slices.Delete(t.entries, position, position+1)
		delete(t.byKey, key)
		t.changed()
	}
}

func (t *table) position(key string) (int, bool) {
	return slices.BinarySearchFunc(t.entries, key, func(e *entry, key string) int { return cmp.Compare(e.key, key) })
}

// changed drops the indexes, which are built again when they are needed.
func (t *table) changed() {
	t.labels = map[string]*labelIndex{}
	t.firstByName = sync.OnceValue(t.indexNames)
}
