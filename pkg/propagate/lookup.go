package propagate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	depclient "github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Lookup is one look-up that hub templates make on the hub. A service account that makes it needs the verbs list and watch
// on the resource, for the hub watches all that its templates read.
type Lookup struct {
	Group     string `json:"group,omitempty"`
	Version   string `json:"version"`
	Kind      string `json:"kind"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	// Name is empty if all objects are listed.
	Name string `json:"name,omitempty"`
}

// String names the look-up as in "configmaps openshift-gitops/cluster-versions" or "all managedclusters.cluster.open-cluster-management.io".
func (l Lookup) String() string {
	resource := l.Resource
	if l.Group != "" {
		resource += "." + l.Group
	}
	switch {
	case l.Name == "" && l.Namespace == "":
		return "all " + resource
	case l.Name == "":
		return fmt.Sprintf("all %s of namespace %s", resource, l.Namespace)
	case l.Namespace == "":
		return resource + " " + l.Name
	}
	return fmt.Sprintf("%s %s/%s", resource, l.Namespace, l.Name)
}

// recordingWatcher is a DynamicWatcher that keeps account of all look-ups.
type recordingWatcher struct {
	depclient.DynamicWatcher
	mutex sync.Mutex
	seen  map[Lookup]bool
}

// Get implements DynamicWatcher.
func (r *recordingWatcher) Get(
	watcher depclient.ObjectIdentifier, gvk schema.GroupVersionKind, namespace, name string,
) (*unstructured.Unstructured, error) {
	r.record(gvk, namespace, name)
	return r.DynamicWatcher.Get(watcher, gvk, namespace, name)
}

// List implements DynamicWatcher.
func (r *recordingWatcher) List(
	watcher depclient.ObjectIdentifier, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
) ([]unstructured.Unstructured, error) {
	r.record(gvk, namespace, "")
	return r.DynamicWatcher.List(watcher, gvk, namespace, selector)
}

func (r *recordingWatcher) record(gvk schema.GroupVersionKind, namespace, name string) {
	lookup := Lookup{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind, Namespace: namespace, Name: name}
	lookup.Resource = strings.ToLower(gvk.Kind)
	if scoped, err := r.GVKToGVR(gvk); err == nil {
		lookup.Resource = scoped.Resource
		if !scoped.Namespaced {
			lookup.Namespace = ""
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.seen[lookup] = true
}

// lookups gives the recorded look-ups, each once, in stable order.
func (r *recordingWatcher) lookups() []Lookup {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var list []Lookup
	for lookup := range r.seen {
		list = append(list, lookup)
	}
	slices.SortFunc(list, func(a, b Lookup) int { return strings.Compare(a.String(), b.String()) })
	return list
}
