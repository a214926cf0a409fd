package templates_test

import (
	"slices"
	"strings"
	"testing"
)

func TestObjectNames(t *testing.T) {
	taken := func(networkInterface, by string) string {
		return `warning: the DNSEndpoint for interface "` + networkInterface + `" would have the name of that of ` + by
	}
	long := strings.Repeat("a", 63)
	deep := strings.Join([]string{long, long, long, long[:57]}, ".")
	runAll(t, []testCase{
		{
			name: "upper case and underscores", objects: []map[string]any{machine("shop/web", asked{"Net_A": "a.example.com"}, nic("Net_A", "192.0.2.1"))},
			want: []string{"shop/web-net-a: a.example.com A 192.0.2.1"},
		},
		{name: "two machines", objects: []map[string]any{
			created(2, machine("shop/a", asked{"b-c": "one.example.com"}, nic("b-c", "192.0.2.1"))),
			created(1, machine("shop/a-b", asked{"c": "two.example.com"}, nic("c", "192.0.2.2"))),
		}, want: []string{"shop/a-b-c: two.example.com A 192.0.2.2", taken("b-c", "shop/a-b c")}},
		{name: "two machines of one age", objects: []map[string]any{
			machine("shop/a-b", asked{"c": "two.example.com"}, nic("c", "192.0.2.2")),
			machine("shop/a", asked{"b-c": "one.example.com"}, nic("b-c", "192.0.2.1")),
		}, want: []string{"shop/a-b-c: one.example.com A 192.0.2.1", taken("c", "shop/a b-c")}},
		{name: "two namespaces", objects: []map[string]any{
			machine("shop/a", asked{"b-c": "one.example.com"}, nic("b-c", "192.0.2.1")),
			machine("zoo/a-b", asked{"c": "two.example.com"}, nic("c", "192.0.2.2")),
		}, want: []string{"shop/a-b-c: one.example.com A 192.0.2.1", "zoo/a-b-c: two.example.com A 192.0.2.2"}},
		{name: "two interfaces", objects: []map[string]any{
			machine("shop/web", asked{"net-a": "one.example.com", "Net_A": "two.example.com"}, nic("net-a", "192.0.2.1"), nic("Net_A", "192.0.2.2")),
		}, want: []string{"shop/web-net-a: two.example.com A 192.0.2.2", taken("net-a", "shop/web Net_A")}},
		{name: "the first keeps the name without an address", objects: []map[string]any{
			created(1, machine("shop/a", asked{"b-c": "one.example.com"}, nic("b-c"))),
			created(2, machine("shop/a-b", asked{"c": "two.example.com"}, nic("c", "192.0.2.2"))),
		}, want: []string{
			`warning: interface "b-c" has no address that may be published, so name "one.example.com" has no record`, taken("c", "shop/a b-c"),
		}},
		{name: "invalid", objects: []map[string]any{machine("shop/web", asked{"Ethernet 2": "a.example.com", "a.-b": "b.example.com", "x.y": "c.example.com"},
			nic("Ethernet 2", "192.0.2.1"), nic("a.-b", "192.0.2.2"), nic("x.y", "192.0.2.3"))}, want: []string{
			"shop/web-x.y: c.example.com A 192.0.2.3",
			`warning: interface "Ethernet 2" does not make a valid name for a DNSEndpoint`, `warning: interface "a.-b" does not make a valid name for a DNSEndpoint`,
		}},
		{
			name: "253 characters", objects: []map[string]any{machine("shop/"+deep, asked{"abc": "a.example.com"}, nic("abc", "192.0.2.1"))},
			want: []string{"shop/" + deep + "-abc: a.example.com A 192.0.2.1"},
		},
		{
			name: "254 characters", objects: []map[string]any{machine("shop/"+deep, asked{"abcd": "a.example.com"}, nic("abcd", "192.0.2.1"))},
			want: []string{`warning: interface "abcd" does not make a valid name for a DNSEndpoint`},
		},
	})
}

