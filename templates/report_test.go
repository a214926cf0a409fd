package templates_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// declared is a VirtualMachine that runs, with metadata of its own.
func declared(key string, labels, annotations map[string]any) map[string]any {
	namespace, name, _ := strings.Cut(key, "/")
	return map[string]any{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
		"metadata": map[string]any{"name": name, "namespace": namespace, "labels": labels, "annotations": annotations},
		"status":   map[string]any{"printableStatus": "Running"},
	}
}

// problems gives what the report says, in one line for each machine, and checks that it asks for nothing else.
func problems(t *testing.T, objects []evaluate.Object) []string {
	t.Helper()
	var list []string
	for _, object := range objects {
		annotations := object.Object.GetAnnotations()
		text := annotations["policyloom.dev/problems"]
		list = append(list, object.Object.GetKind()+" "+object.Object.GetNamespace()+"/"+object.Object.GetName()+": "+text)
		unstructured.RemoveNestedField(object.Object.Object, "metadata")
		if len(object.Object.Object) != 2 || len(annotations) != 1 || object.ComplianceType != "musthave" || object.RemediationAction != "inform" {
			t.Errorf("%s %s %v", object.RemediationAction, object.ComplianceType, object.Object)
		}
	}
	return list
}

func TestReport(t *testing.T) {
	t.Parallel()
	optedIn := map[string]any{"vm.redhat-cop.dns-name": "true"}
	unlabelled := func(object map[string]any) map[string]any { return with(object, "metadata/labels", map[string]any{}) }
	for name, c := range map[string]struct {
		spec    string
		objects []map[string]any
		without []string
		want    []string
	}{
		"nothing wrong": {objects: web("192.0.2.1")},
		"every reason": {
			spec: "{names: {allowedDomains: [example.com]}, source: {interfaces: {exclude: [hidden]}}}",
			objects: []map[string]any{
				annotated(created(1, machine("shop/a", asked{
					"corp": "one.example.com,a_b.example.com,one.example.org", "none": "two.example.com", "lab": "three.example.com", "hidden": "four.example.com",
				}, nic("corp", "192.0.2.1"), nic("lab"), nic("hidden", "192.0.2.3"))), "policyloom.dev/ttl", "soon"),
				created(2, machine("shop/b", asked{"corp": "one.example.com", "lab": strings.Repeat("l", 60) + ".example.com"}, nic("corp", "192.0.2.2"), nic("lab", "192.0.2.3"))),
			},
			want: []string{
				`VirtualMachineInstance shop/a: "soon" on "corp": not a TTL from 1 to 86400 seconds: "policyloom.dev/ttl"; ` +
					`"a_b.example.com" on "corp": not a domain name; ` +
					`"one.example.org" on "corp": in none of the allowed domains; ` +
					`"four.example.com" on "hidden": the policy excludes the interface; ` +
					`"soon" on "lab": not a TTL from 1 to 86400 seconds: "policyloom.dev/ttl"; ` +
					`"three.example.com" on "lab": the interface has no address to publish; ` +
					`"two.example.com" on "none": the machine reports no such interface`,
				`VirtualMachineInstance shop/b: "one.example.com" on "corp": taken by "shop/a"; ` +
					`"` + strings.Repeat("l", 60) + `.example.com" on "lab": too long for its ownership record`,
			},
		},
		"an address on the pod network is no problem": {objects: []map[string]any{
			machine("shop/a", asked{"default": "one.example.com"}, nic("default", "10.1.1.1")),
		}},
		"label on the machine": {
			objects: []map[string]any{declared("shop/web", optedIn, nil), unlabelled(web("192.0.2.1")[0])},
			want: []string{
				"VirtualMachine shop/web: the label is on the VirtualMachine: it belongs into spec.template.metadata.labels, and counts from the next start on",
			},
		},
		"label on both": {objects: append(web("192.0.2.1"), declared("shop/web", optedIn, nil))},
		"label on a machine that is stopped": {
			objects: []map[string]any{with(declared("shop/web", optedIn, nil), "status/printableStatus", "Stopped")},
		},
		"annotation on the machine": {
			objects: []map[string]any{
				machine("shop/web", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.1")),
				declared("shop/web", nil, map[string]any{"vm.redhat-cop.dns-name/lab": "lab.example.com", "vm.redhat-cop.dns-name/corp": "x", "other": "y"}),
			},
			want: []string{
				`VirtualMachine shop/web: "lab.example.com" on "lab": the annotation is on the VirtualMachine: it belongs into spec.template.metadata.annotations, and counts from the next start on`,
			},
		},
		"a namespace that takes no part": {
			spec:    "source: {namespaces: {exclude: [shop]}}",
			objects: []map[string]any{declared("shop/web", optedIn, nil), unlabelled(web("192.0.2.1")[0])},
		},
		"opted out": {
			objects: []map[string]any{
				annotated(web("192.0.2.1")[0], "policyloom.dev/opt-out", "true"),
				declared("shop/web", nil, map[string]any{"vm.redhat-cop.dns-name/lab": "lab.example.com"}),
			},
		},
		"no DNSEndpoints on the cluster": {
			objects: append(web("192.0.2.1"), declared("shop/web", optedIn, nil)), without: []string{"externaldns.k8s.io"},
		},
		"many": {
			objects: []map[string]any{machine("shop/a", asked{"none": "1,2,3,4,5,6,7,8,9,10,11,12,13"}, nic("corp"))},
			want: []string{"VirtualMachineInstance shop/a: " + strings.Join([]string{
				`"1" on "none": not a domain name`,
				`"10" on "none": not a domain name`,
				`"11" on "none": not a domain name`,
				`"12" on "none": not a domain name`,
				`"13" on "none": not a domain name`,
				`"2" on "none": not a domain name`,
				`"3" on "none": not a domain name`,
				`"4" on "none": not a domain name`,
				`"5" on "none": not a domain name`,
				`"6" on "none": not a domain name`,
				"and 3 more",
			}, "; ")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dns := resource(t, c.spec)
			report := true
			dns.Spec.Report = &report
			policies := generated(t, dns, "vm-dns-report")
			if len(policies) != 1 {
				t.Fatal(policies)
			}
			objects, findings := render(t, policies[0], decoded(t, c.objects...), cluster.MissingAPIs(c.without...))
			if got := problems(t, objects); !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
			if findings.HasErrors() {
				t.Error(findings)
			}
		})
	}
}
