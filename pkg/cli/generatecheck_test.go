package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGenerateCheck(t *testing.T) {
	t.Parallel()
	const template = "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\nspec: {output: Template}\n"
	for name, resource := range map[string]string{
		"template": template,
		"policies": strings.Replace(template, "output: Template", "policy: {namespace: policies}", 1),
		"several":  template + "---\n" + strings.Replace(template, "name: vm-dns", "name: other", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory := tempDir(t)
			source, file := filepath.Join(directory, "vm-dns.yaml"), filepath.Join(directory, "it's here.yaml")
			files{"vm-dns.yaml": resource}.write(t, directory)
			update := "policyloom generate " + source + " > '" + directory + `/it'\''s here.yaml'`
			check := func() result { return run(t.Context(), "", "generate", "--check", file, source) }

			want := result{"", "error: " + file + ": no such file or directory (make it with: " + update + ")\n", ExitUsage}
			if got := check(); got != want {
				t.Errorf("no file: %+v", got)
			}
			generated := run(t.Context(), "", "generate", source).stdout
			save := func(text string) {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			save(generated)
			if got := check(); got != (result{"", "", ExitFine}) {
				t.Errorf("the same: %+v", got)
			}
			if got := run(t.Context(), resource, "generate", "--check", file, "-"); got != (result{"", "", ExitFine}) {
				t.Errorf("the same from standard input: %+v", got)
			}

			lines := strings.SplitAfter(generated, "\n")
			lines[2] = "ttl\x1b[31m\n"
			save(strings.Join(lines, ""))
			got := check()
			wantErr := "error: " + file + ":3: differs from what is generated (update it with: " + update + ")\n"
			if got.code != ExitFindings || got.stderr != wantErr {
				t.Errorf("another: code %d, %s", got.code, got.stderr)
			}
			for _, want := range []string{
				"--- " + file + "\n+++ generated\n@@ -1,6 +1,6 @@\n ", "\n-ttl\\x1b[31m\n+" + strings.SplitAfter(generated, "\n")[2],
			} {
				if !strings.Contains(got.stdout, want) {
					t.Errorf("no %q in\n%s", want, got.stdout)
				}
			}

			save(generated + "more: true\n")
			if got := check(); got.code != ExitFindings || !strings.Contains(got.stdout, "\n-more: true\n") {
				t.Errorf("more: %+v", got)
			}
			save(strings.TrimSuffix(generated, "\n"))
			if got := check(); got.code != ExitFindings || !strings.Contains(got.stdout, "\n\\ No newline at end of file\n+") {
				t.Errorf("without the last line break: %+v", got)
			}
			save(strings.ReplaceAll(generated, "\n", "\r\n"))
			if got := check(); got.code != ExitFindings || !strings.Contains(got.stdout, "\\r\n") || strings.Contains(got.stdout, "\r") {
				t.Errorf("with other line breaks: %+v", got)
			}
			save("")
			if got := check(); got.code != ExitFindings || !strings.Contains(got.stdout, "\n+"+lines[0]) {
				t.Errorf("empty: %+v", got)
			}
		})
	}
}

func TestGenerateCheckFails(t *testing.T) {
	t.Parallel()
	directory := files{
		"bad.yaml": "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: a}\nspec: {output: Template, tll: 1}\n",
		"a.yaml":   "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: a}\nspec: {policy: {namespace: p}}\n",
		"b.yaml":   "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: a}\nspec: {policy: {namespace: p, severity: high}}\n",
	}.write(t, tempDir(t))
	in := func(name string) string { return filepath.Join(directory, name) }
	for name, test := range map[string]struct {
		sources []string
		want    string
	}{
		"mistake":  {[]string{in("bad.yaml")}, `unknown field "tll"`},
		"conflict": {[]string{in("a.yaml"), in("b.yaml")}, "two resources generate different objects of this name"},
	} {
		got := run(t.Context(), "", append([]string{"generate", "--check", in("made.yaml")}, test.sources...)...)
		if got.code != ExitUsage || got.stdout != "" || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
