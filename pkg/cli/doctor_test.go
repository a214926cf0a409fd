package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/plugin"
)

// atHome gives a test a plugin home of its own and no other programs.
func atHome(t *testing.T) (home string) {
	t.Helper()
	home = filepath.Join(t.TempDir(), "plugins")
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", home)
	t.Setenv("PATH", "")
	return home
}

func TestInstallPluginAndDoctor(t *testing.T) {
	home := atHome(t)
	place := plugin.Path(home)
	named := func(text string) string { return strings.NewReplacer(home, "HOME").Replace(text) }

	got := run(t.Context(), "", "doctor")
	if got.code != ExitFindings || got.stderr != "" || !strings.Contains(named(got.stdout), "HOME: does not exist (run policyloom install-plugin)\n") {
		t.Errorf("before: %+v", got)
	}
	for _, test := range []struct {
		args string
		want string
	}{
		{"", ": linked to "},
		{"", ": was up to date\n"},
		{"--copy", ": copied from "},
		{"--copy", ": was up to date\n"},
		{"--home " + home, ": linked to "},
	} {
		got := run(t.Context(), "", append([]string{"install-plugin"}, strings.Fields(test.args)...)...)
		if got.code != ExitFine || got.stdout != place+"\n" || !strings.HasPrefix(got.stderr, place+test.want) {
			t.Errorf("install-plugin %s: %+v", test.args, got)
		}
	}

	want := `ok    plugin home        HOME: from KUSTOMIZE_PLUGIN_HOME
ok    VirtualMachineDNS  HOME/policyloom.dev/v1alpha1/virtualmachinedns/VirtualMachineDNS: this program
note  kustomize          is not on PATH; policyloom build works without it
note  PolicyGenerator    is neither in the plugin home nor on PATH; only those who use it need it
note  kubectl            is not on PATH; only kubectl kustomize needs it
use   flags              kustomize build --enable-alpha-plugins
use   flags              kubectl kustomize --enable-alpha-plugins
`
	for _, args := range [][]string{{"doctor"}, {"doctor", "-k", "../../policies/vm-dns"}} {
		if got := run(t.Context(), "", args...); got.code != ExitFine || got.stderr != "" || named(got.stdout) != want {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestDoctorOfKustomizations(t *testing.T) {
	home := atHome(t)
	if got := run(t.Context(), "", "install-plugin"); got.code != ExitFine {
		t.Fatalf("%+v", got)
	}
	directory := files{
		"skipped/kustomization.yaml": "generators: [vm-dns.yaml]\n",
		"skipped/vm-dns.yaml": "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata:\n  name: vm-dns\n  annotations:\n" +
			"    config.kubernetes.io/function: |\n      exec: {path: ./policyloom}\nspec: {policy: {namespace: policies}}\n",
		"skipped/policyloom":          "",
		"renamed/kustomization.yaml":  "namePrefix: prod-\nresources: [../skipped]\n",
		"resource/kustomization.yaml": "resources: [vm-dns.yaml]\n",
		"resource/vm-dns.yaml":        "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\nspec: {policy: {namespace: policies}}\n",
	}.write(t, t.TempDir())
	if err := os.Chmod(filepath.Join(directory, "skipped", "policyloom"), 0o755); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(directory, name) }
	for name, test := range map[string]struct {
		args []string
		want []string
		code int
	}{
		"function":        {[]string{"-k", in("skipped")}, []string{"skipped/vm-dns.yaml:6:5:", "unless it runs with --enable-exec"}, ExitFindings},
		"function is run": {[]string{"-k", in("skipped"), "--enable-exec"}, []string{"kustomize build --enable-alpha-plugins --enable-exec\n"}, ExitFine},
		"name prefix": {
			[]string{"-k", in("renamed"), "--enable-exec"},
			[]string{
				"renamed/kustomization.yaml:1:1: PlacementBinding policies/prod-binding-vm-dns: placementRef.name: namePrefix renames Placement placement-vm-dns",
				"subjects[0].name: namePrefix renames Policy vm-dns to prod-vm-dns",
			},
			ExitFindings,
		},
		"several": {
			[]string{"-k", in("skipped"), "-k", in("resource")},
			[]string{"skipped/vm-dns.yaml:6:5:", "resource/vm-dns.yaml:1:1: VirtualMachineDNS vm-dns: is listed under resources:"},
			ExitFindings,
		},
	} {
		got := run(t.Context(), "", append([]string{"doctor"}, test.args...)...)
		if got.code != test.code || got.stderr != "" {
			t.Errorf("%s: %+v", name, got)
		}
		for _, want := range test.want {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got.stdout)
			}
		}
	}

	var parsed struct {
		Checks   []struct{ Name, Status, Path string }
		Flags    []string
		Findings []struct {
			Severity, File, Object, Message string
			Line                            int
		}
	}
	got := run(t.Context(), "", "doctor", "-o", "json", "-k", in("resource"))
	if err := json.Unmarshal([]byte(got.stdout), &parsed); err != nil || got.code != ExitFindings {
		t.Fatalf("%v: %+v", err, got)
	}
	if len(parsed.Checks) != 5 || parsed.Checks[0].Path != home || parsed.Checks[1].Status != "ok" || len(parsed.Flags) != 2 ||
		len(parsed.Findings) != 1 || parsed.Findings[0].Line != 1 || parsed.Findings[0].Object != "VirtualMachineDNS vm-dns" {
		t.Errorf("%+v", parsed)
	}
	if got := run(t.Context(), "", "doctor", "-o", "json"); got.code != ExitFine || !strings.Contains(got.stdout, `"findings": []`) {
		t.Errorf("%+v", got)
	}
}

func TestInstallPluginWarnsOfHiddenPlugins(t *testing.T) {
	atHome(t)
	user := t.TempDir()
	old := filepath.Join(user, ".config", "kustomize", "plugin")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	got := run(t.Context(), "", "install-plugin")
	if got.code != ExitFine || !strings.Contains(got.stderr, "warning: "+old+": kustomize does not look for plugins here any more") {
		t.Errorf("%+v", got)
	}
}
