package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/manifest"
)

func TestWatcherCopies(t *testing.T) {
	c := clusterOf(t, sampleText(t))
	untouched := contentOf(clusterOf(t, sampleText(t)))
	w := c.Watcher()
	one, err := w.Get(policyID, vmiKind, "shop", "web02")
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.List(policyID, vmiKind, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range append(list, *one) {
		object.SetLabels(map[string]string{"changed": "true"})
		if status, ok := object.Object["status"].(map[string]any); ok {
			status["interfaces"].([]any)[0].(map[string]any)["ipAddress"] = "changed"
		}
	}
	got := contentOf(c)
	for key, want := range untouched {
		if !equal(got[key].(map[string]any), want.(map[string]any)) {
			t.Errorf("%s was changed", key)
		}
	}
}

func TestWatcherShares(t *testing.T) {
	c := clusterOf(t, sampleText(t))
	shared, err := c.Watcher(SharedObjects()).GetFromCache(vmiKind, "shop", "web02")
	if err != nil {
		t.Fatal(err)
	}
	own, _, _ := c.Get(vmiKind, "shop", "web02")
	shared.Object["probe"] = true
	if own.Object["probe"] != true {
		t.Error("the object is a copy")
	}
}

// TestWatcherManagement makes sure that what controllers call besides look-ups succeeds.
func TestWatcherManagement(t *testing.T) {
	w := clusterOf(t, sampleText(t)).Watcher()
	<-w.Started()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	watched, err := w.ListWatchedFromCache(policyID)
	if err := errors.Join(
		err, w.Start(ctx), w.StartQueryBatch(policyID), w.EndQueryBatch(policyID), w.AddWatcher(policyID, policyID),
		w.AddOrUpdateWatcher(policyID, policyID), w.RemoveWatcher(policyID),
	); err != nil || len(watched) != 0 || w.GetWatchCount() != 0 {
		t.Errorf("%v, %d watched, %d watches", err, len(watched), w.GetWatchCount())
	}
	unknown := schema.GroupVersionKind{Group: "a.test", Version: "v1", Kind: "Cat"}
	if _, err := w.Get(policyID, unknown, "", "tom"); !errors.Is(err, client.ErrNoVersionedResource) {
		t.Errorf("Get of an unknown kind: %v", err)
	}
	if _, err := w.List(policyID, unknown, "", nil); !errors.Is(err, client.ErrNoVersionedResource) {
		t.Errorf("List of an unknown kind: %v", err)
	}
}

// TestConcurrentLookups builds every lazy index from many goroutines at once: run it with -race.
func TestConcurrentLookups(t *testing.T) {
	c, _ := New(vmis(2000))
	selector, err := labels.Parse("app in (app-1,app-2),vm.redhat-cop.dns-name=true")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			w := c.Watcher()
			for range 20 {
				list, err := w.List(policyID, vmiKind, "", selector)
				one, err2 := w.Get(policyID, vmiKind, "", "vm-00002")
				definition, err3 := w.Get(policyID, crdKind, "", "virtualmachines.kubevirt.io")
				if err := errors.Join(err, err2, err3); err != nil || len(list) != 20 || one == nil || definition == nil {
					t.Errorf("%d objects, %v, %v, %v", len(list), one, definition, err)
				}
			}
		})
	}
	group.Wait()
}

// FuzzNew reads hostile objects, and wants neither a panic nor an object that look-ups cannot copy.
func FuzzNew(f *testing.F) {
	for _, object := range objectsOf(f, sampleText(f)) {
		text, err := json.Marshal(object.Object)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		`{}`, `{"metadata":null}`, `{"apiVersion":1,"kind":[],"metadata":{"name":{},"labels":7}}`,
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"b","managedFields":1,"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"x"}}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a"},"spec":{"group":"","scope":"Cluster","names":{"kind":"Pod","plural":"pods"},"versions":[1,{"served":1},{"name":"v1","served":true}]}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a"},"spec":{"group":"apiextensions.k8s.io","scope":"Namespaced","names":{"kind":"CustomResourceDefinition","plural":"b"},"versions":[{"name":"v1","served":true}]}}`,
		`{"apiVersion":"/","kind":"y","metadata":{"name":"a"}}`, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","namespace":"a"}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(text, &object.Object); err != nil {
			return
		}
		c, findings := New([]manifest.Object{{Unstructured: object}})
		_ = findings.Error()
		w := c.Watcher()
		for _, gvk := range []schema.GroupVersionKind{object.GroupVersionKind(), crdKind, namespaceKind} {
			_, _ = w.Get(policyID, gvk, object.GetNamespace(), object.GetName())
			_, _ = w.List(policyID, gvk, "", labels.SelectorFromSet(object.GetLabels()))
		}
	})
}
