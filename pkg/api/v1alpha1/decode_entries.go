package v1alpha1

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/diag"
)

// entry is a key of a map and its value.
type entry struct{ key, value *yaml.Node }

// entries lists what a map holds, its merge keys (<<) resolved. Of two equal keys, the first counts. The path of an entry
// is what join makes of that of the map and the key.
func (d *decoder) entries(node *yaml.Node, path string, join func(path, key string) string) []entry {
	if !d.spend(len(node.Content)/2, node, path) {
		return nil
	}
	var entries []entry
	var merged []*yaml.Node
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch previous := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.add(d.position(key), path, "a key must be a text, got "+describe(key), "")
		case key.ShortTag() == "!!merge":
			merged = append(merged, value)
		case previous != nil:
			d.add(d.position(key), join(path, key.Value), fmt.Sprintf("the key %q is given twice", key.Value), d.firstSeen(previous))
		default:
			first[key.Value] = key
			entries = append(entries, entry{key, value})
		}
	}
	for _, node := range merged {
		for _, e := range d.mergedEntries(node, path, join) {
			if first[e.key.Value] == nil {
				first[e.key.Value] = e.key
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// mergedEntries lists what a merge key adds: the entries of a map, or those of each map of a list.
func (d *decoder) mergedEntries(node *yaml.Node, path string, join func(path, key string) string) []entry {
	resolved := d.follow(node, path)
	switch {
	case resolved == nil:
		return nil
	case resolved.Kind == yaml.MappingNode:
		return d.entries(resolved, path, join)
	case resolved.Kind == yaml.SequenceNode:
		var entries []entry
		for _, item := range resolved.Content {
			entries = append(entries, d.mergedEntries(item, path, join)...)
		}
		return entries
	}
	d.fault(node, path, "the merge key << takes a map, got "+describe(resolved), "")
	return nil
}

func (d *decoder) firstSeen(key *yaml.Node) string {
	if !d.lines {
		return "remove one of the two"
	}
	return fmt.Sprintf("the first is in line %d", key.Line)
}

// unknownField reports a key that is no field of the type t, and says what could have been meant.
func (d *decoder) unknownField(e entry, t reflect.Type, path string) {
	name, names := e.key.Value, fieldNames(t)
	if refused, known := refusalOf(childField(path, name)); known {
		d.add(d.position(e.key), childField(path, name), refused.message, refused.hint)
		return
	}
	meant := diag.Suggest(name, names)
	hint := diag.DidYouMean(name, names)
	isTypo := meant != "" && isOneEdit(strings.ToLower(name), strings.ToLower(meant))
	if elsewhere := belongsUnder(name); elsewhere != "" && !isTypo {
		meant, hint = "", name+" belongs "+elsewhere
	}
	if hint == "" && slices.Contains(names, "matchLabels") && e.value.Kind == yaml.ScalarNode {
		meant, hint = "matchLabels", "labels belong under matchLabels"
	}
	if hint == "" {
		hint = "known are " + strings.Join(names, ", ")
	}
	if meant != "" {
		// What was meant is not missing.
		d.source.faulty[childField(path, meant)] = true
	}
	d.add(d.position(e.key), childField(path, name), fmt.Sprintf("unknown field %q", name), hint)
}

// isOneEdit tells whether one insertion, deletion or replacement of a byte, or none, makes the one word the other.
func isOneEdit(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	return a == b || a != "" && a[1:] == b || b != "" && a == b[1:] || a != "" && b != "" && a[1:] == b[1:]
}

// belongsUnder says where a field of that name is, or "" if nowhere.
func belongsUnder(name string) string {
	var places, inLists []string
	for _, path := range fieldsNamed(name, reflect.TypeFor[VirtualMachineDNS](), "") {
		switch {
		case path == "":
			places = append(places, "at the top level")
		case strings.Contains(path, "[]"):
			inLists = append(inLists, "under "+path)
		default:
			places = append(places, "under "+path)
		}
	}
	if len(places) == 0 {
		places = inLists
	}
	return strings.Join(places, " or ")
}
