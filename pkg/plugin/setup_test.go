package plugin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// script writes a program for the shell.
func script(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, "#!/bin/sh\n"+text+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// checksAsText gives a line for each check, with directories named.
func checksAsText(checks []Check, directories ...string) string {
	var text strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&text, "%s %s|%s|%s|%s|%s\n", c.Status, c.Name, c.Path, c.Version, c.Message, c.Hint)
	}
	return strings.NewReplacer(directories...).Replace(text.String())
}

func TestCheckSetup(t *testing.T) {
	user := isolate(t)
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	program := filepath.Join(user, "policyloom")
	write(t, program, "this build")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	expect := func(name, want string) {
		t.Helper()
		got := checksAsText(CheckSetup(t.Context(), program), user, "USER", bin, "BIN")
		if want = strings.TrimPrefix(want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	const none = `note kustomize|||is not on PATH; policyloom build works without it|
note PolicyGenerator|||is neither in the plugin home nor on PATH; only those who use it need it|
note kubectl|||is not on PATH; only kubectl kustomize needs it|
`
	const place = "USER/.config/kustomize/plugin/policyloom.dev/v1alpha1/virtualmachinedns/VirtualMachineDNS"
	const homeIsThere = "ok plugin home|USER/.config/kustomize/plugin|||\n"
	expect("nothing is there", `
problem plugin home|USER/.config/kustomize/plugin||does not exist|run policyloom install-plugin
problem VirtualMachineDNS|||there is no plugin home to look into|run policyloom install-plugin
`+none)

	done, err := Install(InstallOptions{Executable: program})
	if err != nil {
		t.Fatal(err)
	}
	expect("installed", homeIsThere+"ok VirtualMachineDNS|"+place+"||this program|\n"+none)

	for name, change := range map[string]struct {
		do   func() error
		want string
	}{
		"outdated": {
			func() error { return os.WriteFile(done.Path, []byte("another"), 0o755) },
			"problem VirtualMachineDNS|" + place + "||is another build than this program, USER/policyloom|run policyloom install-plugin\n",
		},
		"without permission": {
			func() error { return os.WriteFile(done.Path, []byte("this build"), 0o644) },
			"problem VirtualMachineDNS|" + place + "||is not an executable file|run policyloom install-plugin\n",
		},
		"a wrapper": {
			func() error { return os.WriteFile(done.Path, []byte("#!/bin/sh\nexec policyloom"), 0o755) },
			"note VirtualMachineDNS|" + place + "||is a script; which policyloom it runs is not known|\n",
		},
		"gone":     {func() error { return nil }, "problem VirtualMachineDNS|" + place + "||is not installed|run policyloom install-plugin\n"},
		"dangling": {func() error { return os.Symlink("nope", done.Path) }, "problem VirtualMachineDNS|" + place + "||is a link to a program that is no longer there|run policyloom install-plugin\n"},
	} {
		if err := os.Remove(done.Path); err != nil {
			t.Fatal(err)
		}
		if err := change.do(); err != nil {
			t.Fatal(err)
		}
		expect(name, homeIsThere+change.want+none)
		if _, err := Install(InstallOptions{Executable: program}); err != nil {
			t.Fatal(err)
		}
	}

	script(t, filepath.Join(bin, "kustomize"), `[ "$*" = version ] && echo v5.8.1 && echo more`)
	script(t, filepath.Join(bin, "PolicyGenerator"), `[ "$*" = --version ] && echo v1.19.0`)
	script(t, filepath.Join(bin, "kubectl"), `[ "$*" = "version --client --output=json" ] &&
		echo '{"clientVersion": {"gitVersion": "v1.35.1"}, "kustomizeVersion": "v5.7.1"}'`)
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", filepath.Join(user, "nope"))
	expect("programs", `
problem plugin home|USER/.config/kustomize/plugin||KUSTOMIZE_PLUGIN_HOME names USER/nope, which does not exist, so kustomize looks here|run policyloom install-plugin
ok VirtualMachineDNS|`+place+`||this program|
ok kustomize|BIN/kustomize|v5.8.1||
note PolicyGenerator|BIN/PolicyGenerator|v1.19.0|is on PATH, where policyloom build finds it and kustomize does not|for kustomize, link it to USER/.config/kustomize/plugin/policy.open-cluster-management.io/v1/policygenerator/PolicyGenerator
ok kubectl|BIN/kubectl|v1.35.1 with kustomize v5.7.1||
`)

	t.Setenv("KUSTOMIZE_PLUGIN_HOME", "")
	script(t, policyGeneratorPath(filepath.Join(user, ".config", "kustomize", "plugin")), "echo v1.18.0")
	script(t, filepath.Join(bin, "kustomize"), "exit 3")
	script(t, filepath.Join(bin, "kubectl"), "echo no JSON")
	expect("programs that fail", homeIsThere+"ok VirtualMachineDNS|"+place+`||this program|
problem kustomize|BIN/kustomize||cannot be run: exit status 3|
ok PolicyGenerator|USER/.config/kustomize/plugin/policy.open-cluster-management.io/v1/policygenerator/PolicyGenerator|v1.18.0||
problem kubectl|BIN/kubectl||cannot be run: its version is no JSON: invalid character 'o' in literal null (expecting 'u')|
`)
}

func TestVersionOfIsBounded(t *testing.T) {
	isolate(t)
	program := filepath.Join(t.TempDir(), "program")
	script(t, program, "read line || printf '%0300d' 0")
	version, err := versionOf(t.Context(), program)
	if err != nil || len(version) != versionLimit+len("...") {
		t.Errorf("%q %v", version, err)
	}

	script(t, program, "exec /bin/sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := versionOf(ctx, program); err == nil || time.Since(begin) > 30*time.Second {
		t.Errorf("a program that hangs: %v after %v", err, time.Since(begin))
	}
}
