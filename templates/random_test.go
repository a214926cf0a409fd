package templates_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// chance makes random choices.
type chance struct{ *rand.Rand }

func pick[T any](c chance, values ...T) T { return values[c.IntN(len(values))] }

// some gives a few of the values, perhaps none, perhaps one of them twice.
func some[T any](c chance, values ...T) []any {
	list := []any{}
	for range c.IntN(4) {
		list = append(list, pick(c, values...))
	}
	return list
}

// network gives a network that holds some of the addresses that machines have.
func (c chance) network() string {
	if c.IntN(2) == 0 {
		address := netip.MustParseAddr(pick(c, "10.1.2.3", "192.0.2.77", "172.20.1.1", "198.51.100.255"))
		return netip.PrefixFrom(address, c.IntN(33)).Masked().String()
	}
	address := netip.MustParseAddr(pick(c, "2001:db8::1", "2001:db8:0:7f::ab", "fd00:1:2::3"))
	return netip.PrefixFrom(address, c.IntN(129)).Masked().String()
}

func (c chance) networks() []string {
	var list []string
	for range max(0, c.IntN(6)-3) {
		list = append(list, c.network())
	}
	return list
}

// spec gives a spec with any combination of the options that reach the template.
func (c chance) spec() map[string]any {
	names := map[string]any{
		"matchInterfaceBy": pick(c, []any{"name"}, []any{"interfaceName"}, []any{"name", "interfaceName"}, []any{"interfaceName", "name"}),
		"allowWildcards":   c.IntN(2) == 0,
		"limits":           map[string]any{"firstLabel": pick(c, 3, 8, 58, 58, 63), "total": pick(c, 12, 230, 230, 253)},
		"convention": pick(c, "", "", "{vm}.example.com", "{vm}.{namespace}.example.com", "{vm}-{interface}.{domain}",
			"{interface}.{vm}.{namespace}.{domain}"),
		"domain": map[string]any{"default": pick(c, "corp.example.com", "example.org")},
	}
	if c.IntN(2) == 0 {
		names["allowedDomains"] = []any{"example.com", map[string]any{"domain": "example.org", "namespaces": []any{pick(c, "shop", "t?am-*", "nowhere")}}}
	}
	records := map[string]any{
		"types": pick(c, []any{"A"}, []any{"AAAA"}, []any{"AAAA", "A"}), "ttl": pick(c, 1, 300, 86400),
		"whenNoAddress": pick(c, "Remove", "Keep"), "skipLinkDown": c.IntN(2) == 0,
		"addresses": map[string]any{"include": c.networks(), "exclude": c.networks()},
	}
	endpoint := map[string]any{"per": pick(c, "Interface", "VirtualMachine", "Namespace")}
	if c.IntN(2) == 0 {
		endpoint["labels"], endpoint["annotations"] = map[string]any{"zone": "a"}, map[string]any{"note": "b"}
	}
	spec := map[string]any{"names": names, "records": records, "endpoint": endpoint}
	source := map[string]any{}
	if c.IntN(2) == 0 {
		source["namespaces"] = map[string]any{"include": pick(c, []any{"*"}, []any{"shop", "team-?"}), "exclude": pick(c, []any{}, []any{"*-b"})}
	}
	if c.IntN(3) == 0 {
		source["interfaces"] = map[string]any{"include": pick(c, []any{"*"}, []any{"net-?", "*-c"}), "exclude": pick(c, []any{}, []any{"c"}, []any{"Net*"})}
	}
	spec["source"] = source
	return spec
}

