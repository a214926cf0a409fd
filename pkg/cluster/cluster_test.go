package cluster

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

func TestFindings(t *testing.T) {
	const vmi = `{apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, metadata: {name: a, namespace: shop}}`
	const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: cats.a.test}, ` +
		`spec: {group: a.test, scope: Cluster, names: {kind: Cat, plural: cats}, versions: [{name: v1, served: true, storage: true}]}}`
	tests := []struct {
		name    string
		objects []string
		missing []string
		want    []string
	}{
		{name: "fine", objects: []string{vmi}},
		{name: "no apiVersion, kind and name", objects: []string{`{metadata: {namespace: shop}}`}, want: []string{
			`error fleet.yaml:1:  shop/: apiVersion: the object has no apiVersion`,
			`error fleet.yaml:1:  shop/: kind: the object has no kind`,
			`error fleet.yaml:1:  shop/: metadata.name: the object has no name`,
		}},
		{name: "no metadata", objects: []string{`{apiVersion: v1, kind: Secret}`}, want: []string{`error fleet.yaml:1: Secret : metadata: the object has no metadata`}},
		{name: "bad apiVersion", objects: []string{`{apiVersion: a/b/c, kind: Secret, metadata: {name: a, namespace: b}}`}, want: []string{
			`error fleet.yaml:1: Secret b/a: apiVersion: unexpected GroupVersion string: a/b/c`,
		}},
		{name: "bad names", objects: []string{`{apiVersion: v1, kind: Secret, metadata: {name: a/b, namespace: ..}}`, `{apiVersion: v1, kind: Secret, metadata: {name: 7, namespace: 8}}`}, want: []string{
			`error fleet.yaml:1: Secret ../a/b: metadata.name: the name "a/b" may not contain '/'`,
			`error fleet.yaml:1: Secret ../a/b: metadata.namespace: the namespace ".." may not be '..'`,
			`error fleet.yaml:2: Secret : metadata.name: the object has no name`,
			`error fleet.yaml:2: Secret : metadata.namespace: the namespace is not a string (quote it)`,
		}},
		{name: "unquoted label", objects: []string{`{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: b, labels: {dns: true, note: x}, annotations: {rank: 1}}}`}, want: []string{
			`error fleet.yaml:1: Secret b/a: metadata.annotations[rank]: the value 1 is not a string (quote it)`,
			`error fleet.yaml:1: Secret b/a: metadata.labels[dns]: the value true is not a string (quote it)`,
		}},
		{name: "labels as a list", objects: []string{`{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: b, labels: [a]}}`}, want: []string{
			`error fleet.yaml:1: Secret b/a: metadata.labels: this is not a map of strings`,
		}},
		{name: "namespace missing", objects: []string{`{apiVersion: v1, kind: Secret, metadata: {name: a}}`}, want: []string{
			`error fleet.yaml:1: Secret a: metadata.namespace: a Secret belongs to a namespace, and this one names none`,
		}},
		{name: "namespace too much", objects: []string{`{apiVersion: v1, kind: Node, metadata: {name: a, namespace: b}}`}, want: []string{
			`warning fleet.yaml:1: Node b/a: metadata.namespace: a Node belongs to no namespace: this one is ignored`,
		}},
		{name: "own kind with and without namespace", objects: []string{`{apiVersion: a.test/v1, kind: Cat, metadata: {name: a}}`, `{apiVersion: a.test/v2, kind: Cat, metadata: {name: b, namespace: c}}`}, want: []string{
			`error fleet.yaml:1: Cat a: metadata.namespace: a Cat belongs to a namespace, and this one names none`,
		}},
		{name: "given twice", objects: []string{vmi, vmi, strings.Replace(vmi, "name: a,", "name: a, labels: {app: web},", 1)}, want: []string{
			`warning fleet.yaml:3: VirtualMachineInstance shop/a: the object is given twice with different content: this one is ignored (see fleet.yaml:1)`,
		}},
		{name: "given twice in two versions", objects: []string{vmi, strings.Replace(vmi, "kubevirt.io/v1", "kubevirt.io/v1alpha3", 1)}, want: []string{
			`warning fleet.yaml:2: VirtualMachineInstance shop/a: the object is given twice with different content: this one is ignored (see fleet.yaml:1)`,
		}},
		{name: "missing APIs", objects: []string{vmi, strings.Replace(vmi, "name: a", "name: b", 1)}, missing: []string{"kubevirt.io", "externaldns.k8s.io/v1alpha1"}, want: []string{
			`warning fleet.yaml:1: VirtualMachineInstance shop/a: the cluster does not serve VirtualMachineInstance as kubevirt.io/v1: no look-up finds this object and 1 more of them (give the objects in a served version, or let the cluster serve it)`,
		}},
		{name: "missing version", objects: []string{vmi}, missing: []string{"kubevirt.io/v1"}, want: []string{
			`warning fleet.yaml:1: VirtualMachineInstance shop/a: the cluster does not serve VirtualMachineInstance as kubevirt.io/v1: no look-up finds this object (give the objects in a served version, or let the cluster serve it)`,
		}},
		{name: "misspelled APIs", missing: []string{"kubevirt.oi", "virtualmachine.kubevirt.io", "configmaps", "v1", "", "kubevirt.io/v2"}, want: []string{
			`error missingAPIs[0]: no API is called "kubevirt.oi"; give a group, a group/version or <plural>.<group> (did you mean "kubevirt.io"?)`,
			`error missingAPIs[1]: no API is called "virtualmachine.kubevirt.io"; give a group, a group/version or <plural>.<group> (did you mean "virtualmachines.kubevirt.io"?)`,
			`error missingAPIs[4]: no API is called ""; give a group, a group/version or <plural>.<group>`,
			`error missingAPIs[5]: no API is called "kubevirt.io/v2"; give a group, a group/version or <plural>.<group> (did you mean "kubevirt.io/v1"?)`,
		}},
		{name: "CRD of a missing API", objects: []string{crd}, missing: []string{"cats.a.test"}, want: []string{
			`warning fleet.yaml:1: CustomResourceDefinition cats.a.test: the cluster does not serve this API, so the CustomResourceDefinition is left out`,
		}},
		{name: "version that the CRD does not serve", objects: []string{crd, `{apiVersion: a.test/v2, kind: Cat, metadata: {name: tom}}`}, want: []string{
			`warning fleet.yaml:2: Cat tom: the cluster does not serve Cat as a.test/v2: no look-up finds this object (give the objects in a served version, or let the cluster serve it)`,
		}},
		{name: "incomplete CRD", objects: []string{`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: cats.a.test}, spec: {group: 7}}`}, want: []string{
			`error fleet.yaml:1: CustomResourceDefinition cats.a.test: spec: the CustomResourceDefinition needs group, names.kind, names.plural, and scope Namespaced or Cluster`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var objects []manifest.Object
			if len(test.objects) > 0 {
				objects = objectsOf(t, strings.Join(test.objects, "\n---\n"))
			}
			_, findings := New(objects, MissingAPIs(test.missing...))
			var got []string
			for _, f := range findings {
				got = append(got, string(f.Severity)+" "+f.String())
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestEmptyObject(t *testing.T) {
	_, findings := New([]manifest.Object{{Position: diag.Position{File: "a.yaml"}}})
	if len(findings) != 1 || findings[0].String() != "a.yaml: the object is empty" {
		t.Errorf("got %v", findings)
	}
}

// TestInputStays makes sure that New leaves the caller's objects alone.
func TestInputStays(t *testing.T) {
	objects := objectsOf(t, sampleText(t))
	twins := objectsOf(t, sampleText(t))
	if _, findings := New(objects); len(findings) > 0 {
		t.Fatal(findings)
	}
	for i := range objects {
		if want, got := twins[i].Object, objects[i].Object; !equal(got, want) {
			t.Errorf("changed: %v, was %v", got, want)
		}
	}
}

func TestListAndGet(t *testing.T) {
	c := clusterOf(t, sampleText(t))
	crd := schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
	list := func(gvk schema.GroupVersionKind, namespace, selector string) string {
		parsed, err := labels.Parse(selector)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := c.List(gvk, namespace, parsed)
		if err != nil {
			return err.Error()
		}
		return names(objects)
	}
	tests := []struct{ got, want string }{
		{list(vmiKind, "", ""), "data/db01 shop/web01 shop/web02"},
		{list(vmiKind, "shop", "app"), "shop/web01 shop/web02"},
		{list(vmiKind, "shop", "app!=web"), ""},
		{list(namespaceKind, "", ""), "data policies shop shop-eu"},
		{list(namespaceKind, "", "team=web"), "shop"},
		{list(namespaceKind, "", "kubernetes.io/metadata.name in (data,policies)"), "data policies"},
		{list(crd, "", "x=y"), ""},
		{list(schema.GroupVersionKind{Version: "v7", Kind: "Secret"}, "", ""), "the resource version was not found"},
	}
	for i, test := range tests {
		if test.got != test.want {
			t.Errorf("%d: got %s, want %s", i, test.got, test.want)
		}
	}
	objects, err := c.List(vmiKind, "", labels.Nothing())
	if err != nil || len(objects) != 0 {
		t.Errorf("labels.Nothing matches %s, %v", names(objects), err)
	}
	web01, found, err := c.Get(vmiKind, "shop", "web01")
	if err != nil || !found || web01.Position != (diag.Position{File: "fleet.yaml", Line: 18}) {
		t.Errorf("web01: %v %v at %v", found, err, web01.Position)
	}
	if _, found, err := c.Get(vmiKind, "shop/web01", ""); found || err != nil {
		t.Errorf("a namespace with a slash finds something: %v", err)
	}
}

func TestDefinitions(t *testing.T) {
	crd := func(c *Cluster, name string) map[string]any {
		object, found, err := c.Get(crdKind, "", name)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return nil
		}
		return object.Object
	}
	c := clusterOf(t, sampleText(t), MissingAPIs("kubevirt.io/v1alpha3", "cdi.kubevirt.io", "addondeploymentconfigs.addon.open-cluster-management.io"))
	if crd(c, "mice.fleet.example.test")["status"] != nil {
		t.Error("the fixture's CustomResourceDefinition was changed")
	}
	for _, name := range []string{
		"pods", "routes.route.openshift.io", "deployments.apps", "datavolumes.cdi.kubevirt.io",
		"addondeploymentconfigs.addon.open-cluster-management.io", "packagemanifests.packages.operators.coreos.com",
	} {
		if crd(c, name) != nil {
			t.Errorf("there is a CustomResourceDefinition %s", name)
		}
	}
	got := crd(c, "virtualmachines.kubevirt.io")
	want := objectsOf(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: virtualmachines.kubevirt.io}
spec:
  group: kubevirt.io
  names: {kind: VirtualMachine, listKind: VirtualMachineList, plural: virtualmachines}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true}]
status:
  conditions: [{type: NamesAccepted, status: "True"}, {type: Established, status: "True"}]
`)[0].Object
	if !equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	listed, err := c.List(crdKind, "", nil)
	if err != nil || !strings.Contains(names(listed), "gateways.farm.example.test") || !strings.Contains(names(listed), " mice.fleet.example.test ") {
		t.Errorf("listed: %s, %v", names(listed), err)
	}
	for _, object := range listed {
		if one := crd(c, object.GetName()); !equal(one, object.Object) {
			t.Errorf("%s: got %v, listed %v", object.GetName(), one, object.Object)
		}
	}
	without, _ := New(nil, MissingAPIs("apiextensions.k8s.io"))
	if _, err := without.List(crdKind, "", nil); err == nil {
		t.Error("CustomResourceDefinitions are served although their API is missing")
	}
}
