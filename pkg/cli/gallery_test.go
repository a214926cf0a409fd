package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fault is something that people get wrong.
type fault struct {
	title string
	// file is a manifest, or a template that the gallery puts into a ConfigurationPolicy.
	file, template string
	args           []string
	// shown is the part of the file that matters.
	shown string
	// hub and cluster are further fixtures.
	hub, cluster string
	// fleet asks for placements, which one cluster alone does without.
	fleet bool
}

const galleryPolicy = `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata:
  name: example
spec:
  remediationAction: inform
  severity: low
  object-templates-raw: |
`

// galleryCluster is what the cluster of all faults has.
const galleryCluster = `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: "red"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: zoo}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: colours, namespace: shop}
data: {first: "red: dark"}
`

var faults = []fault{
	{title: "A function is misspelt", template: `- complianceType: musthave
  objectDefinition:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: '{{ "A" | lowr }}', namespace: shop}
`},
	{title: "A function is newer than the hub", args: []string{"--acm", "2.12"}, template: `{{- if not (lookup "v1" "Namespace" "" "shop") }}{{ fail "no shop" }}{{ end }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`},
	{title: "An if, range or with is not closed", template: `{{- range (lookup "v1" "Namespace" "" "").items }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}', namespace: shop}}
`},
	{title: "A trim marker glues two lines together", template: `{{- range (lookup "v1" "Namespace" "" "").items -}}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}', namespace: shop}}
{{- end -}}
`},
	{title: "A value with a colon has no quotes", template: `- complianceType: musthave
  objectDefinition:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: copy, namespace: shop}
    data:
      first: {{ fromConfigMap "shop" "colours" "first" }}
`},
	{title: "A field of one object is missing", template: `{{- range (lookup "v1" "Namespace" "" "").items }}
- complianceType: musthave
  objectDefinition:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: '{{ index .metadata.labels "team" | upper }}', namespace: shop}
{{- end }}
`},
	{title: "A list is empty", template: `{{- $first := index (lookup "v1" "Namespace" "" "" "team=blue").items 0 }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ $first.metadata.name }}', namespace: shop}}
`},
	{title: "What is not there prints <no value>", template: `{{- $namespace := lookup "v1" "Namespace" "" "shop" }}
- complianceType: musthave
  objectDefinition:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: owner, namespace: shop}
    data:
      owner: '{{ $namespace.metadata.labels.owner }}'
`},
	{title: "The cluster does not have an API", template: `{{- range (lookup "kubevirt.io/v1" "VirtualMachine" "" "").items }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}', namespace: shop}}
{{- end }}
`, cluster: "missingAPIs: [kubevirt.io]\n"},
	{title: "An object does not exist", template: `- complianceType: musthave
  objectDefinition:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: copy, namespace: shop}
    data: {first: '{{ fromConfigMap "shop" "colors" "first" }}'}
`},
	{title: "A complianceType is misspelt", template: `- complianceType: mustonlyhve
  objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`},
	{title: "A field of an object template is misspelt", template: `- complianceType: musthave
  objectDefinitions: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`},
	{title: "A second YAML document", template: `- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: zoo}}
`},
	{title: "Nothing comes out", template: `{{- range (lookup "v1" "Namespace" "" "" "team=blue").items }}
- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}', namespace: shop}}
{{- end }}
`},
	{title: "A hub template outside of a Policy", template: `- complianceType: musthave
  objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: '{{hub .ManagedClusterName hub}}'}}
`},
	{title: "A value that is not in the list", file: `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata:
  name: example
spec:
  remediationAction: inform
  severity: hihg
  pruneObjectBehavior: Delete
  evaluationInterval:
    compliant: soon
  object-templates:
    - complianceType: musthave
      objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`},
	{title: "A kind is misspelt", file: `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolcy
metadata:
  name: example
spec:
  remediationAction: inform
`},
	{title: "A hub template reads another namespace", shown: `value: '{{hub fromConfigMap "elsewhere" "sites" .ManagedClusterName hub}}'`, hub: setBindingOf("policies") + `---
apiVersion: v1
kind: ConfigMap
metadata: {name: sites, namespace: elsewhere}
data: {one: x}
`, file: hubPolicy(`{{hub fromConfigMap "elsewhere" "sites" .ManagedClusterName hub}}`)},
	{title: "Double quotes of a hub template inside a string in double quotes", shown: `value: "{{hub index .ManagedClusterLabels \"zone\" | default \\\"none\\\" hub}}"`, file: strings.Replace(
		hubPolicy(`X`), `'X'`, `"{{hub index .ManagedClusterLabels \"zone\" | default \\\"none\\\" hub}}"`, 1)},
	{title: "No ManagedClusterSetBinding", shown: "# the fixtures hold no ManagedClusterSetBinding for the namespace of the policy", file: hubPolicy(`x`), fleet: true},
	{title: "A placement that selects nothing", shown: "labelSelector: {matchLabels: {env: prd}} # the cluster has env: prod", file: strings.Replace(hubPolicy(`x`), "env: prod", "env: prd", 1), fleet: true, hub: setBindingOf("policies")},
	{title: "A binding that names another placement", shown: "placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: everwhere}", file: strings.Replace(hubPolicy(`x`), "name: everywhere}\nsubjects", "name: everwhere}\nsubjects", 1), fleet: true, hub: setBindingOf("policies")},
	{title: "A misspelt field of VirtualMachineDNS", file: `apiVersion: policyloom.dev/v1alpha1
kind: VirtualMachineDNS
metadata: {name: vm-dns}
spec:
  records: {tll: 60}
  policy: {namespace: policies}
`},
}

