package fleet

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// reversed lists directories backwards, as an operating system may.
type reversed struct{ fs.FS }

func (r reversed) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(r.FS, name)
	slices.Reverse(entries)
	return entries, err
}

func TestOrderDoesNotDependOnDirectories(t *testing.T) {
	for _, name := range []string{"plain", "both", "settings", "duplicates", "must-gather"} {
		forward, findings := Load(os.DirFS("testdata/cases"), name)
		wantObjects, wantErrors := show(t, forward, findings)
		backward, findings := Load(reversed{os.DirFS("testdata/cases")}, name)
		objects, errors := show(t, backward, findings)
		if objects != wantObjects || errors != wantErrors {
			t.Errorf("%s:\n%s%s\nbackwards:\n%s%s", name, wantObjects, wantErrors, objects, errors)
		}
	}
}

func TestLoadMissing(t *testing.T) {
	fleet, findings := Load(fstest.MapFS{"file": {}}, "gone")
	if fleet == nil || !strings.Contains(findings.Error(), "gone: no such file or directory (a fleet has") {
		t.Error(findings)
	}
	if _, findings = Load(fstest.MapFS{"file": {}}, "file"); !findings.HasErrors() {
		t.Error("a file is taken for a fleet")
	}
}

func TestSyntheticManagedCluster(t *testing.T) {
	fleet, findings := Load(fstest.MapFS{"clusters/west/.keep": {}}, ".")
	if findings.HasErrors() || len(fleet.Hub) != 1 {
		t.Fatal(fleet.Hub, findings)
	}
	cluster := fleet.Hub[0]
	if got := fmt.Sprint(cluster.GetLabels()); got != "map[cluster.open-cluster-management.io/clusterset:default name:west]" {
		t.Error(got)
	}
	accepted, _ := cluster.Object["spec"].(map[string]any)["hubAcceptsClient"].(bool)
	if !accepted {
		t.Error("the cluster is not accepted")
	}
	if got := fmt.Sprint(cluster.Object["status"]); !strings.Contains(got, "ManagedClusterConditionAvailable") {
		t.Error(got)
	}
	_ = cluster.DeepCopy() // panics on types that are not those of JSON
}

func TestLoadCluster(t *testing.T) {
	fsys := fstest.MapFS{
		"dir/cluster.yaml": {Data: []byte("missingAPIs: [kubevirt.io]\n")},
		"dir/b.yaml":       {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n")},
		"a.yaml":           {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")},
		"fleet/clusters/x": {Mode: fs.ModeDir},
	}
	labels := map[string]string{"env": "prod", "cluster.open-cluster-management.io/clusterset": "vms"}
	fleet, findings := LoadCluster(fsys, "lab", labels, "dir", "a.yaml", "dir/b.yaml", "./a.yaml")
	objects, errors := show(t, fleet, findings)
	want := `hub
  ManagedCluster lab  
cluster lab synthetic=true missing=[kubevirt.io]
  ConfigMap a  a.yaml:1:1
  ConfigMap b  dir/b.yaml:1:1
`
	if objects != want || errors != "" {
		t.Errorf("got\n%s%s", objects, errors)
	}
	if got := fmt.Sprint(fleet.Hub[0].GetLabels()); got != "map[cluster.open-cluster-management.io/clusterset:vms env:prod name:lab]" {
		t.Error(got)
	}
	for _, test := range []struct {
		name, path string
		labels     map[string]string
		want       string
	}{
		{"lab", "gone", nil, "gone: no such file or directory"},
		{"lab", "fleet", nil, "is a fleet, not one cluster"},
		{"Lab", "dir", nil, "cannot have the name Lab"},
		{"lab", "dir", map[string]string{"a b": "c"}, `"a b=c" is not a label`},
	} {
		fleet, findings := LoadCluster(fsys, test.name, test.labels, test.path)
		if fleet == nil || findings.Err() == nil || !strings.Contains(findings.Error(), test.want) {
			t.Errorf("%+v: %v", test, findings)
		}
	}
}

// TestMustGatherAsCluster names the must-gather itself as the cluster.
func TestMustGatherAsCluster(t *testing.T) {
	fleet, findings := LoadCluster(os.DirFS("testdata/cases/must-gather/clusters/west"), "west", nil, "must-gather.local.123")
	_, errors := show(t, fleet, findings)
	if strings.Count(errors, "error:") != 0 || !strings.Contains(errors, "info: must-gather.local.123/quay-io-release-sha256-0f1e/cluster-scoped-resources/core/nodes/n1.yaml:1:1: cluster west: Node n1: differs from") {
		t.Error(errors)
	}
}

func TestLoadIsLazyAndConcurrent(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 50 {
		fsys[fmt.Sprintf("clusters/c%02d/a.yaml", i)] = &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")}
	}
	fleet, findings := Load(fsys, ".")
	if findings.HasErrors() || len(fleet.Clusters) != 50 {
		t.Fatal(findings)
	}
	var group sync.WaitGroup
	for _, cluster := range fleet.Clusters {
		group.Go(func() {
			if objects, findings := cluster.Load(t.Context()); len(objects) != 1 || len(findings) > 0 {
				t.Error(cluster.Name, objects, findings)
			}
		})
	}
	group.Wait()
	one, _ := fleet.Clusters[0].Load(t.Context())
	one[0].SetName("changed")
	if again, _ := fleet.Clusters[0].Load(t.Context()); again[0].GetName() != "a" {
		t.Error("two loads share their objects")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if objects, findings := fleet.Clusters[0].Load(ctx); objects != nil || findings.Err() == nil {
		t.Error("loaded in spite of the end of the context")
	}
}

// BenchmarkLoad reads a fleet of 100 clusters with 20 objects each, cluster by cluster.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\n  namespace: shop\ndata:\n  key: value\n", i)
	}
	fsys := fstest.MapFS{}
	for i := range 100 {
		fsys[fmt.Sprintf("clusters/c%02d/a.yaml", i)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	b.ReportAllocs()
	for b.Loop() {
		fleet, _ := Load(fsys, ".")
		var objects []manifest.Object
		for _, cluster := range fleet.Clusters {
			objects, _ = cluster.Load(b.Context())
		}
		if len(fleet.Clusters) != 100 || len(objects) != 20 {
			b.Fatal(len(fleet.Clusters), len(objects))
		}
	}
}
