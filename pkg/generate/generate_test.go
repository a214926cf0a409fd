package generate

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/templates"
)

var update = flag.Bool("update", false, "write the golden files")

func decode(t *testing.T, file string) []*v1alpha1.VirtualMachineDNS {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	resources, findings := v1alpha1.Decode(file, data)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for _, dns := range resources {
		dns.Default()
		if findings := dns.Validate(); findings.HasErrors() {
			t.Fatal(findings)
		}
	}
	return resources
}

func TestGolden(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*/input.yaml")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, input := range cases {
		t.Run(filepath.Base(filepath.Dir(input)), func(t *testing.T) {
			t.Parallel()
			got, err := YAML(decode(t, input))
			if err != nil {
				got = []byte("error: " + err.Error() + "\n")
			}
			// The template itself is the same in every case and would drown what differs.
			text := shorten(string(got))
			golden := filepath.Join(filepath.Dir(input), "expected.yaml")
			if *update {
				if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("differs from %s:\n%s", golden, text)
			}
		})
	}
}

// shorten leaves out the part of the template that no setting changes.
func shorten(text string) string {
	const marker = "settings: end */}}\n"
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, marker)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(marker)
		indent := before[strings.LastIndex(before, "\n")+1:]
		indent = indent[:strings.Index(indent, "{")]
		for strings.HasPrefix(after, indent) || strings.HasPrefix(after, "\n") {
			_, after, _ = strings.Cut(after, "\n")
		}
		b.WriteString(indent + "...\n")
		text = after
	}
}

func TestDefaultSettingsAreThoseOfTheTemplate(t *testing.T) {
	t.Parallel()
	dns := &v1alpha1.VirtualMachineDNS{}
	dns.Metadata.Name = "vm-dns"
	dns.Spec.Policy.Namespace = "policies"
	dns.Default()
	got, err := Template(dns)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimRight(templates.VirtualMachineDNS, "\n"); got != want {
		t.Errorf("templates/vm-dns.tmpl does not start with the default settings; want\n%s", got[:strings.Index(got, "settings: end")])
	}
}

func TestTemplateTextSurvivesYAML(t *testing.T) {
	t.Parallel()
	for number, line := range strings.Split(templates.VirtualMachineDNS, "\n") {
		if strings.TrimRight(line, " \t\r") != line || strings.Contains(line, "\t") {
			t.Errorf("line %d: a tab or a trailing blank makes YAML emitters print the template as one quoted line", number+1)
		}
	}
}