// text gives a spec as YAML.
func (c chance) text(t *testing.T) string {
	t.Helper()
	text, err := yaml.Marshal(c.spec())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (c chance) name() string {
	if c.IntN(2) == 0 {
		return pick(c, "a", "web", "db", "app") + ".example.com"
	}
	host := pick(c, "web", "db", "app", "WEB", "a-b", "*", "*.web", "x_y", "long-host-name", "", " web", "web ", strings.Repeat("l", 59), strings.Repeat("l", 64), "ü")
	return host + pick(c, ".example.com", ".example.org", ".corp.example.com", ".example.com.", "", ".1", "..example.com")
}

func (c chance) address() string {
	return pick(c, "10.1.2.3", "192.0.2.77", "192.0.2.200", "172.20.1.1", "198.51.100.255", "198.51.100.0", "192.0.2.77/24", "10.0.2.2", "127.0.0.1",
		"169.254.1.1", "256.1.1.1", "01.2.3.4", "2001:db8::1", "2001:DB8:0:0::1", "2001:db8:0:7f:0:0:0:ab", "2001:db8:0:7f::ab", "fd00:1:2::3", "fe80::1",
		"::1", "::ffff:1.2.3.4", "1::2::3", "no address", "")
}

// machine gives a machine of a small fleet, in which names and objects collide.
func (c chance) machine(key string) map[string]any {
	devices := []string{"net-a", "Net_A", "c", "b-c", "eth0"}
	names := asked{"net-a": c.name()}
	for range c.IntN(3) {
		var list []string
		for range 1 + c.IntN(3) {
			list = append(list, c.name())
		}
		names[pick(c, devices...)] = strings.Join(list, pick(c, ",", " , "))
	}
	rows := []any{nic("net-a", pick(c, "192.0.2.77", "10.1.2.3", "2001:db8::1"), c.address())}
	for range c.IntN(4) {
		row := map[string]any{"interfaceName": pick(c, devices...)}
		if c.IntN(4) > 0 {
			row["name"] = pick(c, devices...)
		}
		if addresses := some(c, c.address(), c.address(), "192.0.2.77"); len(addresses) > 0 {
			row["ipAddress"], row["ipAddresses"] = addresses[0], addresses
		}
		if c.IntN(3) == 0 {
			row["linkState"] = pick(c, "up", "down")
		}
		rows = append(rows, row)
	}
	vm := created(1+c.IntN(3), machine(key, names, rows...))
	annotations, _ := vm["metadata"].(map[string]any)["annotations"].(map[string]any)
	if c.IntN(3) == 0 {
		annotations["policyloom.dev/ttl"] = pick(c, "60", "86400", "0", "99999", "1h", "-1", "")
	}
	if c.IntN(8) == 0 {
		annotations["policyloom.dev/opt-out"] = pick(c, "true", "false", "")
	}
	return with(vm, "status/phase", pick(c, "Running", "Running", "Running", "Running", "Succeeded"))
}

func (c chance) objects() []map[string]any {
	var list []map[string]any
	for _, key := range []string{"shop/a", "shop/a-b", "team-a/web", "team-b/web"} {
		if c.IntN(5) > 0 {
			list = append(list, c.machine(key))
		}
	}
	for _, key := range []string{"shop/a-b-c", "shop/a", "team-a/web-net-a", "zoo/left", ofNamespace("shop"), ofNamespace("team-a")} {
		if c.IntN(2) == 0 {
			name := strings.ToLower(c.name())
			object := published(key, name, some(c, c.address(), c.address())...)
			if c.IntN(2) == 0 {
				object = heldBy(object, fmt.Sprintf("{%q: %q}", name, pick(c, "a", "a-b", "web")))
			}
			list = append(list, object)
		}
	}
	return list
}

func TestAnyOptions(t *testing.T) {
	t.Parallel()
	records, problems := 0, 0
	for seed := range uint64(300) {
		c := chance{rand.New(rand.NewPCG(seed, 0))}
		spec, objects := c.text(t), c.objects()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dns := resource(t, spec)
			rendered, findings := render(t, templateOf(t, dns), decoded(t, objects...))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			checkFleet(t, dns, objects, rendered)
			checkAnswered(t, dns, objects, outcome(t, rendered, nil), findings)
			c.Shuffle(len(objects), reflect.Swapper(objects))
			again, more := render(t, templateOf(t, dns), decoded(t, objects...))
			if got, want := show(t, again, more), show(t, rendered, findings); got != want {
				t.Errorf("in another order:\n%s\nwant\n%s", got, want)
			}
			records, problems = records+len(rendered), problems+len(findings)
			if t.Failed() {
				t.Logf("%s\n%s", spec, show(t, rendered, findings))
			}
		})
	}
	if records < 100 || problems < 100 {
		t.Errorf("%d objects and %d warnings are too few to show anything", records, problems)
	}
}

