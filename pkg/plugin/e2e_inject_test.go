package plugin

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
)

// injectionSource is a repository in which PolicyGenerator wraps placeholders, beside others.
func injectionSource(t *testing.T) (directory string) {
	t.Helper()
	directory = t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "generators: [policies.yaml]\nresources: [values.yaml]\ntransformers: [web.yaml, db.yaml]\n",
		"policies.yaml": `apiVersion: policy.open-cluster-management.io/v1
kind: PolicyGenerator
metadata: {name: policies}
policyDefaults: {namespace: policies, remediationAction: enforce}
policies:
  - name: dns-web
    placement: {labelSelector: {matchLabels: {web: "true"}}}
    manifests: [{path: web-placeholder.yaml}]
  - name: dns-db
    hubTemplateOptions: {serviceAccountName: reader}
    consolidateManifests: false
    manifests: [{path: db-placeholder.yaml}, {path: values.yaml}]
  - name: dns-web-lab
    evaluationInterval: {compliant: 1h}
    manifests: [{path: web-placeholder.yaml}]
  - name: other
    manifests: [{path: other.yaml}]
`,
		"web-placeholder.yaml": "object-templates-raw: policyloom.dev/VirtualMachineDNS/web\n",
		"db-placeholder.yaml":  "object-templates-raw: |\n  policyloom.dev/VirtualMachineDNS/db\n",
		"other.yaml":           "object-templates-raw: |\n  {{- range (lookup \"v1\" \"ConfigMap\" \"\" \"\").items }}\n  # {{ .metadata.name }}\n  {{- end }}\n",
		"values.yaml":          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: lab}\ndata: {a: \"yes\", b: '1e3', c: \"0123\", d: \" x \\n\"}\n",
		"web.yaml":             "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: web}\nspec: {output: Template, records: {ttl: 60}}\n",
		"db.yaml": "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: db}\n" +
			"spec: {output: Template, records: {ttl: 300}, names: {domain: {configMap: domains}}}\n",
	} {
		write(t, filepath.Join(directory, name), text)
	}
	return directory
}

// itemsOf gives the objects of a stream, and takes the texts out of them that were to be filled in.
func itemsOf(t *testing.T, stream []byte) (items []map[string]any, texts map[string]string) {
	t.Helper()
	nodes, err := kio.FromBytes(stream)
	if err != nil {
		t.Fatal(err)
	}
	_, templates := policiesOf(nodes)
	texts = map[string]string{}
	for _, template := range templates {
		if template.owner.Name == "other" {
			continue
		}
		texts[template.owner.String()] = template.value.Value
		template.value.Value = ""
	}
	for _, node := range nodes {
		item, err := node.Map()
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items, texts
}

func TestE2EInjectIntoPolicyGenerator(t *testing.T) {
	program, kustomizeProgram := tool(t, "POLICYLOOM_BINARY"), tool(t, "POLICYLOOM_KUSTOMIZE")
	policyGenerator := tool(t, "POLICYLOOM_POLICYGENERATOR")
	isolate(t)
	home := t.TempDir()
	if err := exec.Command(program, "install-plugin", "--home", home, "--copy").Run(); err != nil {
		t.Fatal(err)
	}
	if err := place(policyGenerator, policyGeneratorPath(home), false); err != nil {
		t.Fatal(err)
	}
	directory := injectionSource(t)
	build := func() ([]byte, string) {
		command := exec.Command(kustomizeProgram, "build", "--enable-alpha-plugins", directory)
		command.Env = append(os.Environ(), "KUSTOMIZE_PLUGIN_HOME="+home, "TMPDIR="+t.TempDir())
		var stderr strings.Builder
		command.Stderr = &stderr
		output, err := command.Output()
		if err != nil {
			return nil, stderr.String()
		}
		return output, ""
	}
	injected, failure := build()
	if failure != "" {
		t.Fatal(failure)
	}

	// In process, all is the same.
	command := exec.Command(program, "build", directory)
	command.Env = append(os.Environ(), "KUSTOMIZE_PLUGIN_HOME="+home)
	if output, err := command.Output(); err != nil || string(output) != string(injected) {
		t.Errorf("policyloom build: %v\n%s", err, output)
	}

	// Without the transformers, nothing else differs.
	kustomization := filepath.Join(directory, "kustomization.yaml")
	write(t, kustomization, "generators: [policies.yaml]\nresources: [values.yaml]\n")
	before, failure := build()
	if failure != "" {
		t.Fatal(failure)
	}
	got, texts := itemsOf(t, injected)
	want, placeholders := itemsOf(t, before)
	if !reflect.DeepEqual(got, want) || len(got) != 13 {
		t.Errorf("%d objects: got\n%v\nwant\n%v", len(got), got, want)
	}
	if len(placeholders) != 3 || strings.TrimSpace(placeholders["policies.dns-db"]) != Placeholder("db") {
		t.Errorf("without transformers there are %v", placeholders)
	}
	for owner, settings := range map[string][]string{
		"policies.dns-web":     {"$ttl := 60 "},
		"policies.dns-web-lab": {"$ttl := 60 "},
		"policies.dns-db":      {"$ttl := 300 ", "(lookup `v1` `ConfigMap` `policies` `domains`)"},
	} {
		for _, setting := range append(settings, `$policy := "`+owner+`"`) {
			if !strings.Contains(texts[owner], setting) {
				t.Errorf("%s: no %s in\n%s", owner, setting, texts[owner])
			}
		}
		if strings.Contains(string(injected), `object-templates-raw: "`) {
			t.Errorf("%s: the text is quoted, which hub templates do not survive", owner)
		}
	}

	// What cannot work is refused.
	for name, test := range map[string]struct{ file, text, want string }{
		"no placeholder": {
			"db-placeholder.yaml", "object-templates-raw: policyloom.dev/VirtualMachineDNS/dbs\n",
			"VirtualMachineDNS db: no ConfigurationPolicy holds the placeholder to fill in; there are ConfigurationPolicy dns-web in Policy policies/dns-web, ",
		},
		"mistake": {
			"web.yaml", "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: web}\nspec: {output: Template, records: {tll: 60}}\n",
			`VirtualMachineDNS web: spec.records.tll: unknown field "tll" (did you mean "ttl"?)`,
		},
		"template as a generator": {
			"kustomization.yaml", "generators: [web.yaml]\n",
			"VirtualMachineDNS web: spec.output: a Template is no object that kustomize takes from a generator (list it under transformers: ",
		},
	} {
		directory = injectionSource(t)
		write(t, filepath.Join(directory, test.file), test.text)
		if output, failure := build(); !strings.Contains(failure, test.want) {
			t.Errorf("%s: kustomize says %q\n%s", name, failure, output)
		}
	}
}

// TestE2EStatic checks that a copy of the program needs nothing else, as in an image from scratch.
func TestE2EStatic(t *testing.T) {
	program := tool(t, "POLICYLOOM_BINARY")
	if runtime.GOOS != "linux" {
		t.Skip("looks into ELF files")
	}
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program is linked dynamically")
		}
	}
}
