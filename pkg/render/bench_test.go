package render_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/metrics"
	"testing"
	"testing/fstest"
	"time"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// BenchmarkOneCluster loads and renders one cluster of machines of about 4 KB each.
func BenchmarkOneCluster(b *testing.B) {
	for _, size := range []int{500, 5000, 20000} {
		files := fstest.MapFS{"cluster/vmis.yaml": {Data: machines(size)}}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				oneCluster(b, files, size)
			}
		})
	}
}

// BenchmarkFleet loads and renders a fleet of clusters of 100 machines each. Memory must be that of the clusters in flight: the
// metric is the largest heap that was seen when a cluster was handed on, and must not grow with the fleet.
func BenchmarkFleet(b *testing.B) {
	text := &fstest.MapFile{Data: machines(100)}
	for _, size := range []int{100, 1000} {
		files := fstest.MapFS{"fleet/hub/binding.yaml": {Data: []byte(setBinding)}}
		for i := range size {
			files[fmt.Sprintf("fleet/clusters/cluster-%04d/vmis.yaml", i)] = text
		}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.ReportMetric(float64(wholeFleet(b, files, 100*size))/1e6, "heap-MB")
			}
		})
	}
}

const setBinding = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: policies}
spec: {clusterSet: default}
`

// wholeFleet gives the size of the largest heap.
func wholeFleet(b *testing.B, files fstest.MapFS, want int) (heap uint64) {
	b.Helper()
	fixtures, findings := fleet.Load(files, "fleet")
	if findings.HasErrors() {
		b.Fatal(findings)
	}
	objects, clusters := 0, 0
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	found, err := render.Run(context.Background(), render.Input{
		Fleet: fixtures, Policies: dnsPolicy(b), Now: time.Unix(0, 0),
	}, func(cluster render.Cluster) error {
		objects += len(cluster.Objects)
		if clusters++; clusters%10 == 0 {
			metrics.Read(sample)
			heap = max(heap, sample[0].Value.Uint64())
		}
		return cluster.Findings.Err()
	})
	if err != nil || found.HasErrors() || objects != want {
		b.Fatal(objects, err, found)
	}
	return heap
}

func oneCluster(b *testing.B, files fstest.MapFS, want int) {
	b.Helper()
	fixtures, findings := fleet.LoadCluster(files, "cluster1", nil, "cluster")
	if findings.HasErrors() {
		b.Fatal(findings)
	}
	count := 0
	found, err := render.Run(context.Background(), render.Input{
		Fleet: fixtures, Policies: dnsPolicy(b), Direct: true, Now: time.Unix(0, 0),
	}, func(cluster render.Cluster) error {
		count += len(cluster.Objects)
		return cluster.Findings.Err()
	})
	if err != nil || found.HasErrors() || count != want {
		b.Fatal(count, err, found)
	}
}

func dnsPolicy(b *testing.B) []manifest.Object {
	b.Helper()
	dns := &v1alpha1.VirtualMachineDNS{}
	dns.Metadata.Name = "vm-dns"
	dns.Spec.Policy.Namespace = "policies"
	dns.Default()
	generated, err := generate.Objects([]*v1alpha1.VirtualMachineDNS{dns})
	if err != nil {
		b.Fatal(err)
	}
	var objects []manifest.Object
	for _, object := range generated {
		objects = append(objects, manifest.Object{Unstructured: object})
	}
	return objects
}

// machines gives a YAML stream of machines in 50 namespaces, each with two interfaces, one of them named.
func machines(count int) []byte {
	var b bytes.Buffer
	for i := range count {
		fmt.Fprintf(&b, machine, i, i%50, i/250%250, i%250, i)
	}
	return b.Bytes()
}
