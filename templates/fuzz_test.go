package templates_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// neighbours are machines that a hostile one must not harm.
const neighbours = `
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: web
  namespace: shop
  creationTimestamp: "2026-01-01T00:00:00Z"
  labels: {vm.redhat-cop.dns-name: "true"}
  annotations: {vm.redhat-cop.dns-name/corp: "web.example.com"}
status:
  phase: Running
  interfaces: [{name: corp, ipAddress: 192.0.2.1, ipAddresses: [192.0.2.1, "2001:db8::1"]}]
---
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: evil-twin
  namespace: tenant
  creationTimestamp: "2026-01-02T00:00:00Z"
  labels: {vm.redhat-cop.dns-name: "true"}
  annotations: {vm.redhat-cop.dns-name/corp: "twin.example.com"}
status:
  phase: Running
  interfaces: [{name: corp, ipAddress: 192.0.2.2, ipAddresses: [192.0.2.2]}]
---
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: zeta
  namespace: zone
  creationTimestamp: "2026-01-03T00:00:00Z"
  labels: {vm.redhat-cop.dns-name: "true"}
status:
  phase: Running
  interfaces: [{name: default, ipAddress: 192.0.2.3, ipAddresses: [192.0.2.3]}]
`

// hostile is a machine whose owner and guest choose every string that they can.
func hostile(annotation, value, label, network, device, address string) manifest.Object {
	return manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubevirt.io/v1",
		"kind":       "VirtualMachineInstance",
		"metadata": map[string]any{
			"name": "evil", "namespace": "tenant", "creationTimestamp": "2026-02-01T00:00:00Z",
			"labels":      map[string]any{"vm.redhat-cop.dns-name": "true", "x": label},
			"annotations": map[string]any{"vm.redhat-cop.dns-name/" + annotation: value, "other": value},
		},
		"spec": map[string]any{"networks": []any{map[string]any{"name": network, "pod": map[string]any{}}}},
		"status": map[string]any{"phase": "Running", "interfaces": []any{
			map[string]any{"name": network, "interfaceName": device, "ipAddress": address, "ipAddresses": []any{address, "192.0.2.66"}},
			map[string]any{"interfaceName": annotation, "ipAddress": address},
		}},
	}}}
}

// addHostile adds texts that have done harm somewhere, in every place.
func addHostile(f *testing.F) {
	f.Helper()
	seeds := []string{
		"corp", "web.example.com", "twin.example.com,evil.example.com.", "a\"\n- complianceType: musthave\n", "{{ fail }}", "{{hub x hub}}",
		"a.example.com 60 A 192.0.2.250 ; b.example.com", "\u0085- x: y", "\u2028", "\xff\xfe", "..", "a..b", "-a.example.com", "*.example.com",
		"10.1.2.3/24", "fe80::1%eth0", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8:9", ":::", "256.1.1.1", "-1.1.1.1", "010.1.1.1", "Twin-Corp", "twin_corp",
		strings.Repeat("a", 300) + ".example.com", "EXAMPLE.com", "x/y", "%s%n", "\x00", "",
	}
	for i, seed := range seeds {
		f.Add(seed, seeds[(i+1)%len(seeds)], seeds[(i+2)%len(seeds)], seed, seeds[(i+3)%len(seeds)], seeds[(i+4)%len(seeds)])
		f.Add("corp", seed, "x", "corp", seed, seed)
	}
}

func FuzzOneMachineHarmsNoOther(f *testing.F) {
	addHostile(f)
	resources := []*v1alpha1.VirtualMachineDNS{
		resource(f, "{}"),
		resource(f, `{names: {convention: "{vm}-{interface}.{namespace}.example.com", allowWildcards: true}, endpoint: {per: VirtualMachine}, records: {whenNoAddress: Keep}}`),
	}
	others := load(f, "neighbours", []byte(neighbours))
	f.Fuzz(func(t *testing.T, annotation, value, label, network, device, address string) {
		for _, dns := range resources {
			policy := templateOf(t, dns)
			alone, findings := render(t, policy, others)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			all := append([]manifest.Object{hostile(annotation, value, label, network, device, address)}, others...)
			together, findings := render(t, policy, all)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			var rest []evaluate.Object
			for _, object := range together {
				o := object.Object
				if name := o.GetName(); o.GetNamespace() == "tenant" && (name == "evil" || strings.HasPrefix(name, "evil-") && name != "evil-twin" && name != "evil-twin-corp") {
					checkOwn(t, &dns.Spec, object)
					continue
				}
				object.Index = 0
				rest = append(rest, object)
			}
			for i := range alone {
				alone[i].Index = 0
			}
			if !reflect.DeepEqual(rest, alone) {
				t.Errorf("the other machines' objects changed:\n%s\nwant\n%s", show(t, rest, nil), show(t, alone, nil))
			}
		}
	})
}