// checkFleet checks every object and record, that no name belongs to two machines, that no object comes twice, and that each
// DNSEndpoint of the policy stays or goes.
func checkFleet(t *testing.T, dns *v1alpha1.VirtualMachineDNS, objects []map[string]any, rendered []evaluate.Object) {
	t.Helper()
	seen := map[string]bool{}
	owners := map[string][]string{}
	for _, object := range rendered {
		key := object.Object.GetNamespace() + "/" + object.Object.GetName()
		if seen[key] {
			t.Errorf("%s comes twice", key)
		}
		seen[key] = true
		if object.ComplianceType == "mustnothave" {
			continue
		}
		checkOwn(t, &dns.Spec, object)
		endpoints, _, _ := unstructured.NestedSlice(object.Object.Object, "spec", "endpoints")
		for _, endpoint := range endpoints {
			record, _ := endpoint.(map[string]any)
			name, _ := record["dnsName"].(string)
			possible := ownersOf(dns, key, objects)
			if others, known := owners[name]; known {
				possible = slices.DeleteFunc(possible, func(vm string) bool { return !slices.Contains(others, vm) })
			}
			if owners[name] = possible; len(possible) == 0 {
				t.Errorf("%s in %s belongs to no running machine, or to two", name, key)
			}
		}
	}
	for _, object := range objects {
		if key := keyOf(object); object["kind"] == "DNSEndpoint" && !seen[key] {
			t.Errorf("%s neither stays nor goes", key)
		}
	}
}

func keyOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	return fmt.Sprintf("%v/%v", metadata["namespace"], metadata["name"])
}

// ownersOf gives the running machines that a DNSEndpoint can be for.
func ownersOf(dns *v1alpha1.VirtualMachineDNS, key string, objects []map[string]any) []string {
	var list []string
	for _, object := range objects {
		vm := keyOf(object)
		status, _ := object["status"].(map[string]any)
		namespace, _, _ := strings.Cut(vm, "/")
		own := key == vm || dns.Spec.Endpoint.Per == v1alpha1.EndpointPerNamespace && key == ofNamespace(namespace) ||
			dns.Spec.Endpoint.Per == v1alpha1.EndpointPerInterface && strings.HasPrefix(key, vm+"-")
		annotations, _, _ := unstructured.NestedStringMap(object, "metadata", "annotations")
		own = own && annotations["policyloom.dev/opt-out"] != "true"
		if own && object["kind"] == "VirtualMachineInstance" && status["phase"] == "Running" {
			list = append(list, vm)
		}
	}
	return list
}

// checkAnswered checks that each name that a machine asks for has a record, or a warning says why not.
func checkAnswered(t *testing.T, dns *v1alpha1.VirtualMachineDNS, objects []map[string]any, records []string, findings diag.Findings) {
	t.Helper()
	for _, object := range objects {
		vm := keyOf(object)
		namespace, _, _ := strings.Cut(vm, "/")
		status, _ := object["status"].(map[string]any)
		namespaces := dns.Spec.Source.Namespaces
		if object["kind"] != "VirtualMachineInstance" || status["phase"] != "Running" || !anyGlob(namespaces.Include, namespace) || anyGlob(namespaces.Exclude, namespace) {
			continue
		}
		annotations, _, _ := unstructured.NestedStringMap(object, "metadata", "annotations")
		if annotations["policyloom.dev/opt-out"] == "true" {
			continue
		}
		for key, value := range annotations {
			networkInterface, isRequest := strings.CutPrefix(key, "vm.redhat-cop.dns-name/")
			for name := range strings.SplitSeq(value, ",") {
				name = strings.TrimSpace(name)
				if !isRequest || name == "" {
					continue
				}
				record := ": " + strings.TrimSuffix(strings.ToLower(name), ".") + " "
				place := vm
				if dns.Spec.Endpoint.Per == v1alpha1.EndpointPerNamespace {
					place = ofNamespace(namespace)
				}
				met := slices.ContainsFunc(records, func(line string) bool { return strings.HasPrefix(line, place) && strings.Contains(line, record) })
				reported := slices.ContainsFunc(findings, func(f diag.Finding) bool {
					return strings.HasSuffix(f.Field, " "+vm) && (strings.Contains(f.Message, fmt.Sprintf("%q", name)) || strings.Contains(f.Message, fmt.Sprintf("%q", networkInterface)))
				})
				if !met && !reported {
					t.Errorf("%s asks for %q on %s, which is neither there nor reported", vm, name, networkInterface)
				}
			}
		}
	}
}

func anyGlob(globs []string, text string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		matched, err := path.Match(glob, text)
		return matched && err == nil
	})
}
