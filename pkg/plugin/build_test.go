package plugin

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyloom/policyloom/pkg/diag"
)

var update = flag.Bool("update", false, "write the expected files")

// buildCases gives the directory to build for each case in testdata/build: overlay below the case, or else the case.
func buildCases(t *testing.T) map[string]string {
	t.Helper()
	cases := map[string]string{}
	entries, err := os.ReadDir("testdata/build")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		directory := filepath.Join("testdata", "build", entry.Name())
		if overlay := filepath.Join(directory, "overlay"); isDirectory(overlay) {
			directory = overlay
		}
		cases[entry.Name()] = directory
	}
	return cases
}

// isolate gives a test a user without plugins, and a directory for temporary files that must be empty in the end.
func isolate(t *testing.T) (home string) {
	t.Helper()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	t.Setenv("TEMP", temporary)
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", "")
	t.Setenv("PATH", "")
	// Under the race detector each plugin would sleep for a second at its end.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	t.Cleanup(func() {
		entries, err := os.ReadDir(temporary)
		if err != nil {
			t.Error(err)
		}
		for _, entry := range entries {
			t.Errorf("%s is left behind in the directory for temporary files", entry.Name())
		}
		if os.Getenv("TMPDIR") != temporary || os.Getenv("KUSTOMIZE_PLUGIN_HOME") != "" {
			t.Error("the environment is not what it was")
		}
	})
	return home
}

func TestBuild(t *testing.T) {
	for name, directory := range buildCases(t) {
		t.Run(name, func(t *testing.T) {
			isolate(t)
			output, findings, err := Build(t.Context(), Options{Dir: directory})
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range findings {
				findings[i].Message = strings.ReplaceAll(f.Message, workingDirectory(t), "WORK")
			}
			if findings.HasErrors() && output != nil {
				t.Errorf("there are errors and still an output:\n%s", output)
			}
			var texts string
			for _, f := range findings {
				texts += string(f.Severity) + ": " + f.String() + "\n"
			}
			compare(t, filepath.Join("testdata", "build", name, "expected.yaml"), string(output))
			compare(t, filepath.Join("testdata", "build", name, "findings.txt"), texts)
		})
	}
}

// compare compares a text with a file; an empty text stands for no file.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		_ = os.Remove(file)
		if got != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s says\n%s\nbut it is\n%s", file, want, got)
	}
}

func workingDirectory(t *testing.T) string {
	t.Helper()
	directory, err := realPath(".")
	if err != nil {
		t.Fatal(err)
	}
	return directory
}

func TestBuildEndsWithItsContext(t *testing.T) {
	isolate(t)
	directory := t.TempDir()
	write(t, filepath.Join(directory, "kustomization.yaml"), "generators: [vm-dns.yaml]\n")
	write(t, filepath.Join(directory, "vm-dns.yaml"), "apiVersion: policyloom.dev/v1alpha1\n"+
		"kind: VirtualMachineDNS\nmetadata: {name: vm-dns}\nspec: {records: {ttl: 180}}\n")
	// A plugin that waits for the end of the test, so that the build cannot end by itself.
	release := filepath.Join(directory, "release")
	plugin := filepath.Join(directory, "plugin")
	write(t, plugin, "#!/bin/sh\n: > started\nwhile [ ! -e release ]; do /bin/sleep 0.01; done\nexit 1\n")
	if err := os.Chmod(plugin, 0o755); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !exists(filepath.Join(directory, "started")) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, _, err := Build(ctx, Options{Dir: directory, Executable: plugin})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	entries, _ := os.ReadDir(filepath.Dir(os.Getenv("TMPDIR")))
	if exists(os.Getenv("TMPDIR")) {
		t.Errorf("the directory of the build is still there: %v", entries)
	}

	// Others can build as soon as the plugin has ended.
	write(t, release, "")
	output, findings, err := Build(t.Context(), Options{Dir: directory})
	if err != nil || len(findings) > 0 || !bytes.Contains(output, []byte("ttl: 180")) {
		t.Errorf("the next build: %v %v\n%s", err, findings, output)
	}
	if _, _, err := Build(ctx, Options{Dir: directory}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context has ended: %v", err)
	}
}

