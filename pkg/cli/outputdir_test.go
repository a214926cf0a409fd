package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const listFile = ".policyloom-output"

// renderTo renders a fleet into a directory, which must go well.
func renderTo(t *testing.T, output, fleet string) {
	t.Helper()
	got := run(t.Context(), dnsForAll, "render", "-f", "-", "--fleet", fleet, "--output-dir", output)
	if got.code != ExitFine || got.stdout != "" || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
}

func names(f files) []string { return slices.Sorted(maps.Keys(f)) }

func TestOutputDirTwice(t *testing.T) {
	t.Parallel()
	output := filepath.Join(tempDir(t), "not", "there", "yet")
	fleet := fleetOf(2, 2).write(t, tempDir(t))
	renderTo(t, output, fleet)
	first := tree(t, output)
	want := []string{
		listFile,
		"cluster-000/DNSEndpoint_ns-0_vm-0-corp.yaml", "cluster-000/DNSEndpoint_ns-1_vm-1-corp.yaml",
		"cluster-001/DNSEndpoint_ns-0_vm-0-corp.yaml", "cluster-001/DNSEndpoint_ns-1_vm-1-corp.yaml",
	}
	if got := names(first); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if text := first[want[1]]; !strings.HasPrefix(text, "# cluster: cluster-000\n# policy: policies/vm-dns\n") ||
		!strings.Contains(text, "kind: DNSEndpoint\n") {
		t.Errorf("got\n%s", text)
	}
	renderTo(t, output, fleet)
	if second := tree(t, output); !maps.Equal(first, second) {
		t.Errorf("the second run gives %q instead of %q", second, first)
	}
}

func TestOutputDirForgetsOldFilesAndKeepsForeignOnes(t *testing.T) {
	t.Parallel()
	output := tempDir(t)
	renderTo(t, output, fleetOf(3, 2).write(t, tempDir(t)))
	foreign := files{"README.md": "mine", "cluster-001/notes.txt": "mine", "cluster-009/x.yaml": "mine"}
	foreign.write(t, output)
	renderTo(t, output, fleetOf(1, 1).write(t, tempDir(t)))
	want := []string{listFile, "README.md", "cluster-000/DNSEndpoint_ns-0_vm-0-corp.yaml", "cluster-001/notes.txt", "cluster-009/x.yaml"}
	got := tree(t, output)
	if !slices.Equal(names(got), want) {
		t.Errorf("got %q, want %q", names(got), want)
	}
	for name := range foreign {
		if got[name] != "mine" {
			t.Errorf("%s holds %q", name, got[name])
		}
	}
	if _, err := os.Stat(filepath.Join(output, "cluster-002")); !os.IsNotExist(err) {
		t.Error("the empty directory of a cluster is still there")
	}
}

// TestOutputDirRefuses has what must be left alone, and what is said about it.
func TestOutputDirRefuses(t *testing.T) {
	t.Parallel()
	const name = "cluster-000/DNSEndpoint_ns-0_vm-0-corp.yaml"
	outside := tempDir(t)
	for what, c := range map[string]struct {
		before files
		link   string
		stderr string
	}{
		"a directory with other things":    {files{"a.txt": "mine"}, "", "is not empty and not the output of an earlier run: name another directory"},
		"a file in the place of an object": {files{listFile: "\n", name: "mine"}, "", "is not from an earlier run: it is left alone"},
		"a link out of the directory":      {files{listFile: "\n"}, "cluster-000", "path escapes from parent"},
		"a link in the place of an object": {files{listFile: "\n", "cluster-000/x": "mine"}, name, "is not from an earlier run: it is left alone"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			output := c.before.write(t, tempDir(t))
			if c.link != "" {
				if err := os.Symlink(outside, filepath.Join(output, c.link)); err != nil {
					t.Skip(err)
				}
			}
			fleet := fleetOf(1, 1).write(t, tempDir(t))
			got := run(t.Context(), dnsForAll, "render", "-f", "-", "--fleet", fleet, "--output-dir", output)
			if got.code != ExitUsage || !strings.Contains(got.stderr, c.stderr) {
				t.Errorf("%+v, want %q", got, c.stderr)
			}
			after := tree(t, output)
			for file, text := range c.before {
				if file != listFile && after[file] != text {
					t.Errorf("%s holds %q instead of %q", file, after[file], text)
				}
			}
			if found := tree(t, outside); len(found) > 0 {
				t.Errorf("outside of the directory there is %q", names(found))
			}
		})
	}
}

// TestOutputDirAfterAnEnd checks that a run which was killed stands in the way of no other, and that a list which was tampered
// with leads nowhere.
func TestOutputDirAfterAnEnd(t *testing.T) {
	t.Parallel()
	parent := files{
		"other.yaml": "mine", "out/cluster-000/DNSEndpoint_ns-0_VM-0-corp.yaml": "half", "out/mine.yaml": "mine",
		"out/" + listFile: "cluster-000/DNSEndpoint_ns-0_VM-0-corp.yaml\ncluster-000/never-written.yaml\n../other.yaml\n/etc/hostname\n.\n..\n",
	}.
		write(t, tempDir(t))
	renderTo(t, filepath.Join(parent, "out"), fleetOf(1, 1).write(t, tempDir(t)))
	want := []string{"other.yaml", "out/" + listFile, "out/cluster-000/DNSEndpoint_ns-0_vm-0-corp.yaml", "out/mine.yaml"}
	if got := names(tree(t, parent)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOutputDirStaysWhenNothingIsRendered(t *testing.T) {
	t.Parallel()
	output := tempDir(t)
	renderTo(t, output, fleetOf(1, 1).write(t, tempDir(t)))
	before := tree(t, output)
	inputs := files{"broken.yaml": "a: ["}.write(t, tempDir(t))
	got := run(t.Context(), "", "render", "-f", filepath.Join(inputs, "broken.yaml"), "--cluster", inputs, "--output-dir", output)
	if got.code != ExitFindings || !maps.Equal(tree(t, output), before) {
		t.Errorf("%+v, and there is %q", got, names(tree(t, output)))
	}
}

// hostileNames is a policy whose objects have names that are none of a file.
const hostileNames = `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata: {name: hostile}
spec:
  remediationAction: inform
  severity: low
  object-templates-raw: |
    {{- range list "../x" "../../../x" "a/b" "a\\b" "/etc/passwd" "CON" "Web" "web" "WEB" "." ".." ".hidden" "a b" "é" "%2e" "a:b" "a\nb" (repeat 70 "long-") (repeat 70 "long_") }}
    - complianceType: musthave
      objectDefinition: {{ dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" . "namespace" "../..") | toRawJson }}
    {{- end }}
    - complianceType: mustnothave
      objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: ../..}}
    - complianceType: musthave
      objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: web.mustnothave, namespace: ../..}}
`

func TestOutputDirWithHostileNames(t *testing.T) {
	t.Parallel()
	inputs := files{"policy.yaml": hostileNames, "cluster/a.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"}.write(t, tempDir(t))
	parent := tempDir(t)
	for range 2 {
		got := run(t.Context(), "", "render", "-f", filepath.Join(inputs, "policy.yaml"), "--cluster", filepath.Join(inputs, "cluster"),
			"--cluster-name", "con", "--output-dir", filepath.Join(parent, "a", "b", "out"))
		if got.code != ExitFine || got.stdout != "" || got.stderr != "" {
			t.Fatalf("%+v", got)
		}
		golden(t, filepath.Join("testdata", "outputdir", "hostile.txt"), strings.Join(names(tree(t, parent)), "\n")+"\n")
	}
}
