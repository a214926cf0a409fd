package templates_test

import (
	"slices"
	"strings"
	"testing"
)

// ofNamespace is the key of the DNSEndpoint of a namespace.
func ofNamespace(namespace string) string { return namespace + "/policies.vm-dns" }

// heldBy says in a DNSEndpoint of a namespace whose each name is.
func heldBy(object map[string]any, machines string) map[string]any {
	return with(object, "metadata/annotations", map[string]any{"policyloom.dev/machines": machines})
}

func TestPerNamespace(t *testing.T) {
	const spec = "endpoint: {per: Namespace}"
	runAll(t, []testCase{
		{name: "all machines of a namespace in one", spec: spec, objects: []map[string]any{
			machine("shop/web", asked{"corp": "web.example.com,alias.example.com"}, nic("corp", "192.0.2.1", "2001:db8::1")),
			machine("shop/db", asked{"corp": "db.example.com", "lab": "db.lab.example.com"}, nic("corp", "192.0.2.2"), nic("lab", "198.51.100.2")),
			machine("zoo/ape", asked{"corp": "ape.example.com"}, nic("corp", "192.0.2.3")),
		}, want: []string{
			ofNamespace("shop") + ": alias.example.com A 192.0.2.1", ofNamespace("shop") + ": alias.example.com AAAA 2001:db8::1",
			ofNamespace("shop") + ": db.example.com A 192.0.2.2", ofNamespace("shop") + ": db.lab.example.com A 198.51.100.2",
			ofNamespace("shop") + ": web.example.com A 192.0.2.1", ofNamespace("shop") + ": web.example.com AAAA 2001:db8::1",
			ofNamespace("zoo") + ": ape.example.com A 192.0.2.3",
		}},
		{name: "the oldest machine keeps a name", spec: spec, objects: []map[string]any{
			created(2, machine("shop/a", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.1"))),
			created(1, machine("shop/b", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.2"))),
		}, want: []string{ofNamespace("shop") + ": web.example.com A 192.0.2.2", `warning: name "web.example.com" is taken by VirtualMachineInstance shop/b`}},
		{name: "no machine has an address", spec: spec, objects: []map[string]any{machine("shop/a", asked{"corp": "web.example.com"}, nic("corp"))}, want: []string{noAddress}},
		{name: "interfaces that make no object name", spec: spec, objects: []map[string]any{
			machine("shop/web", asked{"Ethernet 2": "a.example.com"}, nic("Ethernet 2", "192.0.2.1")),
		}, want: []string{ofNamespace("shop") + ": a.example.com A 192.0.2.1"}},
		{
			name: "from per interface", spec: spec, objects: []map[string]any{web("192.0.2.1")[0], published("shop/web-corp", "web.example.com", "192.0.2.1")},
			want: []string{ofNamespace("shop") + ": web.example.com A 192.0.2.1", "shop/web-corp must go"},
		},
		{
			name: "to per interface", objects: []map[string]any{web("192.0.2.1")[0], published(ofNamespace("shop"), "web.example.com", "192.0.2.1")},
			want: []string{webA + "192.0.2.1", ofNamespace("shop") + " must go"},
		},
		{
			name: "the last machine of a namespace is gone", spec: spec, objects: []map[string]any{published(ofNamespace("shop"), "web.example.com", "192.0.2.1")},
			want: []string{ofNamespace("shop") + " must go"},
		},
	})
}

func TestKeptPerNamespace(t *testing.T) {
	const spec = "{endpoint: {per: Namespace}, records: {whenNoAddress: Keep}}"
	silent := web()[0]
	last := func() map[string]any { return published(ofNamespace("shop"), "web.example.com", "192.0.2.9") }
	runAll(t, []testCase{
		{
			name: "its own", spec: spec, objects: []map[string]any{silent, heldBy(last(), `{"web.example.com":"web"}`)},
			want: []string{ofNamespace("shop") + ": web.example.com A 192.0.2.9"},
		},
		{
			name: "not that of another machine", spec: spec, objects: []map[string]any{silent, heldBy(last(), `{"web.example.com":"gone"}`)},
			want: []string{ofNamespace("shop") + " must go", noAddress},
		},
		{
			name: "whose it is is not known", spec: spec, objects: []map[string]any{silent, last()},
			want: []string{ofNamespace("shop") + " must go", noAddress},
		},
		{
			name: "a broken annotation", spec: spec, objects: []map[string]any{silent, heldBy(last(), `{{"[`)},
			want: []string{ofNamespace("shop") + " must go", noAddress},
		},
		{
			name: "a list for an annotation", spec: spec, objects: []map[string]any{silent, heldBy(last(), `["web.example.com"]`)},
			want: []string{ofNamespace("shop") + " must go", noAddress},
		},
		{
			name: "in another namespace", spec: spec, objects: []map[string]any{silent, heldBy(published(ofNamespace("zoo"), "web.example.com", "192.0.2.9"), `{"web.example.com":"web"}`)},
			want: []string{ofNamespace("zoo") + " must go", noAddress},
		},
	})
}

// Right after a change of the layout, the last records are in an object of another one.
func TestKeptAcrossLayouts(t *testing.T) {
	silent := func() map[string]any { return web()[0] }
	const keep = "records: {whenNoAddress: Keep}"
	runAll(t, []testCase{
		{
			name: "interface to namespace", spec: "{endpoint: {per: Namespace}, " + keep + "}",
			objects: []map[string]any{silent(), published("shop/web-corp", "web.example.com", "192.0.2.9")},
			want:    []string{ofNamespace("shop") + ": web.example.com A 192.0.2.9", "shop/web-corp must go"},
		},
		{
			name: "interface to machine", spec: "{endpoint: {per: VirtualMachine}, " + keep + "}",
			objects: []map[string]any{silent(), published("shop/web-corp", "web.example.com", "192.0.2.9")},
			want:    []string{"shop/web: web.example.com A 192.0.2.9", "shop/web-corp must go"},
		},
		{
			name: "machine to interface", spec: keep, objects: []map[string]any{silent(), published("shop/web", "web.example.com", "192.0.2.9")},
			want: []string{webA + "192.0.2.9", "shop/web must go"},
		},
		{
			name: "namespace to interface", spec: keep,
			objects: []map[string]any{silent(), heldBy(published(ofNamespace("shop"), "web.example.com", "192.0.2.9"), `{"web.example.com":"web"}`)},
			want:    []string{webA + "192.0.2.9", ofNamespace("shop") + " must go"},
		},
		{
			name: "a name inside another one", spec: "{endpoint: {per: VirtualMachine}, " + keep + "}",
			objects: []map[string]any{
				machine("shop/web", asked{"corp": "web.example.com", "lab": "db.web.example.com"}, nic("corp"), nic("lab", "198.51.100.1")),
				published("shop/web", "web.example.com", "192.0.2.9"),
			},
			want: []string{"shop/web: db.web.example.com A 198.51.100.1", "shop/web: web.example.com A 192.0.2.9"},
		},
	})
}

func TestNamespaceObjectTellsWhoseEachNameIs(t *testing.T) {
	t.Parallel()
	objects, findings := render(t, withSpec(t, "{endpoint: {per: Namespace, annotations: {note: x}}, records: {whenNoAddress: Keep}}"), decoded(t,
		machine("shop/web", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.1")),
		machine("shop/db", asked{"corp": "db.example.com"}, nic("corp", "192.0.2.2"))))
	const want = `---
# mustonlyhave
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata:
  annotations:
    note: x
    policyloom.dev/machines: '{"db.example.com":"db","web.example.com":"web"}'
  labels:
    app.kubernetes.io/managed-by: policyloom
    policyloom.dev/policy: policies.vm-dns
  name: policies.vm-dns
  namespace: shop
spec:
  endpoints:
  - dnsName: db.example.com
    recordTTL: 180
    recordType: A
    targets:
    - 192.0.2.2
  - dnsName: web.example.com
    recordTTL: 180
    recordType: A
    targets:
    - 192.0.2.1
`
	if got := show(t, objects, findings); got != want {
		t.Errorf("got\n%s", got)
	}
}

// A list of several hundred endpoints is put together in parts.
func TestManyMachinesInANamespace(t *testing.T) {
	t.Parallel()
	var machines []map[string]any
	var want []string
	for _, first := range "abcdefghijklmnopqrstuvwxyz" {
		for _, second := range "abcdefghijklmnopqrst" {
			name := string(first) + string(second)
			machines = append(machines, machine("shop/"+name, asked{"corp": name + ".example.com"}, nic("corp", "192.0.2.1")))
			want = append(want, ofNamespace("shop")+": "+name+".example.com A 192.0.2.1")
		}
	}
	objects, findings := render(t, withSpec(t, "endpoint: {per: Namespace}"), decoded(t, machines...))
	if got := outcome(t, objects, findings); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
