package cluster

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
)

var mutationCases = []struct {
	name, template string
	want           bool
}{
	{"no function", `{{ range (lookup "v1" "Pod" "" "").items }}{{ .metadata.name }}{{ end }}`, false},
	{"text that looks like a call", `set unset merge {{ "set $x" }}`, false},
	{"functions that copy", `{{ $x := append (lookup "v1" "Pod" "" "").items 1 | uniq | reverse | toRawJson }}`, false},
	{"set in a dict", `{{ $n := dict }}{{ range (lookup "v1" "Pod" "" "").items }}{{ $_ := set $n .metadata.name . }}{{ end }}`, false},
	{"set with a value from a pipe", `{{ $n := dict "a" 1 }}{{ $_ := now | set $n "b" }}`, false},
	{"result assigned back", `{{ $n := dict }}{{ $n = set $n "a" 1 }}{{ $n = unset $n "a" }}`, false},
	{"declared by set", `{{ $n := set (dict) "a" 1 }}{{ $_ := set $n "b" 2 }}`, false},
	{"alias of a dict", `{{ $a := dict }}{{ $b := $a }}{{ $_ := set $b "x" 1 }}`, false},
	{"copy", `{{ $a := deepCopy (lookup "v1" "Pod" "" "") }}{{ $_ := set $a "x" 1 }}`, false},
	{"piped copy", `{{ $a := lookup "v1" "Pod" "" "" | deepCopy }}{{ $_ := set $a "x" 1 }}`, false},
	{"omit", `{{ $_ := set (omit .a "b") "x" 1 }}`, false},
	{"parsed text", `{{ $a := "{}" | fromJson }}{{ $_ := set $a "x" 1 }}`, false},
	{"inline dict", `{{ set (dict) "x" 1 }}{{ set dict "x" 1 }}{{ set ((dict "a" 1)) "x" 1 }}`, false},
	{"with a dict", `{{ with $x := dict "a" 1 }}{{ set $x "b" 2 }}{{ end }}`, false},
	{"in a definition", `{{ define "t" }}{{ $n := dict }}{{ set $n "a" . }}{{ end }}{{ template "t" 1 }}`, false},

	{"set in a look-up", `{{ $_ := set (lookup "v1" "Pod" "a" "b") "x" 1 }}`, true},
	{"set in dot", `{{ range .items }}{{ $_ := set . "x" 1 }}{{ end }}`, true},
	{"set in the root", `{{ set $ "x" 1 }}`, true},
	{"assigned root", `{{ $ = dict }}{{ set $ "x" 1 }}`, true},
	{"set in a field", `{{ $_ := set .metadata "x" 1 }}`, true},
	{"set in a variable's field", `{{ $n := dict }}{{ $_ := set $n.a "x" 1 }}`, true},
	{"set in a looked-up variable", `{{ $o := lookup "v1" "Pod" "a" "b" }}{{ $_ := set $o "x" 1 }}`, true},
	{"dict or look-up", `{{ $o := dict }}{{ if .a }}{{ $o = lookup "v1" "Pod" "a" "b" }}{{ end }}{{ $_ := set $o "x" 1 }}`, true},
	{"assigned later, through an alias", `{{ $a := dict }}{{ $b := dict }}{{ set $b "x" 1 }}{{ $b = $a }}{{ $a = .x }}`, true},
	{"same name elsewhere", `{{ with $x := dict }}{{ set $x "a" 1 }}{{ end }}{{ with $x := .b }}{{ . }}{{ end }}`, true},
	{"range variable", `{{ range $k, $v := dict "a" .b }}{{ set $v "x" 1 }}{{ end }}`, true},
	{"range assigns", `{{ $v := dict }}{{ range $k, $v = .items }}{{ set $v "x" 1 }}{{ end }}`, true},
	{"range with one variable", `{{ range $v := .items }}{{ unset $v "x" }}{{ end }}`, true},
	{"nested in a dict", `{{ $n := dict "a" .b }}{{ $_ := set (get $n "a") "x" 1 }}`, true},
	{"default", `{{ $n := default (dict) .a }}{{ $_ := set $n "x" 1 }}`, true},
	{"ternary", `{{ set (ternary (dict) .a true) "x" 1 }}`, true},
	{"unset in a look-up", `{{ unset .metadata "labels" }}`, true},
	{"map from a pipe", `{{ .metadata | set }}`, true},
	{"merge", `{{ $n := dict }}{{ merge $n .a .b }}`, true},
	{"mergeOverwrite in an argument", `{{ toRawJson (mergeOverwrite .a .b) }}`, true},
	{"mustMerge in a pipe", `{{ .a | mustMerge (dict) }}`, true},
	{"mustMergeOverwrite in a condition", `{{ if mustMergeOverwrite .a .b }}{{ end }}`, true},
	{"function without arguments", `{{ print set }}`, true},
	{"in else", `{{ if .a }}{{ else if .b }}{{ else }}{{ set .c "x" 1 }}{{ end }}`, true},
	{"in with", `{{ with (set .a "x" 1) }}{{ end }}`, true},
	{"in range", `{{ range (set .a "x" 1) }}{{ else }}{{ end }}`, true},
	{"in a template call", `{{ define "t" }}{{ end }}{{ template "t" (set .a "x" 1) }}`, true},
	{"in a definition's dot", `{{ define "t" }}{{ set . "x" 1 }}{{ end }}{{ template "t" .a }}`, true},
	{"in a block", `{{ block "t" .a }}{{ set . "x" 1 }}{{ end }}`, true},
	{"in a chain", `{{ (set .a "x" 1).b }}`, true},
	{"inside the value", `{{ $n := dict }}{{ set $n "a" (set .b "x" 1) }}`, true},
	{"inside the target", `{{ set (dict "a" (unset .b "x")) "c" 1 }}`, true},
	{"syntax error", `{{ range }}`, true},
	{"unknown variable", `{{ set $n "a" 1 }}`, true},
	{"encrypted text", `{{ .a }} $ocm_encrypted:abc`, true},
}

