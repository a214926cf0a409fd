package fleet

import (
	"context"
	"testing"
	"testing/fstest"
)

func TestMustGatherTakesTheNewerOfTwo(t *testing.T) {
	t.Parallel()
	text := func(version string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Node\nmetadata: {name: n1, resourceVersion: \"" + version + "\"}\n")}
	}
	for _, order := range [][2]string{{"9", "10"}, {"10", "9"}} {
		fsys := fstest.MapFS{
			"must-gather/cluster-scoped-resources/core/nodes.yaml":    text(order[0]),
			"must-gather/cluster-scoped-resources/core/nodes/n1.yaml": text(order[1]),
		}
		fixtures, findings := LoadCluster(fsys, "lab", nil, "must-gather")
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		objects, findings := fixtures.Clusters[0].Load(context.Background())
		if findings.HasErrors() || len(objects) != 1 || objects[0].GetResourceVersion() != "10" {
			t.Errorf("%v: %v %v", order, objects, findings)
		}
	}
}
