package templates_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// checkRecord checks a record in a namespace with libraries that know nothing of the template, against the spec that the policy
// was made of: the name, the TTL, the targets and their family.
func checkRecord(t *testing.T, spec *v1alpha1.VirtualMachineDNSSpec, namespace string, record map[string]any) {
	t.Helper()
	name, _ := record["dnsName"].(string)
	checkName(t, &spec.Names, namespace, name)
	// Machines of tests ask for no TTL but these.
	if ttl, _ := record["recordTTL"].(int64); !slices.Contains([]int64{*spec.Records.TTL, 60, 86400}, ttl) {
		t.Errorf("recordTTL %v", record["recordTTL"])
	}
	recordType, _ := record["recordType"].(string)
	if !slices.Contains(spec.Records.Types, v1alpha1.RecordType(recordType)) {
		t.Errorf("recordType %v", record["recordType"])
	}
	if len(record) != 4 {
		t.Errorf("record %v", record)
	}
	targets, _, err := unstructured.NestedStringSlice(record, "targets")
	if err != nil || len(targets) == 0 {
		t.Fatalf("targets of %q: %v %v", name, targets, err)
	}
	seen := map[netip.Addr]bool{}
	for _, target := range targets {
		address, err := netip.ParseAddr(target)
		if err != nil || address.Is4In6() || address.Zone() != "" || never(address) {
			t.Errorf("target %q of %q: %v", target, name, err)
			continue
		}
		if address.Is4() != (recordType == "A") {
			t.Errorf("target %q in a record of type %v", target, recordType)
		}
		if include := spec.Records.Addresses.Include; len(include) > 0 && !contained(include, address) || contained(spec.Records.Addresses.Exclude, address) {
			t.Errorf("target %q of %q is in no network that may be published", target, name)
		}
		if seen[address] {
			t.Errorf("targets %v of %q are not unique", targets, name)
		}
		seen[address] = true
	}
}

func checkName(t *testing.T, names *v1alpha1.Names, namespace, name string) {
	t.Helper()
	base := name
	if *names.AllowWildcards {
		base = strings.TrimPrefix(name, "*.")
	}
	labels := strings.Split(base, ".")
	if len(labels) < 2 || len(name) > *names.Limits.Total || len(strings.Split(name, ".")[0]) > *names.Limits.FirstLabel {
		t.Errorf("dnsName %q", name)
	}
	for _, label := range labels {
		if problems := validation.IsDNS1123Label(label); problems != nil {
			t.Errorf("dnsName %q: %v", name, problems)
		}
	}
	allowed := len(names.AllowedDomains) == 0
	for _, domain := range names.AllowedDomains {
		inNamespace := len(domain.Namespaces) == 0 || anyGlob(domain.Namespaces, namespace)
		allowed = allowed || inNamespace && (base == domain.Domain || strings.HasSuffix(base, "."+domain.Domain))
	}
	if !allowed {
		t.Errorf("dnsName %q is in none of the allowed domains", name)
	}
}

func contained(cidrs []string, address netip.Addr) bool {
	return slices.ContainsFunc(cidrs, func(cidr string) bool { return netip.MustParsePrefix(cidr).Contains(address) })
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
				checkRecord(t, &resource(t, "{}").Spec, "shop", record)
			}
		})
	}
}

// never tells whether no one can use the address from outside.
func never(address netip.Addr) bool {
	return contained([]string{
		"0.0.0.0/8", "10.0.2.0/24", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4",
		"::/128", "::1/128", "fe80::/10", "ff00::/8", "fd10:0:2::/120",
	}, address)
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
