package templates_test

import (
	"strings"
	"testing"
)

// web is a machine whose interface corp has the addresses.
func web(addresses ...string) []map[string]any {
	return []map[string]any{machine("shop/web", asked{"corp": "web.example.com"}, nic("corp", addresses...))}
}

const (
	webA      = "shop/web-corp: web.example.com A "
	webAAAA   = "shop/web-corp: web.example.com AAAA "
	noAddress = `warning: interface "corp" has no address that may be published, so name "web.example.com" has no record`
)

func TestAddresses(t *testing.T) {
	runAll(t, []testCase{
		{name: "both families", objects: web("2001:db8::1", "192.0.2.1"), want: []string{webA + "192.0.2.1", webAAAA + "2001:db8::1"}},
		{name: "sorted", objects: web("192.0.2.20", "192.0.2.1", "192.0.2.3"), want: []string{webA + "192.0.2.1 192.0.2.20 192.0.2.3"}},
		{name: "each once", objects: web("192.0.2.1", "192.0.2.1/24", " 192.0.2.1 "), want: []string{webA + "192.0.2.1"}},
		{name: "CIDR suffix", objects: web("192.0.2.1/24", "2001:db8::1/64"), want: []string{webA + "192.0.2.1", webAAAA + "2001:db8::1"}},
		{
			name: "one address in several spellings", objects: web("2001:db8:0:0:0:0:0:1", "2001:DB8::1", "2001:0db8::0001", "2001:db8::0:1"),
			want: []string{webAAAA + "2001:db8::1"},
		},
		{name: "upper case", objects: web("2001:DB8::ABCD"), want: []string{webAAAA + "2001:db8::abcd"}},
		{
			name: "link-local and NAT", objects: web("fe80::1", "FE80::2", "fe80:0:0:0:0:0:0:3", "febf::1", "169.254.3.4", "10.0.2.2", "fd10:0:2::2", "fd10:0000:2:0::2"),
			want: []string{noAddress},
		},
		{
			name: "loopback, unspecified, multicast, mapped", objects: web("127.0.0.1", "0.0.0.0", "::", "::1", "0:0:0:0:0:0:0:1", "::ffff:c000:201", "::ffff:192.0.2.1", "224.0.0.1", "255.255.255.255", "ff02::1"),
			want: []string{noAddress},
		},
		{
			name: "next to those", objects: web("10.0.3.1", "169.253.0.1", "223.1.1.1", "fd10:0:2::1:2", "fec0::1"),
			want: []string{webA + "10.0.3.1 169.253.0.1 223.1.1.1", webAAAA + "fd10:0:2::1:2 fec0::1"},
		},
		{
			name: "too many groups", objects: web("1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:9:a:b:c", "1::2:3:4:5:6:7:8:9:a:b:c", "1:2:3:4:5:6:7:8::", "1:2:3:4:5:6:7::8"),
			want: []string{noAddress},
		},
		{name: "several in one text", objects: web("192.0.2.1,192.0.2.2"), want: []string{noAddress}},
		{name: "only the list", objects: []map[string]any{machine("shop/web", asked{"corp": "web.example.com"},
			map[string]any{"name": "corp", "ipAddresses": []any{"192.0.2.1"}})}, want: []string{webA + "192.0.2.1"}},
		{name: "only the first", objects: []map[string]any{machine("shop/web", asked{"corp": "web.example.com"},
			map[string]any{"name": "corp", "ipAddress": "192.0.2.1", "ipAddresses": []any{}})}, want: []string{webA + "192.0.2.1"}},
		{name: "none", objects: web(), want: []string{noAddress}},
		{name: "null", objects: []map[string]any{machine("shop/web", asked{"corp": "web.example.com"},
			map[string]any{"name": "corp", "ipAddress": nil, "ipAddresses": nil})}, want: []string{noAddress}},
	})
}

