package plugin

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestInstall(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new", "plugin")
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(home, "policyloom.dev", "v1alpha1", "virtualmachinedns", "VirtualMachineDNS")
	for range 2 { // the second time replaces the first
		path, err := Install(home, executable)
		if err != nil || path != want || path != Path(home) {
			t.Fatalf("installed at %s: %v", path, err)
		}
		installed, err1 := os.Stat(path)
		original, err2 := os.Stat(executable)
		if err1 != nil || err2 != nil || !os.SameFile(installed, original) {
			t.Errorf("%s is not the program: %v %v", path, err1, err2)
		}
	}
	if _, err := Install(home, filepath.Join(home, "nope")); err == nil {
		t.Error("a missing program is installed")
	}
	if !exists(want) {
		t.Error("a failed installation removes the one before")
	}
}

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
