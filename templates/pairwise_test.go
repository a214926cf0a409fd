package templates_test

import (
	"maps"
	"slices"
)

// setting is a value of a field of a spec, named by its keys with slashes between them.
type setting struct {
	path  string
	value any
}

// alternatives are settings of which a spec has one. The first of each is the default.
var alternatives = [][]setting{
	{{"endpoint/per", "Interface"}, {"endpoint/per", "VirtualMachine"}, {"endpoint/per", "Namespace"}},
	{{"records/whenNoAddress", "Remove"}, {"records/whenNoAddress", "Keep"}},
	{{"policy/shards", 1}, {"policy/shards", 3}},
	{{"report", false}, {"report", true}},
	{
		{"names/convention", ""},
		{"names/convention", "{vm}.{namespace}.example.com, {vm}.example.org"},
		{"names/convention", "{vm}-{interface}.example.com"},
	},
	{{"names/allowedDomains", []any{}}, {"names/allowedDomains", []any{"example.org", map[string]any{"domain": "example.com", "namespaces": []any{"sh*", "vm-*"}}}}},
	{{"names/allowWildcards", false}, {"names/allowWildcards", true}},
	{{"names/matchInterfaceBy", []any{"name", "interfaceName"}}, {"names/matchInterfaceBy", []any{"interfaceName"}}},
	{{"records/types", []any{"A", "AAAA"}}, {"records/types", []any{"AAAA"}}},
	{{"records/addresses", map[string]any{}}, {"records/addresses", map[string]any{"include": []any{"192.0.0.0/3", "2000::/3"}, "exclude": []any{"192.0.2.6/32"}}}},
	{{"records/skipLinkDown", false}, {"records/skipLinkDown", true}},
	{{"source/namespaces", map[string]any{}}, {"source/namespaces", map[string]any{"include": []any{"sh?p", "vm*"}, "exclude": []any{"x"}}}},
	{{"source/interfaces", map[string]any{}}, {"source/interfaces", map[string]any{"include": []any{"*"}, "exclude": []any{"default", "eth*"}}}},
	{{"endpoint/labels", map[string]any{}}, {"endpoint/labels", map[string]any{"a": "b"}}},
}

// pairwise gives specs in which any two settings of different alternatives come together at least once, the one of defaults first.
func pairwise() []map[string]any {
	type pair struct{ a, i, b, j int }
	left := map[pair]bool{}
	for a := range alternatives {
		for b := a + 1; b < len(alternatives); b++ {
			for i := range alternatives[a] {
				for j := range alternatives[b] {
					left[pair{a, i, b, j}] = true
				}
			}
		}
	}
	of := func(a, i, b, j int) pair {
		if a > b {
			a, i, b, j = b, j, a, i
		}
		return pair{a, i, b, j}
	}
	var specs []map[string]any
	for row := make([]int, len(alternatives)); ; {
		for a := range row {
			for b := a + 1; b < len(row); b++ {
				delete(left, pair{a, row[a], b, row[b]})
			}
		}
		spec := map[string]any{}
		for a, i := range row {
			with(spec, alternatives[a][i].path, alternatives[a][i].value)
		}
		specs = append(specs, spec)
		if len(left) == 0 {
			return specs
		}
		// A pair that is left, and for each of the others what meets most of the pairs that are left.
		first := slices.MinFunc(slices.Collect(maps.Keys(left)), func(x, y pair) int {
			return slices.Compare([]int{x.a, x.i, x.b, x.j}, []int{y.a, y.i, y.b, y.j})
		})
		chosen := map[int]int{first.a: first.i, first.b: first.j}
		for a := range row {
			if i, isChosen := chosen[a]; isChosen {
				row[a] = i
				continue
			}
			best := -1
			for i := range alternatives[a] {
				meets := 0
				for b, j := range chosen {
					if left[of(a, i, b, j)] {
						meets++
					}
				}
				if meets > best {
					best, row[a] = meets, i
				}
			}
			chosen[a] = row[a]
		}
	}
}
