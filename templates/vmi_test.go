package templates_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/requests"
)

var update = flag.Bool("update", false, "write the golden files")

// policyFor gives the policy template of a resource with the default settings, changed by change.
func policyFor(t testing.TB, change func(*v1alpha1.VirtualMachineDNSSpec)) evaluate.Template {
	t.Helper()
	dns := &v1alpha1.VirtualMachineDNS{}
	dns.Metadata.Name = "vm-dns"
	dns.Spec.Policy.Namespace = "policies"
	if change != nil {
		change(&dns.Spec)
	}
	dns.Default()
	if findings := dns.Validate(); findings.HasErrors() {
		t.Fatal(findings)
	}
	return templateOf(t, dns)
}

func templateOf(t testing.TB, dns *v1alpha1.VirtualMachineDNS) evaluate.Template {
	t.Helper()
	text, err := generate.Template(dns)
	if err != nil {
		t.Fatal(err)
	}
	content, err := yaml.Marshal(map[string]any{
		"apiVersion": "policy.open-cluster-management.io/v1",
		"kind":       "ConfigurationPolicy",
		"metadata":   map[string]any{"name": dns.Metadata.Name},
		"spec":       map[string]any{"remediationAction": "enforce", "severity": "low", "object-templates-raw": text},
	})
	if err != nil {
		t.Fatal(err)
	}
	objects, findings := manifest.Decode("policy", content)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	objects[0].Position = diag.Position{}
	return evaluate.Template{Object: objects[0], Observe: observe}
}

func observe(text string) evaluate.Observer {
	if observer := requests.Observe(text); observer != nil {
		return observer
	}
	return nil
}

func load(t testing.TB, name string, data []byte) []manifest.Object {
	t.Helper()
	objects, findings := manifest.Decode(name, data)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return objects
}

// render gives what the policy makes of the objects of a cluster, and what it warns about.
func render(t testing.TB, policy evaluate.Template, objects []manifest.Object, options ...cluster.Option) ([]evaluate.Object, diag.Findings) {
	t.Helper()
	inMemory, findings := cluster.New(objects, options...)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return evaluate.Render(policy, inMemory)
}

// show gives objects and findings as the golden files hold them.
func show(t testing.TB, objects []evaluate.Object, findings diag.Findings) string {
	t.Helper()
	var b strings.Builder
	for _, f := range findings {
		b.WriteString("# " + string(f.Severity) + ": " + f.String() + "\n")
	}
	for _, object := range objects {
		text, err := yaml.Marshal(object.Object.Object)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("---\n# " + object.ComplianceType + "\n" + string(text))
	}
	return b.String()
}

func TestVirtualMachineInstances(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("../testdata/vmi/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no cases", err)
	}
	policy := policyFor(t, nil)
	for _, input := range inputs {
		t.Run(filepath.Base(filepath.Dir(input)), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			objects, findings := render(t, policy, load(t, filepath.Base(input), data))
			golden(t, filepath.Join(filepath.Dir(input), "expected.yaml"), show(t, objects, findings))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s; got\n%s", file, got)
	}
}
