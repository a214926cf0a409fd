package v1alpha1

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyloom/policyloom/pkg/diag"
)

var update = flag.Bool("update", false, "write the expected files anew")

// TestCases decodes and validates testdata/<case>/input.yaml and expects the findings in errors.txt.
func TestCases(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, input := range inputs {
		directory := filepath.Dir(input)
		t.Run(filepath.Base(directory), func(t *testing.T) {
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(directory, "errors.txt"), list(check(t, data)))
		})
	}
}

// check gives all findings on a file. Those of Validate must be the same before and after Default.
func check(t *testing.T, data []byte) diag.Findings {
	t.Helper()
	resources, findings := Decode("input.yaml", data)
	for _, resource := range resources {
		before := resource.Validate()
		resource.Default()
		after := resource.Validate()
		if difference := cmp.Diff(list(before), list(after)); difference != "" {
			t.Errorf("Default changes what Validate finds (-before +after):\n%s", difference)
		}
		findings = append(findings, after...)
	}
	findings.Sort()
	return findings
}

func list(findings diag.Findings) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(string(f.Severity) + " " + f.String() + "\n")
	}
	return b.String()
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(string(want), got); difference != "" {
		t.Errorf("%s (-want +got, -update writes it):\n%s", path, difference)
	}
}

func TestTwentyFaultsAtOnce(t *testing.T) {
	data, err := os.ReadFile("testdata/twenty-faults/input.yaml")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for _, f := range check(t, data) {
		if f.Severity != diag.Error || f.Line == 0 || f.Column == 0 || f.Field == "" || f.File != "input.yaml" {
			t.Errorf("want an error with its place and field, got %+v", f)
		}
		fields[f.Field] = true
	}
	if len(fields) < 20 {
		t.Errorf("want findings on 20 fields, got %d", len(fields))
	}
}

func TestDecodeWithoutLines(t *testing.T) {
	for _, input := range []string{"unknown-field-typo", "duplicate-key", "syntax-error", "ttl-zero"} {
		data, err := os.ReadFile(filepath.Join("testdata", input, "input.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		resources, findings := DecodeWithoutLines("dns.yaml", data)
		for _, resource := range resources {
			findings = append(findings, resource.Validate()...)
		}
		if len(findings) == 0 {
			t.Errorf("%s: no findings", input)
		}
		for _, f := range findings {
			if want := (diag.Position{File: "dns.yaml"}); f.Position != want || strings.Contains(f.Hint, "line") {
				t.Errorf("%s: want no line, got %s", input, f)
			}
		}
	}
}

func TestPosition(t *testing.T) {
	resources, findings := Decode("f.yaml", []byte("apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\n"+
		"metadata: {name: vm-dns}\nspec:\n  names:\n    allowedDomains:\n    - a.example.com\n    - domain: b.example.com\n  records: {ttl: 5}\n"))
	if len(findings) > 0 || len(resources) != 1 {
		t.Fatal(findings)
	}
	for field, want := range map[string]string{
		"spec.records.ttl":                            "f.yaml:9:18",
		"spec.records.types[3]":                       "f.yaml:9:12",
		"spec.names":                                  "f.yaml:5:3",
		"spec.names.allowedDomains":                   "f.yaml:6:5",
		"spec.names.allowedDomains[0].domain":         "f.yaml:7:7",
		"spec.names.allowedDomains[1].domain":         "f.yaml:8:15",
		"spec.endpoint.labels[example.com/team.name]": "f.yaml:4:1",
		"status": "f.yaml:1:1",
		"]":      "f.yaml:1:1",
	} {
		if got := resources[0].Position(field).String(); got != want {
			t.Errorf("%s: want %s, got %s", field, want, got)
		}
	}
	if got := (&VirtualMachineDNS{}).Position("spec.records.ttl"); got != (diag.Position{}) {
		t.Errorf("a resource without a file has the place %v", got)
	}
}

func TestDecodeKeepsPlacesOfFaultyItems(t *testing.T) {
	resources, _ := Decode("f.yaml", []byte("apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\n"+
		"metadata: {name: vm-dns}\nspec: {policy: {namespace: p}, records: {types: [4, AA]}}\n"))
	findings := resources[0].Validate()
	if len(findings) != 1 || findings[0].Field != "spec.records.types[1]" {
		t.Errorf("want one finding on the second item, got:\n%s", list(findings))
	}
	if want := []RecordType{"", "AA"}; !reflect.DeepEqual(resources[0].Spec.Records.Types, want) {
		t.Errorf("want %q, got %q", want, resources[0].Spec.Records.Types)
	}
}