func TestMutatesLookups(t *testing.T) {
	for _, test := range mutationCases {
		if got := MutatesLookups(test.template, "", ""); got != test.want {
			t.Errorf("%s: got %v for %s", test.name, got, test.template)
		}
	}
}

func TestMutatesLookupsWithDelimiters(t *testing.T) {
	const text = `{{ set .a "x" 1 }} {{hub lookup "v1" "Pod" "" "" hub}}`
	if MutatesLookups(text, "{{hub", "hub}}") {
		t.Error("a managed cluster's action counts for the hub")
	}
	if !MutatesLookups(`{{hub set .a "x" 1 hub}}`, "{{hub", "hub}}") {
		t.Error("the hub's own action does not count")
	}
}

// FuzzMutatesLookups renders templates that are said to change nothing over shared objects, and looks for changes.
func FuzzMutatesLookups(f *testing.F) {
	for _, test := range mutationCases {
		f.Add(test.template)
	}
	for _, test := range conformanceCases {
		f.Add(test.template)
	}
	f.Add(`{{ $d := pick (lookup "v1" "ConfigMap" "shop" "settings") "data" }}{{ $_ := set $d "data" 1 }}`)
	c, untouched := clusterOf(f, sampleText(f)), contentOf(clusterOf(f, sampleText(f)))
	shared := watchingEngine(f, c.Watcher(SharedObjects()))
	allowed := []string{
		"append", "concat", "deepCopy", "default", "dict", "first", "fromJson", "get", "hasKey", "list", "merge", "omit", "pick", "set", "slice",
		"ternary", "toRawJson", "unset", "values", "without",
	}
	denied := slices.DeleteFunc(templates.AvailableSprigFunctions(), func(name string) bool { return slices.Contains(allowed, name) })
	f.Fuzz(func(t *testing.T, text string) {
		if MutatesLookups(text, "", "") {
			return
		}
		shared.resolve(text, templates.ResolveOptions{DenylistFunctions: slices.Clone(denied)})
		if !reflect.DeepEqual(contentOf(c), untouched) {
			t.Errorf("the cluster was changed by %s", text)
		}
	})
}
