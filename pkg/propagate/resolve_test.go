package propagate

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
)

// withTemplate gives a hub with one policy, placed on c1, whose ConfigurationPolicy has the given raw template.
func withTemplate(t testing.TB, raw string, more ...manifest.Object) *Propagator {
	objects := append(parse(t, "hub.yaml", policyHead+"{disabled: false, remediationAction: inform}\n---\n"+bindingHead+
		"placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}\n"+
		"subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: p}]"), more...)
	objects[0].Object["spec"].(map[string]any)["policy-templates"] = []any{map[string]any{"objectDefinition": map[string]any{
		"apiVersion": "policy.open-cluster-management.io/v1", "kind": "ConfigurationPolicy",
		"metadata": map[string]any{"name": "c"}, "spec": map[string]any{"object-templates-raw": raw},
	}}}
	p, findings := New(objects, []placement.Result{selects("ns", "all", "c1")}, memoryWatcher{objects})
	if len(findings) > 0 {
		t.Fatal(findings.Error())
	}
	return p
}

const secret = `
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: ns}
data: {token: c2VjcmV0}
`

func TestErrors(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{
			"line of a literal block", "a: b\n{{hub if true hub}}\nc: {{hub index .PolicyMetadata.labels 1 hub}}\n{{hub end hub}}\n",
			"line 3: <index .PolicyMetadata.labels 1>: error calling index: value has type int; should be string",
		},
		{
			"line of a quoted text", "a: b \nc: {{hub index .PolicyMetadata.labels 1 hub}}\n",
			"line 2: <index .PolicyMetadata.labels 1>: error calling index: value has type int; should be string",
		},
		{"unknown function", "a: b\nb: {{hub nonsense hub}}\n", `line 2: function "nonsense" not defined`},
		{"unclosed action", "a: b\nb: {{hub .ManagedClusterName }}\n", `line 2: unexpected "}" in operand`},
		{"invalid result", "{{hub `a: b` hub}}\n", ""},
		{"broken result", "a: '{{hub \"x'\\n- y: '\" hub}}'\n", ""},
		{
			"lookup of DNS", "a: {{hub getHostByName \"example.com\" hub}}\n",
			`line 1: <getHostByName "example.com">: error calling getHostByName: asking a DNS server is not available offline: the hub would resolve the name`,
		},
		{
			"secret in the message", "a: {{hub mustToDate \"2006\" (fromSecret \"\" \"token\" \"token\") hub}}\n",
			"(the message is left out, as the template reads Secrets)",
		},
		{"missing secret", "a: {{hub fromSecret \"\" \"none\" \"token\" hub}}\n", `secrets "none" not found`},
		{
			"shifted lines", "a: b\nb: {{hub \"1\" | toInt hub}}\nc: {{hub index .PolicyMetadata.labels 1 hub}}\n",
			"hub template of policy-templates[0] ConfigurationPolicy/c: <index .PolicyMetadata.labels 1>",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, findings := withTemplate(t, c.raw, parse(t, "secret.yaml", secret)...).Cluster("c1")
			got := findings.Error()
			if !strings.Contains(got, c.want) || c.want != "" && !findings.HasErrors() {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if strings.Contains(got, "object-templates-raw\":") || strings.Contains(got, "c2VjcmV0") || strings.Contains(got, "template: tmpl") {
				t.Errorf("the message shows too much: %s", got)
			}
		})
	}
}

