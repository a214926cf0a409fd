package cluster

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// vmis makes n VMIs in namespaces of 250, each with labels, annotations and two interfaces.
func vmis(n int) []manifest.Object {
	objects := make([]manifest.Object, 0, n)
	for i := range n {
		name := fmt.Sprintf("vm-%05d", i)
		objects = append(objects, manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kubevirt.io/v1",
			"kind":       "VirtualMachineInstance",
			"metadata": map[string]any{
				"name": name, "namespace": fmt.Sprintf("ns-%d", i%max(n/250, 1)),
				"labels": map[string]any{
					"vm.redhat-cop.dns-name": fmt.Sprint(i%2 == 0), "kubevirt.io/domain": name, "app": fmt.Sprintf("app-%d", i%100),
				},
				"annotations": map[string]any{"vm.redhat-cop.dns-name/default": name + ".example.test"},
			},
			"spec": map[string]any{"domain": map[string]any{"cpu": map[string]any{"cores": int64(2)}, "devices": map[string]any{
				"interfaces": []any{map[string]any{"name": "default", "bridge": map[string]any{}}, map[string]any{"name": "lan", "bridge": map[string]any{}}},
			}}},
			"status": map[string]any{"phase": "Running", "interfaces": []any{
				map[string]any{"name": "default", "ipAddress": "192.0.2.1", "ipAddresses": []any{"192.0.2.1", "2001:db8::1"}, "mac": "02:00:00:00:00:01"},
				map[string]any{"name": "lan", "ipAddress": "198.51.100.1", "ipAddresses": []any{"198.51.100.1"}, "mac": "02:00:00:00:00:02"},
			}},
		}}})
	}
	return objects
}

// TestListMatchesScan compares indexed look-ups with a scan over all objects.
func TestListMatchesScan(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	objects := vmis(1500)
	random.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	c, findings := New(objects)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	all, err := c.List(vmiKind, "", nil)
	if err != nil || len(all) != len(objects) {
		t.Fatalf("%d objects, %v", len(all), err)
	}
	terms := []string{
		"app=app-7", "app!=app-7", "app in (app-7,app-8,app-7)", "app notin (app-1,app-2)", "app", "!app", "!gone", "gone", "gone=x",
		"vm.redhat-cop.dns-name=true", "vm.redhat-cop.dns-name==false", "kubevirt.io/domain=vm-00042", "kubevirt.io/domain in (vm-00001,vm-00002)",
		"app>7", "app in ()", "kubevirt.io/domain=",
	}
	for range 400 {
		var chosen []string
		for range random.IntN(4) {
			chosen = append(chosen, terms[random.IntN(len(terms))])
		}
		selector, err := labels.Parse(strings.Join(chosen, ","))
		if err != nil {
			continue
		}
		namespace := ""
		if random.IntN(2) == 0 {
			namespace = fmt.Sprintf("ns-%d", random.IntN(8))
		}
		var want []manifest.Object
		for _, object := range all {
			if (namespace == "" || object.GetNamespace() == namespace) && selector.Matches(labels.Set(object.GetLabels())) {
				want = append(want, object)
			}
		}
		got, err := c.List(vmiKind, namespace, selector)
		if err != nil || names(got) != names(want) {
			t.Errorf("%s in %q: got %s, %v, want %s", selector, namespace, names(got), err, names(want))
		}
	}
}
