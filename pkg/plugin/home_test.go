package plugin

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestUserHome(t *testing.T) {
	home := isolate(t)
	if got := UserHome(); got != "" {
		t.Errorf("without any there is %s", got)
	}
	if got := FindPolicyGenerator(); got != "" {
		t.Errorf("without any there is a PolicyGenerator %s", got)
	}
	want := filepath.Join(home, ".config", "kustomize", "plugin")
	write(t, filepath.Join(want, "x"), "")
	if got := UserHome(); got != want {
		t.Errorf("the plugin home is %s", got)
	}
	// A place that does not exist is passed over, as kustomize does.
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "nope"))
	if got := UserHome(); got != want {
		t.Errorf("the plugin home is %s", got)
	}
}

func TestOverlay(t *testing.T) {
	source, target := t.TempDir(), t.TempDir()
	write(t, filepath.Join(source, "both", "file"), "source")
	write(t, filepath.Join(source, "both", "other"), "source")
	write(t, filepath.Join(source, "directory", "file"), "source")
	write(t, filepath.Join(source, "a-file-there"), "source")
	write(t, filepath.Join(source, "a-directory-there"), "source")
	write(t, filepath.Join(target, "both", "file"), "target")
	write(t, filepath.Join(target, "a-file-there"), "target")
	write(t, filepath.Join(target, "a-directory-there", "file"), "target")
	if err := os.Symlink(filepath.Join(source, "nope"), filepath.Join(source, "dangling")); err != nil {
		t.Fatal(err)
	}
	if err := overlay(source, target); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"both/file": "target", "both/other": "source", "directory/file": "source",
		"a-file-there": "target", "a-directory-there/file": "target",
	} {
		if got, err := os.ReadFile(filepath.Join(target, file)); err != nil || string(got) != want {
			t.Errorf("%s comes from %q: %v", file, got, err)
		}
	}
}

func TestCopyFile(t *testing.T) {
	directory := t.TempDir()
	source, target := filepath.Join(directory, "source"), filepath.Join(directory, "target")
	write(t, source, "text")
	if err := copyFile(source, target, 0o755); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(target); err != nil || string(data) != "text" || !isExecutable(target) {
		t.Errorf("the copy is %q: %v", data, err)
	}
	if err := copyFile(source, target, 0o755); err == nil {
		t.Error("an existing file is overwritten")
	}
}

func TestBuildsWaitForEachOther(t *testing.T) {
	isolate(t)
	want, err := os.ReadFile("testdata/build/single/expected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			output, findings, err := Build(t.Context(), Options{Dir: "testdata/build/single"})
			if err != nil || len(findings) > 0 || string(output) != string(want) {
				t.Errorf("%v %v\n%s", err, findings, output)
			}
		})
	}
	group.Wait()
}