func TestEncryption(t *testing.T) {
	const raw = "a: '{{hub fromSecret \"\" \"token\" \"token\" hub}}'\nb: '{{hub \"x\" | protect hub}}'\n"
	list, findings := withTemplate(t, raw, parse(t, "secret.yaml", secret)...).Cluster("c1")
	if got := rawTemplates(t, list[0]); got != "a: 'c2VjcmV0'\nb: 'x'\n" {
		t.Errorf("without a key: %s", got)
	}
	if text := findings.Error(); findings.HasErrors() || !strings.Contains(text, "are in clear here; the hub encrypts them") ||
		!strings.Contains(text, "with Secret c1/policy-encryption-key in the hub's fixtures they are encrypted") {
		t.Errorf("findings: %s", text)
	}

	key := parse(t, "key.yaml", secret+`---
apiVersion: v1
kind: Secret
metadata: {name: policy-encryption-key, namespace: c1}
data: {key: MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=}
`)
	first, findings := withTemplate(t, raw, key...).Cluster("c1")
	second, _ := withTemplate(t, raw, key...).Cluster("c1")
	if len(findings) > 0 || strings.Count(rawTemplates(t, first[0]), "$ocm_encrypted:") != 2 {
		t.Errorf("with a key: %s\n%s", rawTemplates(t, first[0]), findings.Error())
	}
	if a, b := asJSON(t, first), asJSON(t, second); a != b {
		t.Errorf("not stable:\n%s\n%s", a, b)
	}
	if first[0].Policy.Annotations["policy.open-cluster-management.io/encryption-iv"] == "" {
		t.Error("the policy lacks the vector")
	}
}

func asJSON(t testing.TB, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestClustersInParallel(t *testing.T) {
	objects := append(readFile(t, "testdata/hub.yaml"), readFile(t, "testdata/policies.yaml")...)
	p, _ := New(objects, crossDecisions, memoryWatcher{objects})
	want := map[string]string{}
	for _, cluster := range p.Clusters() {
		list, findings := p.Cluster(cluster)
		want[cluster] = asJSON(t, list) + findings.Error()
	}
	var group sync.WaitGroup
	for range 4 {
		for _, cluster := range p.Clusters() {
			group.Go(func() {
				list, findings := p.Cluster(cluster)
				if got := asJSON(t, list) + findings.Error(); got != want[cluster] {
					t.Errorf("%s differs:\n%s\n%s", cluster, got, want[cluster])
				}
			})
		}
	}
	group.Wait()
}

// FuzzTemplate checks that no hub template makes the replication panic or show its whole text in a message.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"{{hub .ManagedClusterName hub}}", "a: {{hub", "{{hub range $i, $e := .PolicyMetadata hub}}{{hub $e hub}}{{hub end hub}}",
		"{{hub template `x` hub}}", "{{hub fromConfigMap `` `` `` hub}}\n\t\r\n", "{{hub- /* c */ -hub}}", "{{hub index . 1 hub}}\\n \n{{hub $ hub}}", "\x00{{hub\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 1000 || strings.Contains(raw, "until") || strings.Contains(raw, "repeat") || strings.Contains(raw, "seq") {
			return
		}
		list, findings := withTemplate(t, strings.ToValidUTF8(raw, "?")).Cluster("c1")
		if len(list) == 0 && len(findings) == 0 {
			t.Error("nothing replicated, and nothing says why")
		}
		for _, finding := range findings {
			if strings.ContainsAny(finding.Message, "\n") || strings.Contains(finding.Message, `"kind":"ConfigurationPolicy"`) {
				t.Errorf("message %q", finding.Message)
			}
		}
	})
}

func BenchmarkCluster(b *testing.B) {
	const clusters = 1000
	names := make([]string, clusters)
	var maps strings.Builder
	for i := range clusters {
		names[i] = fmt.Sprintf("c%d", i)
		fmt.Fprintf(&maps, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d, namespace: acm-policies}\ndata: {zones: '[{name: a, domain: a.example.com}]'}\n", i)
	}
	objects := append(bound(b, "p07-hub-configmap-per-cluster.yaml", "zones"), parse(b, "maps.yaml", maps.String())...)
	p, _ := New(objects, []placement.Result{selects("acm-policies", "all", names...)}, memoryWatcher{objects})
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			if list, findings := p.Cluster(name); len(list) != 1 || len(findings) > 0 {
				b.Fatal(findings.Error())
			}
		}
	}
}
