package templates_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/propagate"
)

// encodings are ways in which a Policy reaches the hub: what each makes of a YAML document.
func encodings() map[string]func([]byte) ([]byte, error) {
	return map[string]func([]byte) ([]byte, error){
		"as generated": func(text []byte) ([]byte, error) { return text, nil },
		"JSON":         yaml.YAMLToJSON,
		"kubectl": func(text []byte) ([]byte, error) {
			var content any
			if err := yaml.Unmarshal(text, &content); err != nil {
				return nil, err
			}
			return yaml.Marshal(content)
		},
		"kustomize": func(text []byte) ([]byte, error) {
			node, err := kyaml.Parse(string(text))
			if err != nil {
				return nil, err
			}
			out, err := node.String()
			return []byte(out), err
		},
		"double quotes": func(text []byte) ([]byte, error) {
			var node yamlv3.Node
			if err := yamlv3.Unmarshal(text, &node); err != nil {
				return nil, err
			}
			doubleQuote(&node)
			return yamlv3.Marshal(&node)
		},
	}
}

func doubleQuote(node *yamlv3.Node) {
	if node.Kind == yamlv3.ScalarNode && node.Tag == "!!str" {
		node.Style = yamlv3.DoubleQuotedStyle
	}
	for _, child := range node.Content {
		doubleQuote(child)
	}
}

func TestDomainOfTheCluster(t *testing.T) {
	t.Parallel()
	ofClusters := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "domains", "namespace": "policies"},
		"data": map[string]any{"west": "map-west.example.com", "odd": "map-odd.example.com", "quoted": `"; evil {{ "`},
	}
	for name, c := range map[string]struct {
		domain string
		hub    []map[string]any
		want   map[string]string
	}{
		"label": {domain: "{default: example.com, clusterLabel: dns.example.com/zone}", want: map[string]string{
			"west": "west.example.com", "plain": "example.com", "odd": "example.com", "quoted": "example.com",
		}},
		"ConfigMap": {domain: "{default: example.com, configMap: domains}", hub: []map[string]any{ofClusters}, want: map[string]string{
			"west": "map-west.example.com", "plain": "example.com", "odd": "map-odd.example.com", "quoted": "",
		}},
		"label before ConfigMap": {
			domain: "{default: example.com, configMap: domains, clusterLabel: dns.example.com/zone}", hub: []map[string]any{ofClusters},
			want: map[string]string{"west": "west.example.com", "plain": "example.com", "odd": "map-odd.example.com", "quoted": ""},
		},
		"no such ConfigMap": {domain: "{default: example.com, configMap: domains}", want: map[string]string{
			"west": "example.com", "plain": "example.com", "odd": "example.com", "quoted": "example.com",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := generate.YAML([]*v1alpha1.VirtualMachineDNS{resource(t, `names: {convention: "{vm}.{namespace}.{domain}", domain: `+c.domain+`}`)})
			if err != nil {
				t.Fatal(err)
			}
			document, rest, _ := strings.Cut(string(content), "\n---\n")
			if !strings.Contains(document, "kind: Policy") {
				t.Fatal("the Policy is not the first document")
			}
			for encoding, encode := range encodings() {
				policy, err := encode([]byte(document + "\n"))
				if err != nil {
					t.Fatal(err)
				}
				hub := append(load(t, "policy", policy), load(t, "rest", []byte(rest))...)
				hub = append(hub, decoded(t, c.hub...)...)
				for managedCluster, domain := range c.want {
					want := []string{"shop/web-corp: web.shop." + domain + " A 192.0.2.1"}
					if domain == "" {
						want = []string{`warning: "web.shop.\"; evil {{ \"" is not a domain name`}
					}
					if got := onCluster(t, hub, managedCluster); !slices.Equal(got, want) {
						t.Errorf("%s, %s: got %v, want %v", encoding, managedCluster, got, want)
					}
				}
			}
		})
	}
}

// onCluster gives what the policies of the hub make of one machine on a managed cluster.
func onCluster(t *testing.T, hub []manifest.Object, name string) []string {
	t.Helper()
	hub = append(slices.Clone(hub), decoded(t,
		managedCluster("west", map[string]any{"dns.example.com/zone": "west.example.com"}),
		managedCluster("plain", nil),
		managedCluster("odd", map[string]any{"dns.example.com/zone": ""}),
		managedCluster("quoted", nil),
		managedCluster("broken", nil),
	)...)
	inMemory, findings := cluster.New(hub)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	propagator, findings := propagate.New(hub, []placement.Result{{
		Kind: "Placement", Namespace: "policies", Name: "placement-vm-dns", Groups: []placement.Group{{Clusters: []string{"west", "plain", "odd", "quoted", "broken"}}},
	}}, inMemory.Watcher(cluster.SharedObjects()))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	replicated, findings := propagator.Cluster(name)
	if findings.HasErrors() || len(replicated) != 1 {
		t.Fatal(replicated, findings)
	}
	definition := &unstructured.Unstructured{}
	if err := json.Unmarshal(replicated[0].Policy.Spec.PolicyTemplates[0].ObjectDefinition.Raw, &definition.Object); err != nil {
		t.Fatal(err)
	}
	template := evaluate.Template{Object: manifest.Object{Unstructured: definition}, RemediationAction: "enforce", Observe: observe}
	objects, findings := render(t, template, decoded(t, machine("shop/web", nil, nic("corp", "192.0.2.1"))))
	return outcome(t, objects, findings)
}

func managedCluster(name string, labels map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
		"metadata": map[string]any{"name": name, "labels": labels}, "spec": map[string]any{"hubAcceptsClient": true},
	}
}

// A cluster without a domain gets no name that is another one.
func TestNoDomain(t *testing.T) {
	t.Parallel()
	content, err := generate.YAML([]*v1alpha1.VirtualMachineDNS{
		resource(t, `names: {convention: "{vm}.{namespace}.{domain}, {vm}.example.org", domain: {configMap: none}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := onCluster(t, load(t, "policy", content), "plain")
	if want := []string{"shop/web-corp: web.example.org A 192.0.2.1", `warning: "web.shop.{domain}" is not a domain name`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// What YAML refuses in the domain of a cluster costs that cluster the names of the convention, and nothing else.
func TestDomainThatYAMLRefuses(t *testing.T) {
	t.Parallel()
	content, err := generate.YAML([]*v1alpha1.VirtualMachineDNS{
		resource(t, `names: {convention: "{vm}.{domain}, {vm}.example.org", domain: {configMap: domains}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	hub := append(load(t, "policy", content), decoded(t, map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "domains", "namespace": "policies"},
		"data": map[string]any{"broken": "x.com\u0085\u2028"},
	})...)
	got := onCluster(t, hub, "broken")
	if len(got) != 2 || got[0] != "shop/web-corp: web.example.org A 192.0.2.1" {
		t.Errorf("got %q", got)
	}
}
