package evaluate_test

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// BenchmarkEvaluate evaluates the policy over a cluster of so many machines that has no DNSEndpoint yet, until nothing changes.
func BenchmarkEvaluate(b *testing.B) {
	for name, spec := range map[string][]string{"per=Interface": nil, "per=Namespace": {"endpoint: {per: Namespace}"}} {
		for _, count := range []int{500, 5000} {
			b.Run(fmt.Sprintf("%s/machines=%d", name, count), func(b *testing.B) {
				templates := vmDNS(b, "", spec...)
				var fixtures []manifest.Object
				for i := range count {
					fixtures = append(fixtures, manifest.Object{Unstructured: manyVMI(b, i)})
				}
				inMemory, findings := cluster.New(fixtures)
				if findings.HasErrors() {
					b.Fatal(findings)
				}
				b.ReportAllocs()
				for b.Loop() {
					state := cluster.NewState(inMemory, clock)
					result, err := evaluate.NewSession(state).Evaluate(context.Background(), templates)
					if err != nil || len(result.Findings) > 0 || result.Policies[0].Compliance != evaluate.Compliant {
						b.Fatal(err, result.Findings)
					}
					list, err := state.List(endpointKind, "", nil)
					if want := map[string]int{"per=Interface": count, "per=Namespace": 50}[name]; err != nil || len(list) != want {
						b.Fatal(len(list), err)
					}
				}
			})
		}
	}
}

func manyVMI(b *testing.B, i int) *unstructured.Unstructured {
	b.Helper()
	return vmi(b, fmt.Sprintf("ns%d", i%50), fmt.Sprintf("vm%d", i), fmt.Sprintf("172.16.%d.%d", i/250, i%250+1))
}
