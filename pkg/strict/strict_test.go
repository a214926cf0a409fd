package strict

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

func parse(t testing.TB, text string) (manifest.Object, bool) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return manifest.Object{}, false
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(data); err != nil {
		return manifest.Object{}, false
	}
	return manifest.Object{Unstructured: object, Position: diag.Position{File: "f.yaml", Line: 3}}, true
}

func TestDecodeReportsAllAtOnce(t *testing.T) {
	object, ok := parse(t, `
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: p, namespace: ns, label: {a: b}, creationTimestamp: null}
spec:
  disabled: "false"
  remediationActions: enforce
  policy-templates:
  - objectDefinition: {kind: Anything, spec: {is: [allowed]}}
    ignorePending: 1
    extraDependencies: {}
status: {unknown: 1}
`)
	if !ok {
		t.Fatal("the test's own YAML is wrong")
	}
	var policy policiesv1.Policy
	ok, findings := Decode(object, &policy)
	want := `f.yaml:3: Policy ns/p: metadata.label: unknown field (did you mean "labels"?)
f.yaml:3: Policy ns/p: spec.disabled: must be true or false, is the string "false"
f.yaml:3: Policy ns/p: spec.policy-templates[0].extraDependencies: must be a list, is a mapping
f.yaml:3: Policy ns/p: spec.policy-templates[0].ignorePending: must be true or false, is 1
f.yaml:3: Policy ns/p: spec.remediationActions: unknown field (did you mean "remediationAction"?)`
	if ok || findings.Error() != want {
		t.Errorf("decoded: %v; got\n%s\nwant\n%s", ok, findings.Error(), want)
	}
}

func TestDecodeKeepsWhatIsKnown(t *testing.T) {
	object, _ := parse(t, `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c, labels: {a: b}}
spec: {hubAcceptsClient: true, extra: 1, taints: [{key: k, effect: NoSelect, timeAdded: "2025-11-01T10:00:00Z"}]}
status: {capacity: {cpu: "4", memory: 16Gi}}
`)
	var cluster clusterv1.ManagedCluster
	ok, findings := Decode(object, &cluster)
	if !ok || len(findings) != 1 || findings[0].Field != "spec.extra" {
		t.Errorf("decoded: %v; findings:\n%s", ok, findings.Error())
	}
	if !cluster.Spec.HubAcceptsClient || cluster.Labels["a"] != "b" || cluster.Spec.Taints[0].TimeAdded.UTC().Hour() != 10 {
		t.Errorf("decoded %+v", cluster)
	}
}

func TestDecodeTakesEmbeddedPointersApart(t *testing.T) {
	object, _ := parse(t, `
apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata: {name: p}
spec: {namespaceSelector: {include: [a], matchLabels: {b: c}, matchLabel: {}}}
`)
	var policy configpolicyv1.ConfigurationPolicy
	ok, findings := Decode(object, &policy)
	if !ok || len(findings) != 1 || findings[0].Field != "spec.namespaceSelector.matchLabel" {
		t.Errorf("decoded: %v; findings:\n%s", ok, findings.Error())
	}
	if selector := policy.Spec.NamespaceSelector; selector.LabelSelector == nil || selector.MatchLabels["b"] != "c" {
		t.Errorf("decoded %+v", selector)
	}
}

func TestDecodeCustomTypes(t *testing.T) {
	object, _ := parse(t, `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c}
spec: {taints: [{key: k, effect: NoSelect, timeAdded: yesterday}], managedClusterClientConfigs: [{url: u, caBundle: "***"}]}
status: {capacity: {cpu: lots}}
`)
	ok, findings := Decode(object, &clusterv1.ManagedCluster{})
	want := `f.yaml:3: ManagedCluster c: spec.managedClusterClientConfigs[0].caBundle: must be a base64 string, is the string "***"
f.yaml:3: ManagedCluster c: spec.taints[0].timeAdded: must be a valid Time, is the string "yesterday"
f.yaml:3: ManagedCluster c: status.capacity["cpu"]: must be a valid Quantity, is the string "lots"`
	if ok || findings.Error() != want {
		t.Errorf("decoded: %v; got\n%s\nwant\n%s", ok, findings.Error(), want)
	}
}

func TestPath(t *testing.T) {
	for field, want := range map[string]string{
		"":                              "(nil)",
		"spec.policy-templates[12].a":   `{"spec", "policy-templates", 12, "a"}`,
		`metadata.labels["a.b/c[0]"].d`: `{"metadata", "labels", "a.b/c[0]", "d"}`,
		`metadata.labels["a\"]"]`:       `{"metadata", "labels", "a\"]"}`,
		"spec[x].b":                     `{"spec"}`,
		"[":                             "(nil)",
	} {
		if got := fmt.Sprintf("%#v", Path(field)); got != "[]interface {}"+want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}

// FuzzDecode checks that no object makes Decode panic, and that what it lets pass has no finding but unknown fields.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"kind: Policy\nmetadata: {name: a}\nspec: {policy-templates: [null, {}, 1]}",
		"kind: Policy\nmetadata: []\nspec: 1e400",
		"kind: Policy\nmetadata: {name: 1.5, creationTimestamp: {}, generation: 1.5}\nspec: {hubTemplateOptions: null}",
		"kind: ManagedCluster\nspec: {leaseDurationSeconds: 99999999999}\nstatus: {conditions: [{lastTransitionTime: 5}]}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, ok := parse(t, text)
		if !ok {
			return
		}
		for _, into := range []any{&policiesv1.Policy{}, &clusterv1.ManagedCluster{}} {
			ok, findings := Decode(object, into)
			for _, finding := range findings {
				if ok && !strings.HasPrefix(finding.Message, "unknown field") {
					t.Errorf("decoded in spite of: %s", finding)
				}
			}
			if !ok && len(findings) == 0 {
				t.Error("not decoded, and nothing says why")
			}
		}
	})
}