func TestBuildWithPluginsOfTheUser(t *testing.T) {
	home := isolate(t)
	plugins := filepath.Join(home, ".config", "kustomize", "plugin")
	script := func(path, text string) {
		write(t, path, "#!/bin/sh\necho '{apiVersion: v1, kind: ConfigMap, metadata: {name: "+text+"}}'\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script(pluginPath(plugins, "example.com/v1", "Mine"), "mine")
	script(pluginPath(plugins, "policyloom.dev/v1alpha1", "VirtualMachineDNS"), "outdated")
	script(pluginPath(plugins, "policyloom.dev/v1alpha1", "Sibling"), "sibling")
	bin := t.TempDir()
	script(filepath.Join(bin, "PolicyGenerator"), "from-path")
	given := filepath.Join(t.TempDir(), "PolicyGenerator")
	script(given, "as-given")
	t.Setenv("PATH", bin)

	directory := t.TempDir()
	write(t, filepath.Join(directory, "kustomization.yaml"), "generators: [plugins.yaml]\n")
	write(t, filepath.Join(directory, "plugins.yaml"), `
{apiVersion: example.com/v1, kind: Mine, metadata: {name: a}}
---
{apiVersion: policyloom.dev/v1alpha1, kind: VirtualMachineDNS, metadata: {name: ours}}
---
{apiVersion: policyloom.dev/v1alpha1, kind: Sibling, metadata: {name: a}}
---
{apiVersion: policy.open-cluster-management.io/v1, kind: PolicyGenerator, metadata: {name: a}}
`)
	for _, test := range []struct {
		options Options
		want    []string
	}{
		{Options{Dir: directory}, []string{"name: mine", "name: ours", "name: sibling", "name: from-path"}},
		{Options{Dir: directory, PolicyGenerator: given}, []string{"name: mine", "name: ours", "name: sibling", "name: as-given"}},
	} {
		output, findings, err := Build(t.Context(), test.options)
		if err != nil || len(findings) > 0 {
			t.Fatalf("%v %v", err, findings)
		}
		for _, want := range test.want {
			if !strings.Contains(string(output), want+"\n") {
				t.Errorf("%+v: no %s in\n%s", test.options, want, output)
			}
		}
	}

	script(pluginPath(plugins, "policy.open-cluster-management.io/v1", "PolicyGenerator"), "from-home")
	output, findings, err := Build(t.Context(), Options{Dir: directory})
	if err != nil || len(findings) > 0 || !strings.Contains(string(output), "name: from-home\n") {
		t.Errorf("the plugin home comes before PATH: %v %v\n%s", err, findings, output)
	}
}

func TestBuildCannotStart(t *testing.T) {
	isolate(t)
	for name, options := range map[string]Options{
		"program is missing":            {Dir: "testdata/build/single", Executable: "testdata/nope"},
		"program is a directory":        {Dir: "testdata/build/single", Executable: "testdata"},
		"PolicyGenerator is no program": {Dir: "testdata/build/single", PolicyGenerator: "testdata/nope"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Build(t.Context(), options); err == nil || !strings.Contains(err.Error(), "is not an executable file") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestBuildOfNoDirectory(t *testing.T) {
	isolate(t)
	for dir, want := range map[string]string{
		"testdata/nope":                      "testdata/nope: no such directory",
		"https://example.com/team/repo":      "cannot build the remote kustomization https://example.com/team/repo",
		"github.com/example/repo/deploy":     "cannot build the remote kustomization github.com/example/repo/deploy",
		"testdata/build/single/vm-dns.yaml":  "testdata/build/single/vm-dns.yaml: must build at directory",
		"testdata/build/missing-files/../..": "unable to find one of",
	} {
		_, findings, err := Build(t.Context(), Options{Dir: dir})
		if err != nil || len(findings) != 1 || findings[0].Severity != diag.Error || !strings.Contains(findings[0].String(), want) {
			t.Errorf("%s: %v %v, not %q", dir, err, findings, want)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