// Where machines share an object, each record is that of one of them.
func FuzzOneMachineHarmsNoOtherInItsObject(f *testing.F) {
	addHostile(f)
	dns := resource(f, `{endpoint: {per: Namespace}, records: {whenNoAddress: Keep}, report: true}`)
	policy, report := templateOf(f, dns), generated(f, dns, "vm-dns-report")[0]
	others := load(f, "neighbours", []byte(neighbours))
	f.Fuzz(func(t *testing.T, annotation, value, label, network, device, address string) {
		evil := hostile(annotation, value, label, network, device, address)
		evil.SetAnnotations(map[string]string{
			"vm.redhat-cop.dns-name/" + annotation: value, "policyloom.dev/ttl": label, "policyloom.dev/opt-out": label,
		})
		all := append([]manifest.Object{evil}, others...)
		alone, _ := render(t, policy, others)
		together, findings := render(t, policy, all)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		for _, object := range together {
			if object.Object.GetNamespace() != "tenant" {
				checkOwn(t, &dns.Spec, object)
			}
		}
		want, got := outcome(t, alone, nil), outcome(t, together, nil)
		rest := slices.DeleteFunc(slices.Clone(got), func(line string) bool {
			return strings.HasPrefix(line, ofNamespace("tenant")) && !slices.Contains(want, line)
		})
		if !slices.Equal(rest, want) {
			t.Errorf("the other machines' records changed:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		reported, findings := render(t, report, all)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		for _, object := range reported {
			if object.Object.GetName() != "evil" {
				t.Errorf("the report names %s", object.Object.GetName())
			}
		}
	})
}

// checkOwn checks that an object of a machine is a DNSEndpoint with the labels of the policy and well-formed records.
func checkOwn(t *testing.T, spec *v1alpha1.VirtualMachineDNSSpec, object evaluate.Object) {
	t.Helper()
	if object.Object.GetKind() != "DNSEndpoint" || object.ComplianceType != "mustonlyhave" {
		t.Errorf("got a %s that is %s", object.Object.GetKind(), object.ComplianceType)
	}
	if problems := validation.IsDNS1123Subdomain(object.Object.GetName()); problems != nil {
		t.Errorf("name %q: %v", object.Object.GetName(), problems)
	}
	labels := map[string]string{"app.kubernetes.io/managed-by": "policyloom", "policyloom.dev/policy": "policies.vm-dns"}
	maps.Copy(labels, spec.Endpoint.Labels)
	annotations := object.Object.GetAnnotations()
	if spec.Endpoint.Per == v1alpha1.EndpointPerNamespace && spec.Records.WhenNoAddress == v1alpha1.KeepRecords {
		delete(annotations, "policyloom.dev/machines")
	}
	if !maps.Equal(object.Object.GetLabels(), labels) || !maps.Equal(annotations, spec.Endpoint.Annotations) {
		t.Errorf("labels %v, annotations %v", object.Object.GetLabels(), object.Object.GetAnnotations())
	}
	endpoints, _, err := unstructured.NestedSlice(object.Object.Object, "spec", "endpoints")
	if err != nil || len(endpoints) == 0 {
		t.Fatalf("endpoints: %v %v", endpoints, err)
	}
	for _, endpoint := range endpoints {
		record, isMap := endpoint.(map[string]any)
		if !isMap {
			t.Fatalf("endpoint %v", endpoint)
		}
		checkRecord(t, spec, object.Object.GetNamespace(), record)
	}
}
