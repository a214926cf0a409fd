package dnsplan_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// BenchmarkPlan plans a fleet of three clusters, half of whose names are in the zone already, and some of them elsewhere.
func BenchmarkPlan(b *testing.B) {
	for _, names := range []int{1000, 10000} {
		for layout, size := range map[string]int{"per-machine": 1, "per-namespace": 250} {
			b.Run(fmt.Sprintf("%s/3x%d", layout, names), func(b *testing.B) {
				in := dnsplan.Input{MaxDeletePercent: 100}
				zone := dnsplan.StartZone{Name: "example.com"}
				for _, cluster := range []string{"east", "north", "west"} {
					in.Clusters = append(in.Clusters, clusterOf(cluster, names, size))
					for n := range names / 2 {
						zone.Records = append(zone.Records, owned(cluster, n)...)
					}
				}
				in.Zones = []dnsplan.StartZone{zone}
				b.ReportAllocs()
				for b.Loop() {
					plan, err := dnsplan.Run(b.Context(), in)
					if err != nil || plan.Findings.HasErrors() {
						b.Fatal(err, plan.Findings)
					}
					if s := plan.Summary; s.Create != names/2*3 || s.Update != names/20*3 || s.Untouched != (names/2-names/20)*3 {
						b.Fatal(s)
					}
				}
			})
		}
	}
}

// clusterOf gives a cluster with names in objects of that size.
func clusterOf(name string, names, size int) dnsplan.Cluster {
	c := dnsplan.Cluster{Name: name, Settings: []dnsplan.Settings{{Cluster: name, Args: []string{"--txt-owner-id=" + name, "--policy=sync"}}}}
	for first := 0; first < names; first += size {
		var endpoints []any
		for n := first; n < first+size; n++ {
			endpoints = append(endpoints, map[string]any{
				"dnsName": hostOf(name, n), "recordType": "A", "recordTTL": int64(180), "targets": []any{addressOf(n)},
			})
		}
		c.Endpoints = append(c.Endpoints, manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "externaldns.k8s.io/v1alpha1", "kind": "DNSEndpoint",
			"metadata": map[string]any{"name": fmt.Sprintf("vm%d", first), "namespace": "shop"},
			"spec":     map[string]any{"endpoints": endpoints},
		}}})
	}
	return c
}

func hostOf(cluster string, n int) string { return fmt.Sprintf("vm%d.%s.example.com", n, cluster) }

func addressOf(n int) string { return fmt.Sprintf("10.%d.%d.%d", n>>16, n>>8&255, n&255) }

// owned gives a record and its ownership record. Each tenth has another address than the cluster asks for.
func owned(cluster string, n int) []dnsplan.StartRecord {
	address := addressOf(n)
	if n%10 == 0 {
		address = "192.0.2.1"
	}
	return []dnsplan.StartRecord{
		{Name: hostOf(cluster, n), Type: "A", TTL: 180, Targets: []string{address}},
		{Name: "a-" + hostOf(cluster, n), Type: "TXT", Targets: []string{fmt.Sprintf(
			`"heritage=external-dns,external-dns/owner=%s,external-dns/resource=crd/shop/vm%d"`, cluster, n)}},
	}
}