func setBindingOf(namespace string) string {
	return "apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSetBinding\nmetadata: {name: default, namespace: " +
		namespace + "}\nspec: {clusterSet: default}\n"
}

// hubPolicy is a Policy with its placement and a value in it.
func hubPolicy(value string) string {
	return `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: example, namespace: policies}
spec:
  disabled: false
  remediationAction: inform
  policy-templates:
    - objectDefinition:
        apiVersion: policy.open-cluster-management.io/v1
        kind: ConfigurationPolicy
        metadata: {name: example}
        spec:
          severity: low
          object-templates:
            - complianceType: musthave
              objectDefinition:
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: example, namespace: shop}
                data:
                  value: '` + value + `'
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: everywhere, namespace: policies}
spec:
  predicates: [{requiredClusterSelector: {labelSelector: {matchLabels: {env: prod}}}}]
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: example, namespace: policies}
placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: everywhere}
subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: example}]
`
}

// write puts the files of a fault into the working directory and gives what it is called with.
func (f fault) write(t *testing.T, directory string) []string {
	t.Helper()
	content := f.file
	if content == "" {
		content = galleryPolicy + "    " + strings.ReplaceAll(strings.TrimSuffix(f.template, "\n"), "\n", "\n    ") + "\n"
	}
	tree := files{
		"policy.yaml": content, "fleet/clusters/prod-1/objects.yaml": galleryCluster,
		"fleet/hub/clusters.yaml": "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: prod-1, labels: {env: prod}}\nspec: {hubAcceptsClient: true}\n",
	}
	if f.hub != "" {
		tree["fleet/hub/more.yaml"] = f.hub
	}
	if f.cluster != "" {
		tree["fleet/clusters/prod-1/cluster.yaml"] = f.cluster
	}
	tree.write(t, directory)
	args := []string{"render", "-f", "policy.yaml"}
	if f.fleet || f.hub != "" {
		return append(args, "--fleet", "fleet")
	}
	return append(append(args, "--cluster", "fleet/clusters/prod-1", "--cluster-name", "prod-1"), f.args...)
}

// TestGallery runs each fault and compares the page that shows what is printed.
func TestGallery(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(`# What policyloom says

What people get wrong most often, and what ` + "`policyloom render`" + ` prints for it. A template stands in a ConfigurationPolicy, from line 9 of
policy.yaml on; the cluster prod-1 has the namespaces shop (with the label team: red) and zoo, and a ConfigMap. This page is written by a test.
`)
	for _, f := range faults {
		directory := t.TempDir()
		args := f.write(t, directory)
		t.Chdir(directory)
		got := run(t.Context(), "", args...)
		if got.stderr == "" {
			t.Errorf("%s: nothing is said; it prints %q", f.title, got.stdout)
		}
		shown := strings.TrimSuffix(cmp.Or(f.shown, f.file, f.template), "\n")
		fmt.Fprintf(&page, "\n## %s\n\n```yaml\n%s\n```\n\n    $ policyloom %s\n", f.title, shown, strings.Join(args, " "))
		for line := range strings.Lines(got.stderr) {
			page.WriteString("    " + line)
		}
	}
	const file = "docs/errors.md"
	if *update {
		if err := os.WriteFile(root+"/"+file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if page.String() != string(want) {
		t.Errorf("%s differs; got\n%s", file, page.String())
	}
}