func TestAddressNetworks(t *testing.T) {
	runAll(t, []testCase{
		{
			name: "include", spec: "records: {addresses: {include: [192.0.2.0/24]}}", objects: web("192.0.2.1", "198.51.100.1", "2001:db8::1"),
			want: []string{webA + "192.0.2.1"},
		},
		{
			name: "include inside an octet", spec: "records: {addresses: {include: [172.16.0.0/12]}}",
			objects: web("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"), want: []string{webA + "172.16.0.0 172.31.255.255"},
		},
		{
			name: "include one address", spec: "records: {addresses: {include: [192.0.2.1/32, 2001:db8::1/128]}}",
			objects: web("192.0.2.1", "192.0.2.10", "2001:db8::1", "2001:db8::10", "2001:db8::1:1"), want: []string{webA + "192.0.2.1", webAAAA + "2001:db8::1"},
		},
		{
			name: "include inside a group", spec: "records: {addresses: {include: [2001:db8:0:40::/58]}}",
			objects: web("2001:db8:0:3f::1", "2001:db8:0:40::1", "2001:db8:0:7F::1", "2001:db8:0:80::1"), want: []string{webAAAA + "2001:db8:0:40::1 2001:db8:0:7f::1"},
		},
		{
			name: "include where the gap is", spec: "records: {addresses: {include: [2001:db8::/64]}}",
			objects: web("2001:db8::1", "2001:db8:0:0:1::", "2001:db8::1:0:0:0:0", "2001:db8:0:1::1"), want: []string{webAAAA + "2001:db8::1 2001:db8:0:0:1::"},
		},
		{
			name: "exclude", spec: "records: {addresses: {exclude: [10.0.0.0/8, 2001:db8:dead::/48]}}", objects: web("10.1.1.1", "100.1.1.1", "2001:db8:dead::1", "2001:db8:dea::1"),
			want: []string{webA + "100.1.1.1", webAAAA + "2001:db8:dea::1"},
		},
		{
			name: "exclude inside an octet", spec: "records: {addresses: {exclude: [192.0.2.128/25]}}", objects: web("192.0.2.127", "192.0.2.128", "192.0.2.255"),
			want: []string{webA + "192.0.2.127"},
		},
		{
			name: "exclude part of what is included", spec: "records: {addresses: {include: [192.0.2.0/24], exclude: [192.0.2.0/30]}}",
			objects: web("192.0.2.3", "192.0.2.4", "198.51.100.1"), want: []string{webA + "192.0.2.4"},
		},
		{
			name: "include what is never published", spec: "records: {addresses: {include: [0.0.0.0/0, \"::/0\"]}}", objects: web("127.0.0.1", "fe80::1", "192.0.2.1"),
			want: []string{webA + "192.0.2.1"},
		},
		{name: "only IPv4", spec: "records: {types: [A]}", objects: web("192.0.2.1", "2001:db8::1"), want: []string{webA + "192.0.2.1"}},
		{name: "only IPv6", spec: "records: {types: [AAAA]}", objects: web("192.0.2.1", "2001:db8::1"), want: []string{webAAAA + "2001:db8::1"}},
		{name: "not of the type", spec: "records: {types: [AAAA]}", objects: web("192.0.2.1"), want: []string{noAddress}},
	})
}

func TestTTL(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{"{}": "recordTTL: 180\n", "records: {ttl: 86400}": "recordTTL: 86400\n"} {
		objects, findings := render(t, withSpec(t, spec), decoded(t, web("192.0.2.1")...))
		if text := show(t, objects, findings); !strings.Contains(text, want) {
			t.Errorf("%s: got %s", spec, text)
		}
	}
}

