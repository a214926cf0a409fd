package dnsplan

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// FuzzEndpoints checks that whatever a DNSEndpoint and the annotations of a Service hold, the record of another object comes out the
// same, unless they ask for its name.
func FuzzEndpoints(f *testing.F) {
	f.Add(`{"endpoints": [{"dnsName": "a b.example.com", "recordType": "A", "targets": ["192.0.2.1"], "labels": {"a": "1,external-dns/owner=x"}}, null]}`, "a.example.com,", "5m")
	f.Add(`{"endpoints": [{"dnsName": "*.example.com", "recordType": "CNAME", "targets": []}, {"dnsName": "4.3.2.1.in-addr.arpa", "recordType": "PTR", "targets": ["a"]}]}`, "*", "-1")
	f.Add(`{"endpoints": [{"dnsName": "x.example.com", "recordTTL": -9, "recordType": "AAAA", "targets": ["::ffff:1.2.3.4"], "providerSpecific": [{"name": "alias", "value": "true"}]}]}`, ",,", "1e9")
	f.Fuzz(func(t *testing.T, spec, host, ttl string) {
		var decoded any
		if json.Unmarshal([]byte(spec), &decoded) != nil || strings.Contains(strings.ToLower(spec+host), "good") || strings.Contains(spec, `\u`) {
			return
		}
		object := func(kind, name string, fields map[string]any) manifest.Object {
			fields["kind"] = kind
			metadata, _ := fields["metadata"].(map[string]any)
			if metadata == nil {
				metadata = map[string]any{}
				fields["metadata"] = metadata
			}
			metadata["namespace"], metadata["name"] = "shop", name
			return manifest.Object{Unstructured: &unstructured.Unstructured{Object: fields}}
		}
		in := Input{
			MaxDeletePercent: 100, Zones: []StartZone{{Name: "example.com"}},
			Clusters: []Cluster{{
				Name: "c1",
				Endpoints: []manifest.Object{
					object("DNSEndpoint", "fuzzed", map[string]any{"spec": decoded}),
					object("DNSEndpoint", "good", map[string]any{"spec": map[string]any{"endpoints": []any{map[string]any{
						"dnsName": "good.example.com", "recordType": "A", "targets": []any{"192.0.2.77"},
					}}}}),
				},
				Services: []manifest.Object{object("Service", "fuzzed", map[string]any{
					"metadata": map[string]any{"annotations": map[string]any{
						"external-dns.alpha.kubernetes.io/hostname": host, "external-dns.alpha.kubernetes.io/ttl": ttl,
						"external-dns.alpha.kubernetes.io/target": host + ",192.0.2.1",
					}},
					"spec": map[string]any{"type": "LoadBalancer"},
				})},
				Settings: []Settings{{Cluster: "c1", Args: []string{"--source=crd", "--source=service", "--txt-owner-id=c1"}}},
			}},
		}
		plan, err := Run(context.Background(), in)
		if err != nil {
			// The spec is one that an API server refuses.
			return
		}
		for _, zone := range plan.Zones {
			for _, change := range zone.Changes {
				if change.Name == "good.example.com" && change.Action == Create && change.Owner == "c1" && change.After.Targets[0] == "192.0.2.77" {
					return
				}
			}
		}
		t.Errorf("the good record is gone: %+v", plan)
	})
}
