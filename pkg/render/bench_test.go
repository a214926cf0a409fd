package render_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// BenchmarkOneCluster loads and renders one cluster of machines of about 4 KB each. The metric is the largest heap.
func BenchmarkOneCluster(b *testing.B) {
	for name, c := range map[string]struct {
		notation string
		per      v1alpha1.EndpointPer
		objects  func(size int) int
	}{
		"yaml":          {"yaml", v1alpha1.EndpointPerInterface, func(size int) int { return size }},
		"json":          {"json", v1alpha1.EndpointPerInterface, func(size int) int { return size }},
		"per-namespace": {"yaml", v1alpha1.EndpointPerNamespace, func(int) int { return namespaces }},
	} {
		for _, size := range []int{100, 1000, 5000, 20000, 100000} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				if size > 20000 && testing.Short() {
					b.Skip("takes minutes")
				}
				dir := b.TempDir()
				writeMachines(b, filepath.Join(dir, "vmis."+c.notation), size)
				policies := dnsPolicy(b, c.per)
				b.ReportAllocs()
				for b.Loop() {
					heap := watchHeap()
					oneCluster(b, os.DirFS(dir), policies, c.objects(size))
					b.ReportMetric(float64(heap())/1e6, "heap-MB")
				}
			})
		}
	}
}

// BenchmarkFleet loads and renders a fleet of clusters of 100 machines each. Memory must be that of the clusters in flight: the
// metric is the largest heap, which must not grow with the fleet.
func BenchmarkFleet(b *testing.B) {
	for _, notation := range []string{"yaml", "json"} {
		for _, size := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", notation, size), func(b *testing.B) {
				dir := b.TempDir()
				writeFleet(b, dir, notation, size)
				policies := dnsPolicy(b, v1alpha1.EndpointPerInterface)
				b.ReportAllocs()
				for b.Loop() {
					heap := watchHeap()
					wholeFleet(b, os.DirFS(dir), policies, 100*size)
					b.ReportMetric(float64(heap())/1e6, "heap-MB")
				}
			})
		}
	}
}

// watchHeap looks at the heap until the function that it gives is called, which gives the largest size in bytes.
func watchHeap() func() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	stop, largest := make(chan struct{}), make(chan uint64)
	runtime.GC()
	go func() {
		var most uint64
		for {
			select {
			case <-stop:
				largest <- most
				return
			case <-time.After(5 * time.Millisecond):
				metrics.Read(sample)
				most = max(most, sample[0].Value.Uint64())
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-largest
	}
}

const setBinding = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: policies}
spec: {clusterSet: default}
`

func wholeFleet(b *testing.B, fsys fs.FS, policies []manifest.Object, want int) {
	b.Helper()
	fixtures, findings := fleet.Load(fsys, "fleet")
	if findings.HasErrors() {
		b.Fatal(findings)
	}
	count(b, render.Input{Fleet: fixtures, Policies: policies, Now: time.Unix(0, 0)}, want)
}

func oneCluster(b *testing.B, fsys fs.FS, policies []manifest.Object, want int) {
	b.Helper()
	fixtures, findings := fleet.LoadCluster(fsys, "cluster1", nil, ".")
	if findings.HasErrors() {
		b.Fatal(findings)
	}
	count(b, render.Input{Fleet: fixtures, Policies: policies, Direct: true, Now: time.Unix(0, 0)}, want)
}

// count renders, and wants that many objects.
func count(b *testing.B, in render.Input, want int) {
	b.Helper()
	got := 0
	findings, err := render.Run(context.Background(), in, func(cluster render.Cluster) error {
		got += len(cluster.Objects)
		return cluster.Findings.Err()
	})
	if err != nil || findings.HasErrors() || got != want {
		b.Fatal(got, err, findings)
	}
}

func dnsPolicy(b *testing.B, per v1alpha1.EndpointPer) []manifest.Object {
	b.Helper()
	dns := &v1alpha1.VirtualMachineDNS{}
	dns.Metadata.Name = "vm-dns"
	dns.Spec.Policy.Namespace = "policies"
	dns.Spec.Endpoint.Per = per
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

// namespaces are those that the machines are in.
const namespaces = 50

// machines gives a YAML stream of machines, each with two interfaces, one of them named.
func machines(count int) []byte {
	var b bytes.Buffer
	for i := range count {
		b.WriteString(oneMachine(i))
	}
	return b.Bytes()
}

func oneMachine(i int) string { return fmt.Sprintf(machine, i, i%namespaces, i/250%250, i%250, i) }

// writeMachines writes what "oc get -o yaml" or "-o json" would print. It does not hold the text in memory: what this process takes
// counts for the programs that it starts, too.
func writeMachines(b *testing.B, name string, size int) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	if filepath.Ext(name) == ".yaml" {
		for i := range size {
			_, _ = w.WriteString(oneMachine(i))
		}
	} else {
		writeJSON(b, w, size)
	}
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		b.Fatal(err)
	}
}

func writeJSON(b *testing.B, w *bufio.Writer, size int) {
	b.Helper()
	_, _ = w.WriteString(`{"apiVersion": "v1", "kind": "List", "items": [`)
	for i := range size {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(oneMachine(i)), &object); err != nil {
			b.Fatal(err)
		}
		indented, err := json.MarshalIndent(object, "        ", "    ")
		if err != nil {
			b.Fatal(err)
		}
		if i > 0 {
			_ = w.WriteByte(',')
		}
		_, _ = w.Write(indented)
	}
	_, _ = w.WriteString("]}\n")
}

// writeFleet writes fleet/ with clusters of 100 machines each.
func writeFleet(b *testing.B, dir, notation string, size int) {
	b.Helper()
	file := func(parts ...string) string { return filepath.Join(append([]string{dir, "fleet"}, parts...)...) }
	write(b, file("hub", "binding.yaml"), []byte(setBinding))
	for i := range size {
		writeMachines(b, file("clusters", fmt.Sprintf("cluster-%04d", i), "vmis."+notation), 100)
	}
}

func write(b *testing.B, file string, text []byte) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
}
