package plugin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// oldAndNew gives a program in two versions.
func oldAndNew(t *testing.T) (program string, upgrade func()) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "policyloom")
	text := "#!/bin/sh\necho old\n"
	save := func() {
		write(t, program, text)
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	save()
	return program, func() {
		text = "#!/bin/sh\necho new\n"
		save()
	}
}

func TestInstall(t *testing.T) {
	for _, asCopy := range []bool{false, true} {
		program, upgrade := oldAndNew(t)
		home := filepath.Join(t.TempDir(), "new", "plugin")
		options := InstallOptions{Home: home, Executable: program, Copy: asCopy}
		install := func(options InstallOptions, wantChanged bool) {
			t.Helper()
			done, err := Install(options)
			want := filepath.Join(home, "policyloom.dev", "v1alpha1", "virtualmachinedns", "VirtualMachineDNS")
			if err != nil || done.Path != want || done.Changed != wantChanged || done.HiddenHome != "" {
				t.Fatalf("%+v: %+v %v", options, done, err)
			}
			if same, err := sameContent(program, want); err != nil || !same || !isExecutable(want) {
				t.Errorf("%+v: not the program: %v", options, err)
			}
			info, err := os.Lstat(want)
			if err != nil || info.Mode().IsRegular() != options.Copy {
				t.Errorf("%+v: mode %v, %v", options, info.Mode(), err)
			}
			if options.Copy && info.Mode().Perm() != 0o755 && runtime.GOOS != "windows" {
				t.Errorf("the mode is %v", info.Mode())
			}
			entries, err := os.ReadDir(filepath.Dir(want))
			if err != nil || len(entries) != len(targetsOf(want)) {
				t.Errorf("something is left behind: %v %v", entries, err)
			}
		}
		install(options, true)
		install(options, false)
		upgrade()
		install(options, asCopy) // a link is new by itself
		install(options, false)
		other := options
		other.Copy = !asCopy
		install(other, true) // from one kind to the other, and the program itself stays
		install(options, true)
		if asCopy && runtime.GOOS != "windows" {
			if err := os.Chmod(Path(home), 0o600); err != nil {
				t.Fatal(err)
			}
			install(options, true)
		}
		if text, err := os.ReadFile(program); err != nil || !strings.Contains(string(text), "new") {
			t.Errorf("the program itself is now %q: %v", text, err)
		}

		itself := InstallOptions{Home: home, Executable: Path(home), Copy: asCopy}
		if done, err := Install(itself); err != nil || done.Changed {
			t.Errorf("installing what is installed: %+v %v", done, err)
		}
	}
}

func TestInstallFails(t *testing.T) {
	isolate(t)
	program, _ := oldAndNew(t)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	occupied := t.TempDir()
	if err := os.MkdirAll(Path(occupied), 0o755); err != nil {
		t.Fatal(err)
	}
	locked := t.TempDir()
	if err := os.Chmod(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options InstallOptions
		want    string
	}{
		"no program":         {InstallOptions{Home: t.TempDir(), Executable: "nope"}, "nope"},
		"program without x":  {InstallOptions{Home: t.TempDir(), Executable: file}, "is not an executable file"},
		"home is a file":     {InstallOptions{Home: file, Executable: program}, "cannot write to the plugin home " + file},
		"below a file":       {InstallOptions{Home: file, Executable: program, Copy: true}, file},
		"directory in place": {InstallOptions{Home: occupied, Executable: program}, "is a directory: remove it"},
		"read-only home":     {InstallOptions{Home: locked, Executable: program, Copy: true}, "cannot write to the plugin home " + locked},
	} {
		if name == "read-only home" && os.Geteuid() == 0 {
			continue // who is root can write everywhere
		}
		_, err := Install(test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestDefaultHome(t *testing.T) {
	user := isolate(t)
	program, _ := oldAndNew(t)
	check := func(want, wantHidden string) {
		t.Helper()
		done, err := Install(InstallOptions{Executable: program})
		if err != nil || done.Path != Path(want) || done.HiddenHome != wantHidden {
			t.Errorf("installed %+v: %v", done, err)
		}
		if got := UserHome(); got != want {
			t.Errorf("kustomize looks into %s", got)
		}
	}
	inConfig := filepath.Join(user, ".config", "kustomize", "plugin")
	check(inConfig, "")
	check(inConfig, "")
	inXDG := filepath.Join(user, "xdg", "kustomize", "plugin")
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(user, "xdg"))
	check(inXDG, inConfig)
	check(inXDG, "")
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", filepath.Join(user, "plugins"))
	check(filepath.Join(user, "plugins"), inXDG)
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", "") // what isolate expects in the end
}
