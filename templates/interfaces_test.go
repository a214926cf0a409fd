package templates_test

import "testing"

func TestMatchInterfaceBy(t *testing.T) {
	// The device of the first network in the guest has the name of the second network.
	swapped := func(name string) []map[string]any {
		return []map[string]any{machine("shop/web", asked{name: "web.example.com"},
			copyOf(nic("default", "192.0.2.1"), "interfaceName", "corp"),
			copyOf(nic("corp", "192.0.2.2"), "interfaceName", "eth1"),
			map[string]any{"interfaceName": "docker0", "ipAddress": "172.17.0.1"})}
	}
	const byDevice, byName = "names: {matchInterfaceBy: [interfaceName]}", "names: {matchInterfaceBy: [name]}"
	missing := func(name string) []string {
		return []string{`warning: name "web.example.com" is asked for interface "` + name + `", which the machine does not report`}
	}
	const podNetwork = `warning: name "web.example.com" points to interface "corp" on the pod network, whose address others may not reach and which changes when the machine moves`
	runAll(t, []testCase{
		{name: "the network's name wins", objects: swapped("corp"), want: []string{"shop/web-corp: web.example.com A 192.0.2.2"}},
		{name: "then the device", objects: swapped("eth1"), want: []string{"shop/web-eth1: web.example.com A 192.0.2.2"}},
		{
			name: "the device first", spec: "names: {matchInterfaceBy: [interfaceName, name]}", objects: swapped("corp"),
			want: []string{"shop/web-corp: web.example.com A 192.0.2.1", podNetwork},
		},
		{name: "only the device", spec: byDevice, objects: swapped("eth1"), want: []string{"shop/web-eth1: web.example.com A 192.0.2.2"}},
		{name: "only the device, asked by network", spec: byDevice, objects: swapped("default"), want: missing("default")},
		{name: "only the network, asked by device", spec: byName, objects: swapped("eth1"), want: missing("eth1")},
		{name: "a device without a network", objects: swapped("docker0"), want: []string{"shop/web-docker0: web.example.com A 172.17.0.1"}},
		{name: "case matters", objects: swapped("Corp"), want: missing("Corp")},
		{
			name: "rows of one name", objects: []map[string]any{machine("shop/web", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.1"), nic("corp", "192.0.2.2"))},
			want: []string{"shop/web-corp: web.example.com A 192.0.2.1 192.0.2.2"},
		},
		{name: "no interfaces", objects: []map[string]any{machine("shop/web", asked{"corp": "web.example.com"})}, want: missing("corp")},
		{name: "interfaces null", objects: []map[string]any{with(machine("shop/web", asked{"corp": "web.example.com"}), "status/interfaces", nil)}, want: missing("corp")},
	})
}

func TestAnnotationPrefix(t *testing.T) {
	annotated := func(annotations map[string]any) []map[string]any {
		return []map[string]any{with(machine("shop/web", nil, nic("corp", "192.0.2.1")), "metadata/annotations", annotations)}
	}
	const spec = "names: {annotationPrefix: dns.example.com}"
	runAll(t, []testCase{
		{name: "own prefix", spec: spec, objects: annotated(map[string]any{
			"dns.example.com/corp": "a.example.com", "vm.redhat-cop.dns-name/corp": "b.example.com",
			"x.dns.example.com/corp": "c.example.com", "dns.example.com.evil/corp": "d.example.com",
		}), want: []string{"shop/web-corp: a.example.com A 192.0.2.1"}},
		{name: "prefix alone", spec: spec, objects: annotated(map[string]any{"dns.example.com": "a.example.com", "dns.example.com/": "b.example.com"})},
		{name: "no annotations", objects: annotated(nil)},
		{name: "annotations missing", objects: []map[string]any{with(machine("shop/web", nil, nic("corp", "192.0.2.1")), "metadata/annotations", nil)}},
	})
}

func TestPodNetwork(t *testing.T) {
	const warning = `warning: name "web.example.com" points to interface "default" on the pod network, whose address others may not reach and which changes when the machine moves`
	record := "shop/web-default: web.example.com A 192.0.2.1"
	of := func(networks any) []map[string]any {
		return []map[string]any{with(machine("shop/web", asked{"default": "web.example.com"}, nic("default", "192.0.2.1")), "spec/networks", networks)}
	}
	pod := map[string]any{}
	runAll(t, []testCase{
		{name: "pod", objects: of([]any{map[string]any{"name": "default", "pod": pod}}), want: []string{record, warning}},
		{name: "with a range of its own", objects: of([]any{map[string]any{"name": "default", "pod": map[string]any{"vmNetworkCIDR": "10.1.0.0/24"}}}), want: []string{record, warning}},
		{name: "multus", objects: of([]any{map[string]any{"name": "default", "multus": map[string]any{"networkName": "x"}}}), want: []string{record}},
		{name: "another is the pod network", objects: of([]any{map[string]any{"name": "other", "pod": pod}, map[string]any{"name": "default"}}), want: []string{record}},
		{name: "a value that looks like one", objects: of([]any{map[string]any{"name": `x" "name":"default" "pod":map[`}}), want: []string{record}},
		{name: "no networks", objects: of(nil), want: []string{record}},
	})
}

func TestConvention(t *testing.T) {
	const plain = `names: {convention: "{vm}.{namespace}.{domain}", domain: {default: example.com}}`
	const byInterface = `names: {convention: "{vm}-{interface}.{namespace}.example.com"}`
	both := []any{nic("default", "10.1.1.1"), nic("corp", "192.0.2.1"), map[string]any{"interfaceName": "docker0", "ipAddress": "172.17.0.1"}}
	runAll(t, []testCase{
		{
			name: "the network that is not the pod network", spec: plain, objects: []map[string]any{machine("shop/web", nil, both...)},
			want: []string{"shop/web-corp: web.shop.example.com A 192.0.2.1"},
		},
		{name: "the pod network if there is no other", spec: plain, objects: []map[string]any{machine("shop/web", nil, both[0])}, want: []string{
			"shop/web-default: web.shop.example.com A 10.1.1.1",
			`warning: name "web.shop.example.com" points to interface "default" on the pod network, whose address others may not reach and which changes when the machine moves`,
		}},
		{
			name: "the first of several", spec: plain, objects: []map[string]any{machine("shop/web", nil, nic("lab", "198.51.100.1"), both[1])},
			want: []string{"shop/web-lab: web.shop.example.com A 198.51.100.1"},
		},
		{
			name: "an annotation counts instead", spec: plain, objects: []map[string]any{machine("shop/web", asked{"corp": "other.example.com"}, both...)},
			want: []string{"shop/web-corp: other.example.com A 192.0.2.1"},
		},
		{name: "by interface", spec: byInterface, objects: []map[string]any{machine("shop/web", nil, both...)}, want: []string{
			"shop/web-corp: web-corp.shop.example.com A 192.0.2.1",
			"shop/web-default: web-default.shop.example.com A 10.1.1.1",
			`warning: name "web-default.shop.example.com" points to interface "default" on the pod network, whose address others may not reach and which changes when the machine moves`,
		}},
		{
			name: "an interface that no name can hold", spec: byInterface, objects: []map[string]any{machine("shop/web", nil, nic("net_a", "192.0.2.1"))},
			want: []string{`warning: "web-net_a.shop.example.com" is not a domain name`},
		},
		{name: "no convention", objects: []map[string]any{machine("shop/web", nil, both...)}},
		{name: "no named interface", spec: plain, objects: []map[string]any{machine("shop/web", nil, both[2])}},
		{
			name: "allowed domains count", spec: `names: {convention: "{vm}.example.com", allowedDomains: [example.org]}`, objects: []map[string]any{machine("shop/web", nil, both...)},
			want: []string{`warning: name "web.example.com" is in none of the allowed domains`},
		},
		{name: "two machines of one name", spec: `names: {convention: "{vm}.example.com"}`, objects: []map[string]any{
			created(2, machine("a/web", nil, both[1])), created(1, machine("b/web", nil, both[1])),
		}, want: []string{"b/web-corp: web.example.com A 192.0.2.1", `warning: name "web.example.com" is taken by VirtualMachineInstance b/web`}},
	})
}

func TestSource(t *testing.T) {
	labelled := func(key, label, value string) map[string]any {
		return with(machine(key, asked{"corp": key[len("shop/"):] + ".example.com"}, nic("corp", "192.0.2.1")), "metadata/labels", map[string]any{label: value})
	}
	three := []map[string]any{labelled("shop/web", "dns", "yes"), labelled("shop/sql", "dns", "True"), labelled("shop/job", "tier", "x")}
	var many []map[string]any
	for _, namespace := range []string{"shop", "team-a", "team-b", "tests"} {
		many = append(many, machine(namespace+"/web", asked{"corp": namespace + ".example.com"}, nic("corp", "192.0.2.1")))
	}
	record := func(namespace string) string {
		return namespace + "/web-corp: " + namespace + ".example.com A 192.0.2.1"
	}
	runAll(t, []testCase{
		{name: "labels are compared exactly", spec: "source: {selector: {matchLabels: {dns: \"yes\"}}}", objects: three, want: []string{"shop/web-corp: web.example.com A 192.0.2.1"}},
		{
			name: "expressions", spec: "source: {selector: {matchExpressions: [{key: dns, operator: Exists}, {key: dns, operator: NotIn, values: [\"yes\"]}]}}",
			objects: three, want: []string{"shop/sql-corp: sql.example.com A 192.0.2.1"},
		},
		{name: "default", objects: three},
		{name: "all namespaces", objects: many, want: []string{record("shop"), record("team-a"), record("team-b"), record("tests")}},
		{name: "include", spec: "source: {namespaces: {include: [\"team-?\", other]}}", objects: many, want: []string{record("team-a"), record("team-b")}},
		{name: "exclude", spec: "source: {namespaces: {exclude: [\"*s\", shop]}}", objects: many, want: []string{record("team-a"), record("team-b")}},
		{name: "include and exclude", spec: "source: {namespaces: {include: [team-*], exclude: [team-b*]}}", objects: many, want: []string{record("team-a")}},
	})
}

func TestRunning(t *testing.T) {
	at := func(path string, value any) []map[string]any {
		return []map[string]any{with(web("192.0.2.1")[0], path, value)}
	}
	var cases []testCase
	for _, phase := range []any{"Pending", "Scheduling", "Scheduled", "Succeeded", "Failed", "Unknown", "", "running", nil, 5} {
		cases = append(cases, testCase{name: "phase", objects: at("status/phase", phase)})
	}
	runAll(t, append(cases, []testCase{
		{name: "Running", objects: web("192.0.2.1"), want: []string{webA + "192.0.2.1"}},
		{name: "on its way out", objects: at("metadata/deletionTimestamp", "2026-01-02T00:00:00Z")},
		{name: "no status", objects: at("status", map[string]any{})},
		{name: "status null", objects: at("status", nil)},
		{name: "no spec", objects: at("spec", nil), want: []string{webA + "192.0.2.1"}},
	}...))
}
