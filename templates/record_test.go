package templates_test

import (
	"net/netip"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
)

// checkRecord checks a record with libraries that know nothing of the template: the name, the targets and their family.
func checkRecord(t *testing.T, record map[string]any) {
	t.Helper()
	name, _ := record["dnsName"].(string)
	labels := strings.Split(strings.TrimPrefix(name, "*."), ".")
	if len(labels) < 2 || len(name) > 230 {
		t.Errorf("dnsName %q", name)
	}
	for _, label := range labels {
		if problems := validation.IsDNS1123Label(label); problems != nil {
			t.Errorf("dnsName %q: %v", name, problems)
		}
	}
	targets, _, err := unstructured.NestedStringSlice(record, "targets")
	if err != nil || len(targets) == 0 {
		t.Fatalf("targets of %q: %v %v", name, targets, err)
	}
	var last netip.Addr
	for _, target := range targets {
		address, err := netip.ParseAddr(target)
		if err != nil || address.Is4In6() || address.Zone() != "" || address.IsLoopback() || address.IsLinkLocalUnicast() ||
			address.IsMulticast() || address.IsUnspecified() {
			t.Errorf("target %q of %q: %v", target, name, err)
			continue
		}
		if address.Is4() != (record["recordType"] == "A") {
			t.Errorf("target %q in a record of type %v", target, record["recordType"])
		}
		if last.IsValid() && !last.Less(address) {
			t.Errorf("targets %v are not unique and in order", targets)
		}
		last = address
	}
}

func TestAddressesAreThoseOfNetip(t *testing.T) {
	t.Parallel()
	policy := policyFor(t, nil)
	for _, text := range []string{
		"192.0.2.1", "0.0.0.1", "1.0.0.0", "255.255.255.255", "223.255.255.255", "224.0.0.1", "10.0.2.2", "10.0.3.1", "127.1.1.1", "169.254.0.1",
		"192.0.2.01", "192.0.2", "192.0.2.1.1", "192.0.2.256", "192.0.2.-1", "192.0.2.1 ", "192.0.2.1/24", "+1.2.3.4", "1.2.3.4x", "1..3.4",
		"::", "::1", "::2", "1::", "2001:db8::1", "2001:DB8::1", "2001:db8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:0:1", "2001:db8:0:0:0:0:1",
		"1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::", "1::2::3", ":1::2", "1::2:", ":::", "1:2:3:4:5:6:7:8", "12345::", "g::",
		"::ffff:192.0.2.1", "::ffff:c000:201", "fe80::1", "febf::1", "fec0::1", "ff02::1", "fd10:0:2::2", "fd10:0:2::1:2", "64:ff9b::1", "fe80::1%eth0",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			objects, _ := render(t, policy, load(t, "vmi", []byte(machineWith(text))))
			address, err := netip.ParseAddr(strings.TrimSpace(strings.TrimSuffix(text, "/24")))
			published := err == nil && !address.Is4In6() && address.Zone() == "" && !never(address)
			if got := len(objects) == 1; got != published {
				t.Fatalf("published: %v, want %v", got, published)
			}
			if published {
				endpoints, _, _ := unstructured.NestedSlice(objects[0].Object.Object, "spec", "endpoints")
				record, _ := endpoints[0].(map[string]any)
				checkRecord(t, record)
			}
		})
	}
}

// never tells whether no one can use the address from outside.
func never(address netip.Addr) bool {
	for _, cidr := range []string{
		"0.0.0.0/8", "10.0.2.0/24", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4",
		"::/128", "::1/128", "fe80::/10", "ff00::/8", "fd10:0:2::/120",
	} {
		if netip.MustParsePrefix(cidr).Contains(address) {
			return true
		}
	}
	return false
}

func machineWith(address string) string {
	return `
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: one
  namespace: shop
  labels: {vm.redhat-cop.dns-name: "true"}
  annotations: {vm.redhat-cop.dns-name/corp: one.example.com}
status:
  phase: Running
  interfaces: [{name: corp, ipAddress: "` + address + `"}]
`
}
