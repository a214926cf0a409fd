package cluster

import (
	"fmt"
	"testing"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/apimachinery/pkg/labels"
)

var benchmarkSizes = []int{500, 5_000, 20_000}

func BenchmarkNew(b *testing.B) {
	for _, n := range benchmarkSizes {
		objects := vmis(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				New(objects)
			}
		})
	}
}

// BenchmarkLookup measures one look-up that finds one object: by a label, and by name.
func BenchmarkLookup(b *testing.B) {
	for _, n := range benchmarkSizes {
		c, _ := New(vmis(n))
		w := c.Watcher()
		selector, err := labels.Parse("kubevirt.io/domain=vm-00042")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("label/%d", n), func(b *testing.B) {
			for b.Loop() {
				if list, err := w.List(policyID, vmiKind, "", selector); err != nil || len(list) != 1 {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("name/%d", n), func(b *testing.B) {
			for b.Loop() {
				if object, err := w.Get(policyID, vmiKind, "", "vm-00042"); err != nil || object == nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRender renders the names of half of the VMIs.
func BenchmarkRender(b *testing.B) {
	const text = `names:{{ range (lookup "kubevirt.io/v1" "VirtualMachineInstance" "" "" "vm.redhat-cop.dns-name=true").items }}
- {{ .metadata.name }}{{ else }} []{{ end }}`
	for _, n := range benchmarkSizes {
		c, _ := New(vmis(n))
		for name, options := range map[string][]WatcherOption{"copied": nil, "shared": {SharedObjects()}} {
			e := watchingEngine(b, c.Watcher(options...))
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e.resolve(text, templates.ResolveOptions{})
				}
			})
		}
	}
}

// BenchmarkDefinition measures a small cluster whose template looks a CustomResourceDefinition up.
func BenchmarkDefinition(b *testing.B) {
	objects := vmis(100)
	for b.Loop() {
		c, _ := New(objects)
		if _, found, err := c.Get(crdKind, "", "virtualmachines.kubevirt.io"); err != nil || !found {
			b.Fatal(err)
		}
	}
}
