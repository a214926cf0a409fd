package cluster

import "slices"

// labelIndex gives the positions of the entries that carry one label, in order.
type labelIndex struct {
	all    []int
	values map[string][]int
}

// label gives the index of a label key, and builds it when it is asked for the first time.
func (t *table) label(key string) *labelIndex {
	t.lock.Lock()
	defer t.lock.Unlock()
	if index := t.labels[key]; index != nil {
		return index
	}
	index := &labelIndex{values: map[string][]int{}}
	for position, e := range t.entries {
		if value, found := e.labels[key]; found {
			index.all = append(index.all, position)
			index.values[value] = append(index.values[value], position)
		}
	}
	t.labels[key] = index
	return index
}

// count tells how many entries have one of the values; nil stands for any value.
func (x *labelIndex) count(values []string) int {
	if values == nil {
		return len(x.all)
	}
	total := 0
	for _, value := range values {
		total += len(x.values[value])
	}
	return total
}

// positions gives the entries that have one of the values; nil stands for any value.
func (x *labelIndex) positions(values []string) []int {
	switch {
	case values == nil:
		return x.all
	case len(values) == 1:
		return x.values[values[0]]
	}
	var merged []int
	for _, value := range values {
		merged = append(merged, x.values[value]...)
	}
	slices.Sort(merged)
	return slices.Compact(merged)
}
