package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiagnose compares the findings about each directory in testdata/diagnose, or its overlay, with findings.txt. With
// "enable-exec" in its name kustomize is known to have that flag.
func TestDiagnose(t *testing.T) {
	entries, err := os.ReadDir("testdata/diagnose")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			isolate(t)
			directory := filepath.Join("testdata", "diagnose", entry.Name())
			dir := directory
			if overlay := filepath.Join(directory, "overlay"); isDirectory(overlay) {
				dir = overlay
			}
			findings, err := Diagnose(t.Context(), Options{Dir: dir}, strings.Contains(entry.Name(), "enable-exec"))
			if err != nil {
				t.Fatal(err)
			}
			var texts string
			for _, f := range findings {
				texts += string(f.Severity) + ": " + f.String() + "\n"
			}
			compare(t, filepath.Join(directory, "findings.txt"), texts)
		})
	}
}

// TestDiagnoseBuilds checks that what builds without a finding has none here, either.
func TestDiagnoseBuilds(t *testing.T) {
	for name, directory := range buildCases(t) {
		if exists(filepath.Join("testdata", "build", name, "findings.txt")) || strings.HasPrefix(name, "krm-") || name == "everything" || name == "origin" {
			// Some have findings for doctor alone: functions, and a namePrefix.

			continue
		}
		isolate(t)
		if findings, err := Diagnose(t.Context(), Options{Dir: directory}, false); err != nil || len(findings) > 0 {
			t.Errorf("%s: %v %v", name, err, findings)
		}
	}
}
