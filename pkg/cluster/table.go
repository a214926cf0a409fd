package cluster

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// table holds the objects of one kind. It does not change after newTable; indexes are built when first needed.
type table struct {
	namespaced bool
	byKey      map[string]*entry
	// entries are sorted by key, so the objects of a namespace are neighbours.
	entries []*entry
	// firstByName gives the first entry with a name, whatever its namespace.
	firstByName func() map[string]*entry

	lock   sync.Mutex
	labels map[string]*labelIndex
}

func newTable(namespaced bool, entries map[string]*entry) *table {
	t := &table{
		namespaced: namespaced,
		byKey:      entries,
		entries:    slices.SortedFunc(maps.Values(entries), func(a, b *entry) int { return cmp.Compare(a.key, b.key) }),
		labels:     map[string]*labelIndex{},
	}
	t.firstByName = sync.OnceValue(t.indexNames)
	return t
}

func (t *table) indexNames() map[string]*entry {
	names := make(map[string]*entry, len(t.entries))
	for _, e := range t.entries {
		if name := e.object.GetName(); names[name] == nil {
			names[name] = e
		}
	}
	return names
}

// get gives the entry with the namespace and the name, or nil. Without a namespace it is the first one with the name.
func (t *table) get(namespace, name string) *entry {
	switch {
	case !t.namespaced:
		return t.byKey[name]
	case namespace == "":
		return t.firstByName()[name]
	case strings.Contains(namespace, "/"):
		return nil
	}
	return t.byKey[namespace+"/"+name]
}

// list gives the entries in the namespace, or in all of them if it is empty, that the selector matches. Nil matches all.
func (t *table) list(namespace string, selector labels.Selector) []*entry {
	low, high := t.span(namespace)
	if selector == nil || selector.Empty() {
		return t.entries[low:high]
	}
	requirements, selectable := selector.Requirements()
	if !selectable {
		return nil
	}
	var matching []*entry
	if candidates, indexed := t.candidates(requirements); indexed {
		from, _ := slices.BinarySearch(candidates, low)
		to, _ := slices.BinarySearch(candidates, high)
		for _, position := range candidates[from:to] {
			if e := t.entries[position]; selector.Matches(e.labels) {
				matching = append(matching, e)
			}
		}
		return matching
	}
	for _, e := range t.entries[low:high] {
		if selector.Matches(e.labels) {
			matching = append(matching, e)
		}
	}
	return matching
}

// span gives the half-open range of positions that a namespace takes.
func (t *table) span(namespace string) (low, high int) {
	if !t.namespaced || namespace == "" {
		return 0, len(t.entries)
	}
	if strings.Contains(namespace, "/") {
		return 0, 0
	}
	prefix := namespace + "/"
	low = sort.Search(len(t.entries), func(i int) bool { return t.entries[i].key >= prefix })
	high = low + sort.Search(len(t.entries)-low, func(i int) bool { return !strings.HasPrefix(t.entries[low+i].key, prefix) })
	return low, high
}

// candidates gives the positions, in order, of the fewest entries that one of the requirements leaves. It gives false where no
// requirement asks for a label that must be there.
func (t *table) candidates(requirements labels.Requirements) ([]int, bool) {
	var best *labelIndex
	var bestValues []string
	fewest := -1
	for _, requirement := range requirements {
		var values []string
		switch requirement.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			values = requirement.ValuesUnsorted()
		case selection.Exists, selection.GreaterThan, selection.LessThan:
		default:
			continue
		}
		index := t.label(requirement.Key())
		if count := index.count(values); fewest < 0 || count < fewest {
			best, bestValues, fewest = index, values, count
		}
	}
	if best == nil {
		return nil, false
	}
	return best.positions(bestValues), true
}
