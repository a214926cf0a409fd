package render_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/render"
)

// BenchmarkCompliance loads, renders and evaluates one cluster of machines of about 4 KB each, which has no DNSEndpoint yet, until
// nothing changes. The metric is the largest heap.
func BenchmarkCompliance(b *testing.B) {
	for name, c := range map[string]struct {
		per     v1alpha1.EndpointPer
		objects func(size int) int
	}{
		"per-interface": {v1alpha1.EndpointPerInterface, func(size int) int { return size }},
		"per-namespace": {v1alpha1.EndpointPerNamespace, func(int) int { return namespaces }},
	} {
		for _, size := range []int{500, 5000} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				dir := b.TempDir()
				writeMachines(b, filepath.Join(dir, "vmis.yaml"), size)
				policies := dnsPolicy(b, c.per)
				b.ReportAllocs()
				for b.Loop() {
					heap := watchHeap()
					fixtures, findings := fleet.LoadCluster(os.DirFS(dir), "cluster1", nil, ".")
					if findings.HasErrors() {
						b.Fatal(findings)
					}
					found, err := render.Run(context.Background(), render.Input{
						Fleet: fixtures, Policies: policies, Direct: true, Evaluate: true, Now: time.Unix(0, 0),
					}, func(cluster render.Cluster) error {
						policy := cluster.Evaluation.Policies[0]
						if changes := len(policy.Templates[0].Changes); changes != c.objects(size) || policy.Compliance != evaluate.Compliant {
							b.Errorf("%s with %d changes", policy.Compliance, changes)
						}
						return cluster.Findings.Err()
					})
					if err != nil || found.HasErrors() {
						b.Fatal(err, found)
					}
					b.ReportMetric(float64(heap())/1e6, "MB")
				}
			})
		}
	}
}