func TestOneNameForTwo(t *testing.T) {
	const takenBy = `warning: name "web.example.com" is taken by VirtualMachineInstance `
	of := func(day int, key string, addresses ...string) map[string]any {
		return created(day, machine(key, asked{"corp": "web.example.com"}, nic("corp", addresses...)))
	}
	runAll(t, []testCase{
		{
			name: "the oldest wins", objects: []map[string]any{of(3, "a/web", "192.0.2.1"), of(1, "c/web", "192.0.2.3"), of(2, "b/web", "192.0.2.2")},
			want: []string{"c/web-corp: web.example.com A 192.0.2.3", takenBy + "c/web", takenBy + "c/web"},
		},
		{
			name: "of one age, the first by name", objects: []map[string]any{of(1, "b/web", "192.0.2.2"), of(1, "a/web", "192.0.2.1")},
			want: []string{"a/web-corp: web.example.com A 192.0.2.1", takenBy + "a/web"},
		},
		{
			name: "one of unknown age loses", objects: []map[string]any{with(of(1, "a/web", "192.0.2.1"), "metadata/creationTimestamp", nil), of(2, "b/web", "192.0.2.2")},
			want: []string{"b/web-corp: web.example.com A 192.0.2.2", takenBy + "b/web"},
		},
		{name: "the oldest wins without an address", objects: []map[string]any{of(1, "a/web"), of(2, "b/web", "192.0.2.2")}, want: []string{noAddress, takenBy + "a/web"}},
		{
			name: "the oldest does not run", objects: []map[string]any{with(of(1, "a/web", "192.0.2.1"), "status/phase", "Succeeded"), of(2, "b/web", "192.0.2.2")},
			want: []string{"b/web-corp: web.example.com A 192.0.2.2"},
		},
		{name: "an invalid request takes nothing", objects: []map[string]any{
			created(1, machine("a/web", asked{"missing": "web.example.com"}, nic("corp", "192.0.2.1"))), of(2, "b/web", "192.0.2.2"),
		}, want: []string{
			"b/web-corp: web.example.com A 192.0.2.2",
			`warning: name "web.example.com" is asked for interface "missing", which the machine does not report`,
		}},
		{name: "in other letters", objects: []map[string]any{
			of(1, "a/web", "192.0.2.1"), created(2, machine("b/web", asked{"corp": "WEB.example.com."}, nic("corp", "192.0.2.2"))),
		}, want: []string{"a/web-corp: web.example.com A 192.0.2.1", `warning: name "WEB.example.com." is taken by VirtualMachineInstance a/web`}},
		{name: "two interfaces of one machine", objects: []map[string]any{
			machine("a/web", asked{"corp": "web.example.com", "lab": "web.example.com"}, nic("corp", "192.0.2.1"), nic("lab", "198.51.100.1")),
		}, want: []string{"a/web-corp: web.example.com A 192.0.2.1", "a/web-lab: web.example.com A 198.51.100.1"}},
	})
}

func TestPerVirtualMachine(t *testing.T) {
	const spec = "endpoint: {per: VirtualMachine}"
	runAll(t, []testCase{
		{name: "all interfaces in one", spec: spec, objects: []map[string]any{
			machine("a/web", asked{"corp": "b.example.com,a.example.com", "lab": "c.example.com"}, nic("corp", "192.0.2.1", "2001:db8::1"), nic("lab", "198.51.100.1")),
		}, want: []string{
			"a/web: a.example.com A 192.0.2.1", "a/web: a.example.com AAAA 2001:db8::1",
			"a/web: b.example.com A 192.0.2.1", "a/web: b.example.com AAAA 2001:db8::1",
			"a/web: c.example.com A 198.51.100.1",
		}},
		{name: "one name on two interfaces", spec: spec, objects: []map[string]any{
			machine("a/web", asked{"corp": "web.example.com,corp.example.com", "lab": "lab.example.com,web.example.com"},
				nic("corp", "198.51.100.1", "198.51.100.2"), nic("lab", "192.0.2.1", "198.51.100.1", "2001:db8::1")),
		}, want: []string{
			"a/web: corp.example.com A 198.51.100.1 198.51.100.2",
			"a/web: lab.example.com A 192.0.2.1 198.51.100.1", "a/web: lab.example.com AAAA 2001:db8::1",
			"a/web: web.example.com A 192.0.2.1 198.51.100.1 198.51.100.2", "a/web: web.example.com AAAA 2001:db8::1",
		}},
		{name: "one of them without an address", spec: spec, objects: []map[string]any{
			machine("shop/web", asked{"corp": "web.example.com", "lab": "web.example.com"}, nic("corp"), nic("lab", "198.51.100.1")),
		}, want: []string{"shop/web: web.example.com A 198.51.100.1", noAddress}},
		{name: "no collision of machine and interface", spec: spec, objects: []map[string]any{
			machine("shop/a", asked{"b-c": "one.example.com"}, nic("b-c", "192.0.2.1")), machine("shop/a-b", asked{"c": "two.example.com"}, nic("c", "192.0.2.2")),
		}, want: []string{"shop/a: one.example.com A 192.0.2.1", "shop/a-b: two.example.com A 192.0.2.2"}},
	})
}

