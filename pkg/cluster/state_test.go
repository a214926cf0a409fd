package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/manifest"
)

var (
	endpoints  = schema.GroupVersionResource{Group: "externaldns.k8s.io", Version: "v1alpha1", Resource: "dnsendpoints"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	machines   = schema.GroupVersionResource{Group: "kubevirt.io", Version: "v1", Resource: "virtualmachines"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	crdsGVR    = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

func endpoint(t *testing.T, name, spec string) *unstructured.Unstructured {
	t.Helper()
	return object(t, "{apiVersion: externaldns.k8s.io/v1alpha1, kind: DNSEndpoint, metadata: {name: "+name+", namespace: shop}, spec: "+spec+"}")
}

func newTestState(t *testing.T, texts ...string) (*State, dynamic.Interface) {
	t.Helper()
	fixtures := []manifest.Object{{Unstructured: object(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}")}}
	for _, text := range texts {
		fixtures = append(fixtures, manifest.Object{Unstructured: object(t, text)})
	}
	c, findings := New(fixtures)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	s := NewState(c, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) })
	return s, s.Client()
}

// What an API server refuses, with the text that it says.
func TestStateRefuses(t *testing.T) {
	t.Parallel()
	_, api := newTestState(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: there, namespace: shop}}")
	strict := metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}
	for name, c := range map[string]struct {
		gvr    schema.GroupVersionResource
		in     string
		object *unstructured.Unstructured
		is     func(error) bool
		want   string
	}{
		"string TTL": {
			endpoints, "shop", endpoint(t, "a", `{endpoints: [{dnsName: a.b, recordTTL: "180"}]}`), apierrors.IsInvalid,
			`DNSEndpoint.externaldns.k8s.io "a" is invalid: spec.endpoints[0].recordTTL: Invalid value: "string": ` +
				`spec.endpoints[0].recordTTL in body must be of type integer: "string"`,
		},
		"null list": {
			endpoints, "shop", endpoint(t, "a", `{endpoints: [null]}`), apierrors.IsInvalid, "spec.endpoints[0]",
		},
		"unknown field": {
			endpoints, "shop", endpoint(t, "a", `{endpoints: [{dnsName: a.b, ttl: 1}]}`), apierrors.IsBadRequest,
			`DNSEndpoint in version "v1alpha1" cannot be handled as a DNSEndpoint: strict decoding error: unknown field "spec.endpoints[0].ttl"`,
		},
		"upper case name": {
			endpoints, "shop", endpoint(t, "Web", `{}`), apierrors.IsInvalid, `metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain`,
		},
		"namespace that does not exist": {
			endpoints, "none", func() *unstructured.Unstructured { o := endpoint(t, "a", "{}"); o.SetNamespace("none"); return o }(),
			apierrors.IsNotFound, `namespaces "none" not found`,
		},
		"other namespace": {
			endpoints, "default", endpoint(t, "a", "{}"), apierrors.IsBadRequest, "the namespace of the provided object does not match",
		},
		"virtual machine with a misspelt field": {
			machines, "shop", object(t, `{apiVersion: kubevirt.io/v1, kind: VirtualMachine, metadata: {name: a, namespace: shop},
				spec: {runStrateg: Always, template: {metadata: {labels: {a: b}}, spec: {domain: {devices: {}}}}}}`), apierrors.IsBadRequest,
			`unknown field "spec.runStrateg"`,
		},
		"virtual machine that breaks a rule of its definition": {
			machines, "shop", object(t, `{apiVersion: kubevirt.io/v1, kind: VirtualMachine, metadata: {name: a, namespace: shop},
				spec: {runStrategy: Always, template: {spec: {domain: {devices: {}}, volumes: [{name: v, containerDisk: {image: i}},
					{name: w, containerPath: {path: etc}}]}}}}`), apierrors.IsInvalid,
			`spec.template.spec.volumes[1].containerPath.path: Invalid value: "etc": path must be absolute (start with '/')`,
		},
		"unknown field of a built-in kind": {
			configMaps, "shop", object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}, dada: {}}"), apierrors.IsBadRequest,
			`ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dada"`,
		},
		"wrong type in a built-in kind": {
			configMaps, "shop", object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}, data: {a: 1}}"), apierrors.IsBadRequest,
			"cannot unmarshal number",
		},
		"label that is no string": {
			configMaps, "shop", object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop, labels: {a: true}}}"),
			apierrors.IsBadRequest, "cannot unmarshal bool",
		},
		"object that is there": {
			configMaps, "shop", object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: there, namespace: shop}}"), apierrors.IsAlreadyExists,
			`configmaps "there" already exists`,
		},
	} {
		_, err := api.Resource(c.gvr).Namespace(c.in).Create(context.Background(), c.object, strict)
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// What an API server adds, drops and counts.
func TestStateWrites(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, api := newTestState(t)
	client := api.Resource(endpoints).Namespace("shop")
	made, err := client.Create(ctx, endpoint(t, "web", `{endpoints: [{dnsName: a.b, ttl: 1}]}`), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, found, _ := unstructured.NestedFieldNoCopy(made.Object, "spec", "endpoints"); !found || strings.Contains(mustYAML(t, made), "ttl") {
		t.Errorf("the unknown field is not pruned: %s", mustYAML(t, made))
	}
	if made.GetUID() == "" || made.GetGeneration() != 1 || made.GetResourceVersion() == "" || made.GetCreationTimestamp().UTC().Year() != 2026 {
		t.Errorf("the metadata is not set: %s", mustYAML(t, made))
	}
	version := s.Version()
	if same, err := client.Update(ctx, made.DeepCopy(), metav1.UpdateOptions{}); err != nil || same.GetResourceVersion() != made.GetResourceVersion() || s.Version() != version {
		t.Errorf("an update that changes nothing changes the version: %v", err)
	}
	labelled := made.DeepCopy()
	labelled.SetLabels(map[string]string{"a": "b"})
	after, err := client.Update(ctx, labelled, metav1.UpdateOptions{})
	if err != nil || after.GetGeneration() != 1 || after.GetResourceVersion() == made.GetResourceVersion() {
		t.Errorf("a label makes a new generation, or no new version: %v %v", after, err)
	}
	if _, err := client.Update(ctx, labelled, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("an old resource version is no conflict: %v", err)
	}
	patched, err := client.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":{"endpoints":[]}}`), metav1.PatchOptions{})
	if err != nil || patched.GetGeneration() != 2 {
		t.Errorf("patch: %v %v", patched, err)
	}
	if patched, err = client.Patch(ctx, "web", types.JSONPatchType, []byte(`[{"op":"add","path":"/metadata/finalizers","value":["a.b/c"]}]`), metav1.PatchOptions{}); err != nil || len(patched.GetFinalizers()) != 1 {
		t.Errorf("JSON patch: %v %v", patched, err)
	}
	dry, err := client.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":null}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil || dry.Object["spec"] != nil {
		t.Errorf("dry run: %v %v", dry, err)
	}
	if err := client.Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	held, err := client.Get(ctx, "web", metav1.GetOptions{})
	if err != nil || held.GetDeletionTimestamp() == nil {
		t.Fatalf("a finalizer does not hold the object: %v", err)
	}
	if _, err := client.Patch(ctx, "web", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get(ctx, "web", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the object stays without finalizers: %v", err)
	}
	again, err := client.Create(ctx, endpoint(t, "web", "{}"), metav1.CreateOptions{})
	if err != nil || again.GetUID() == made.GetUID() {
		t.Errorf("an object that is made again has the uid of the old one: %v", err)
	}
}

func mustYAML(t *testing.T, o *unstructured.Unstructured) string {
	t.Helper()
	text, err := yaml.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Objects go with their owners, with their namespace and with their definition.
func TestStateCollects(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, api := newTestState(t,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: owner, namespace: shop, uid: u1}}",
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: child, namespace: shop, uid: u2, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: u1}]}}",
		"{apiVersion: v1, kind: Secret, metadata: {name: grandchild, namespace: shop, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: child, uid: u2}]}}",
		"{apiVersion: v1, kind: Secret, metadata: {name: shared, namespace: shop, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: child, uid: u2}, {apiVersion: v1, kind: ConfigMap, name: x, uid: u9}]}}",
		"{apiVersion: externaldns.k8s.io/v1alpha1, kind: DNSEndpoint, metadata: {name: web, namespace: shop}}",
		"{apiVersion: externaldns.k8s.io/v1alpha1, kind: DNSEndpoint, metadata: {name: web, namespace: other}}",
	)
	before, fork := s.Cluster(), s.Fork()
	var changes []string
	s.Watch(func(c Change) {
		verb := "changed"
		if c.After == nil {
			verb = "deleted"
		}
		changes = append(changes, strings.TrimSpace(verb+" "+c.Kind+" "+c.Name+" "+c.Cause))
	})
	if err := api.Resource(configMaps).Namespace("shop").Delete(ctx, "owner", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := api.Resource(namespaces).Delete(ctx, "other", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := api.Resource(crdsGVR).Delete(ctx, "dnsendpoints.externaldns.k8s.io", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"deleted ConfigMap owner",
		"deleted ConfigMap child its owner ConfigMap shop/owner is gone",
		"deleted Secret grandchild its owner ConfigMap shop/child is gone",
		"changed Secret shared",
		"deleted Namespace other",
		"deleted DNSEndpoint web its Namespace other is gone",
		"deleted DNSEndpoint web its CustomResourceDefinition is gone",
	}, "\n")
	if got := strings.Join(changes, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	kind := schema.GroupVersionKind{Group: "externaldns.k8s.io", Version: "v1alpha1", Kind: "DNSEndpoint"}
	if _, err := s.Cluster().Resource(kind); err == nil {
		t.Error("the kind is served after its definition is gone")
	}
	for name, c := range map[string]*Cluster{"the cluster from before": before, "a fork from before": fork.Cluster()} {
		if list, err := c.List(kind, "", nil); err != nil || len(list) != 2 {
			t.Errorf("%s has %d DNSEndpoints, %v", name, len(list), err)
		}
	}
}
