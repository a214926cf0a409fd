package dnsplan

import (
	"strings"
	"testing"

	"sigs.k8s.io/external-dns/endpoint"

	"github.com/policyloom/policyloom/pkg/manifest"
)

const testKey = "01234567890123456789012345678901"

// TestEncryptedOwnership reads an ownership record that is encrypted, and writes texts in clear, which are the same each time.
func TestEncryptedOwnership(t *testing.T) {
	t.Parallel()
	text := endpoint.Labels{endpoint.OwnerLabelKey: "c1", endpoint.ResourceLabelKey: "crd/shop/vm0"}.Serialize(true, true, []byte(testKey))
	in := Input{MaxDeletePercent: 100, Zones: []StartZone{{Name: "example.com", Records: []StartRecord{
		{Name: "web.example.com", Type: "A", TTL: 180, Targets: []string{"192.0.2.1"}},
		{Name: "a-web.example.com", Type: "TXT", Targets: []string{text}},
	}}}}
	in.Clusters = []Cluster{{Name: "c1", Settings: []Settings{{Cluster: "c1", Args: []string{
		"--txt-owner-id=c1", "--policy=sync", "--txt-encrypt-enabled", "--txt-encrypt-aes-key=" + testKey,
	}}}}}
	plan := planText(t, in)
	if !strings.Contains(plan, `"delete": 1`) || !strings.Contains(plan, `"resource": "crd/shop/vm0"`) {
		t.Errorf("the ownership is not seen: %s", plan)
	}
	in.Clusters[0].Endpoints = endpointOf(t, "new.example.com", "192.0.2.2")
	plan = planText(t, in)
	if !strings.Contains(plan, "heritage=external-dns,external-dns/owner=c1,external-dns/resource=crd/shop/vm") || plan != planText(t, in) {
		t.Errorf("the ownership is not written in clear: %s", plan)
	}
}

// TestAliasOwnership finds the ownership of an alias record under the name that CNAMEs have.
func TestAliasOwnership(t *testing.T) {
	t.Parallel()
	for alias, want := range map[string]string{"true": "c1", "false": ""} {
		in := Input{MaxDeletePercent: 100, Zones: []StartZone{{Name: "example.com", Records: []StartRecord{
			{Name: "web.example.com", Type: "A", Targets: []string{"lb.example.net"}, Properties: map[string]string{"alias": alias}},
			{Name: "cname-web.example.com", Type: "TXT", Targets: []string{`"heritage=external-dns,external-dns/owner=c1"`}},
		}}}}
		in.Clusters = []Cluster{{Name: "c1", Settings: []Settings{{Cluster: "c1", Args: []string{"--txt-owner-id=c1", "--policy=upsert-only"}}}}}
		plan, err := Run(t.Context(), in)
		if err != nil || len(plan.Zones[0].Untouched) != 1 || plan.Zones[0].Untouched[0].Owner != want {
			t.Errorf("alias %s: %v %+v", alias, err, plan.Zones[0])
		}
	}
}

func endpointOf(t *testing.T, name, target string) []manifest.Object {
	t.Helper()
	objects, findings := manifest.Decode("dns.yaml", []byte("apiVersion: externaldns.k8s.io/v1alpha1\nkind: DNSEndpoint\nmetadata: {name: vm, namespace: shop}\n"+
		"spec: {endpoints: [{dnsName: "+name+", recordType: A, targets: ["+target+"]}]}\n"))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return objects
}