func TestObjectFields(t *testing.T) {
	t.Parallel()
	objects, findings := render(t, withSpec(t, `
endpoint: {labels: {zone: "yes"}, annotations: {note: 'say "x": {y}'}}
`), decoded(t, web("192.0.2.1")...))
	got := show(t, objects, findings)
	const want = `---
# mustonlyhave
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata:
  annotations:
    note: 'say "x": {y}'
  labels:
    app.kubernetes.io/managed-by: policyloom
    policyloom.dev/policy: policies.vm-dns
    zone: "yes"
  name: web-corp
  namespace: shop
spec:
  endpoints:
  - dnsName: web.example.com
    recordTTL: 180
    recordType: A
    targets:
    - 192.0.2.1
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestPruning(t *testing.T) {
	unlabelled := with(published("shop/unlabelled", "x.example.com", "192.0.2.9"), "metadata/labels", map[string]any{"app.kubernetes.io/managed-by": "policyloom"})
	ofAnother := with(published("shop/other", "x.example.com", "192.0.2.9"), "metadata/labels", map[string]any{"policyloom.dev/policy": "policies.other"})
	left := published("shop/left", "x.example.com", "192.0.2.9")
	wanted := published("shop/web-corp", "old.example.com", "192.0.2.9")
	broken := with(published("zoo/broken", "x.example.com"), "spec", "text")
	runAll(t, []testCase{
		{
			name: "only labelled ones that no one wants", objects: []map[string]any{web("192.0.2.1")[0], unlabelled, ofAnother, left, wanted},
			want: []string{webA + "192.0.2.1", "shop/left must go"},
		},
		{name: "no machine at all", objects: []map[string]any{left, wanted, broken}, want: []string{"shop/left must go", "shop/web-corp must go", "zoo/broken must go"}},
		{name: "broken ones while records are kept", spec: "records: {whenNoAddress: Keep}", objects: []map[string]any{broken}, want: []string{"zoo/broken must go"}},
		{
			name: "other interface, same machine", objects: []map[string]any{web("192.0.2.1")[0], published("shop/web-lab", "x.example.com", "192.0.2.9")},
			want: []string{webA + "192.0.2.1", "shop/web-lab must go"},
		},
		{
			name: "from per interface to per machine", spec: "endpoint: {per: VirtualMachine}", objects: []map[string]any{web("192.0.2.1")[0], wanted},
			want: []string{"shop/web: web.example.com A 192.0.2.1", "shop/web-corp must go"},
		},
		{name: "KubeVirt is gone", objects: []map[string]any{left}, without: []string{"kubevirt.io"}, want: []string{"shop/left must go"}},
	})
}

func TestPrunedObjectSaysWhatMustGo(t *testing.T) {
	t.Parallel()
	objects, findings := render(t, policyFor(t, nil), decoded(t, published("shop/left", "x.example.com", "192.0.2.9")))
	const want = `---
# mustnothave
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata:
  labels:
    policyloom.dev/policy: policies.vm-dns
  name: left
  namespace: shop
`
	if got := show(t, objects, findings); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestMissingAPIs(t *testing.T) {
	for name, without := range map[string][]string{
		"KubeVirt":    {"kubevirt.io"},
		"DNSEndpoint": {"externaldns.k8s.io"},
		"both":        {"kubevirt.io", "externaldns.k8s.io"},
	} {
		testCase{name: name, without: without}.run(t)
	}
	testCase{name: "DNSEndpoint, with a machine", objects: web("192.0.2.1"), without: []string{"externaldns.k8s.io"}}.run(t)
}

func TestObjectOptions(t *testing.T) {
	t.Parallel()
	text := templateText(t, "policy: {recordDiff: InStatus, recreateOption: IfRequired}")
	entries := entriesOf(t, text, decoded(t, web("192.0.2.1")[0], published("shop/left", "x.example.com", "192.0.2.9")))
	if len(entries) != 2 {
		t.Fatal(entries)
	}
	for field, want := range map[string]any{
		"recordDiff": "InStatus", "recreateOption": "IfRequired", "complianceType": "mustonlyhave", "metadataComplianceType": "musthave",
	} {
		if entries[0][field] != want {
			t.Errorf("%s: got %v, want %v", field, entries[0][field], want)
		}
	}
	var fields []string
	for field := range entries[1] {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	if want := []string{"complianceType", "objectDefinition"}; !slices.Equal(fields, want) || entries[1]["complianceType"] != "mustnothave" {
		t.Errorf("what must go has the fields %v", fields)
	}
}
