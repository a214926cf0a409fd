package acm_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"

	"github.com/policyloom/policyloom/pkg/acm"
)

// The list was written by the engine itself: see test/engines.
func TestFunctionsAreThoseOfTheEngines(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../testdata/engines/functions/v6.txt")
	if err != nil {
		t.Fatal(err)
	}
	engine := append(strings.Fields(string(content)), "atoi", "indent") // of which it has its own
	for _, name := range templates.AvailableSprigFunctions() {
		if has := slices.Contains(engine, name); has != acm.Release("2.12").Has(name) {
			t.Errorf("RHACM 2.12: %s: the engine says %v", name, has)
		}
	}
	for _, name := range templates.AvailableSprigFunctions() {
		if !acm.Release("2.17").Has(name) {
			t.Errorf("%s is not known", name)
		}
	}
}

func TestSince(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]acm.Release{
		"lookup": "2.9", "eq": "2.9", "upper": "2.9", "dict": "2.11", "fail": "2.13", "fromYaml": "2.13", "keys": "2.15", "uniq": "2.16", "env": "", "nosuch": "",
	} {
		release, known := acm.Since(function)
		if release != want || known != (want != "") {
			t.Errorf("%s: %s %v, want %s", function, release, known, want)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	const text = "{{- /* fail */}}{{ $a := dict \"k\" (list 1) }}\n{{ if and $a (eq 1 1) }}{{ range $a }}\n{{ fail .x | upper }}{{ else }}{{ uniq (list) }}{{ end }}{{ end }}\n" +
		"{{ define \"t\" }}{{ trim . }}{{ end }}{{ template \"t\" (lower \"X\") }}{{ (index $a \"x\").keys }}"
	var got []string
	for _, call := range acm.Calls(text, "{{", "}}") {
		got = append(got, call.Function)
		if call.Function == "fail" && call.Line != 3 {
			t.Errorf("fail is in line %d", call.Line)
		}
	}
	slices.Sort(got)
	if want := []string{"and", "dict", "eq", "fail", "index", "list", "lower", "trim", "uniq", "upper"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if calls := acm.Calls("{{ if }}", "{{", "}}"); calls != nil {
		t.Error(calls)
	}
}