func TestWhenNoAddress(t *testing.T) {
	const keep = "records: {whenNoAddress: Keep}"
	const keepPerMachine = "{records: {whenNoAddress: Keep}, endpoint: {per: VirtualMachine}}"
	before := func(targets ...any) map[string]any { return published("shop/web-corp", "web.example.com", targets...) }
	machineOf := func(phase string) map[string]any { return with(web()[0], "status/phase", phase) }
	runAll(t, []testCase{
		{name: "Remove", objects: []map[string]any{web()[0], before("192.0.2.9")}, want: []string{"shop/web-corp must go", noAddress}},
		{name: "Keep", spec: keep, objects: []map[string]any{web()[0], before("192.0.2.9", "192.0.2.8")}, want: []string{webA + "192.0.2.8 192.0.2.9"}},
		{name: "a new address", spec: keep, objects: []map[string]any{web("192.0.2.1")[0], before("192.0.2.9")}, want: []string{webA + "192.0.2.1"}},
		{name: "only a link-local one", spec: keep, objects: []map[string]any{web("169.254.1.1")[0], before("192.0.2.9")}, want: []string{webA + "192.0.2.9"}},
		{name: "nothing was published", spec: keep, objects: web(), want: []string{noAddress}},
		{
			name: "another name was published", spec: keep, objects: []map[string]any{web()[0], published("shop/web-corp", "old.example.com", "192.0.2.9")},
			want: []string{"shop/web-corp must go", noAddress},
		},
		{
			name: "what was published is now excluded", spec: "records: {whenNoAddress: Keep, addresses: {exclude: [192.0.2.0/24]}}",
			objects: []map[string]any{web()[0], before("192.0.2.9")}, want: []string{"shop/web-corp must go", noAddress},
		},
		{name: "stopped", spec: keep, objects: []map[string]any{machineOf("Succeeded"), before("192.0.2.9")}, want: []string{"shop/web-corp must go"}},
		{name: "deleted", spec: keep, objects: []map[string]any{before("192.0.2.9")}, want: []string{"shop/web-corp must go"}},
		{
			name: "interface gone", spec: keep, objects: []map[string]any{with(web()[0], "status/interfaces", []any{}), before("192.0.2.9")},
			want: []string{"shop/web-corp must go", `warning: name "web.example.com" is asked for interface "corp", which the machine does not report`},
		},
		{name: "never another interface's", spec: keep, objects: []map[string]any{
			machine("shop/web", asked{"corp": "web.example.com", "lab": "web.example.com"}, nic("corp"), nic("lab", "198.51.100.1")), before("192.0.2.9"),
		}, want: []string{webA + "192.0.2.9", "shop/web-lab: web.example.com A 198.51.100.1"}},
		{name: "per machine", spec: keepPerMachine, objects: []map[string]any{
			machine("shop/web", asked{"corp": "web.example.com", "lab": "lab.example.com"}, nic("corp"), nic("lab", "198.51.100.1")),
			published("shop/web", "web.example.com", "192.0.2.9"),
		}, want: []string{"shop/web: lab.example.com A 198.51.100.1", "shop/web: web.example.com A 192.0.2.9"}},
		{name: "per machine, never another interface's", spec: keepPerMachine, objects: []map[string]any{
			machine("shop/web", asked{"corp": "web.example.com", "lab": "Web.example.com."}, nic("corp"), nic("lab", "198.51.100.1")),
			published("shop/web", "web.example.com", "192.0.2.9", "198.51.100.7"),
		}, want: []string{"shop/web: web.example.com A 198.51.100.1", noAddress}},
		{name: "what another policy published", spec: keep, objects: []map[string]any{
			web()[0], with(before("192.0.2.9"), "metadata/labels", map[string]any{"policyloom.dev/policy": "policies.other"}),
		}, want: []string{noAddress}},
	})
}

func TestSkipLinkDown(t *testing.T) {
	down := []map[string]any{machine("shop/web", asked{"corp": "web.example.com"}, copyOf(nic("corp", "192.0.2.1"), "linkState", "down"))}
	up := []map[string]any{machine("shop/web", asked{"corp": "web.example.com"}, copyOf(nic("corp", "192.0.2.1"), "linkState", "up"))}
	was := published("shop/web-corp", "web.example.com", "192.0.2.1")
	runAll(t, []testCase{
		{name: "by default a link that is down counts", objects: down, want: []string{webA + "192.0.2.1"}},
		{name: "down", spec: "records: {skipLinkDown: true}", objects: down, want: []string{noAddress}},
		{name: "up", spec: "records: {skipLinkDown: true}", objects: up, want: []string{webA + "192.0.2.1"}},
		{name: "unknown", spec: "records: {skipLinkDown: true}", objects: web("192.0.2.1"), want: []string{webA + "192.0.2.1"}},
		{
			name: "down is not without an address", spec: "records: {skipLinkDown: true, whenNoAddress: Keep}", objects: append(down, was),
			want: []string{"shop/web-corp must go", noAddress},
		},
	})
}
