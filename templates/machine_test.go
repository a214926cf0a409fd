package templates_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// asked are names by interface, as the annotations of a machine ask for them.
type asked map[string]string

// machine is a running VirtualMachineInstance that the policy with default settings selects.
func machine(key string, names asked, interfaces ...any) map[string]any {
	namespace, name, _ := strings.Cut(key, "/")
	annotations := map[string]any{"kubevirt.io/latest-observed-api-version": "v1"}
	for networkInterface, value := range names {
		annotations["vm.redhat-cop.dns-name/"+networkInterface] = value
	}
	return map[string]any{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance",
		"metadata": map[string]any{
			"name": name, "namespace": namespace, "creationTimestamp": "2026-01-01T00:00:00Z",
			"labels":      map[string]any{"vm.redhat-cop.dns-name": "true"},
			"annotations": annotations,
		},
		"spec": map[string]any{"networks": []any{
			map[string]any{"name": "default", "pod": map[string]any{}},
			map[string]any{"name": "corp", "multus": map[string]any{"networkName": "shop/corp"}},
		}},
		"status": map[string]any{"phase": "Running", "interfaces": interfaces},
	}
}

// nic is an interface as a machine reports it.
func nic(network string, addresses ...string) map[string]any {
	row := map[string]any{"name": network}
	if len(addresses) > 0 {
		list := make([]any, 0, len(addresses))
		for _, address := range addresses {
			list = append(list, address)
		}
		row["ipAddress"], row["ipAddresses"] = addresses[0], list
	}
	return row
}

// published is a DNSEndpoint of the policy vm-dns, with one record.
func published(key, dnsName string, targets ...any) map[string]any {
	namespace, name, _ := strings.Cut(key, "/")
	return map[string]any{
		"apiVersion": "externaldns.k8s.io/v1alpha1", "kind": "DNSEndpoint",
		"metadata": map[string]any{
			"name": name, "namespace": namespace,
			"labels": map[string]any{"policyloom.dev/policy": "policies.vm-dns"},
		},
		"spec": map[string]any{"endpoints": []any{
			map[string]any{"dnsName": dnsName, "recordType": "A", "recordTTL": int64(180), "targets": targets},
		}},
	}
}

// with changes a field, named by its keys with slashes between them, and gives the object back.
func with(object map[string]any, path string, value any) map[string]any {
	fields := strings.Split(path, "/")
	parent := object
	for _, field := range fields[:len(fields)-1] {
		child, isMap := parent[field].(map[string]any)
		if !isMap {
			child = map[string]any{}
			parent[field] = child
		}
		parent = child
	}
	parent[fields[len(fields)-1]] = value
	return object
}

// created sets the day in January on which a machine was created.
func created(day int, object map[string]any) map[string]any {
	return with(object, "metadata/creationTimestamp", fmt.Sprintf("2026-01-%02dT00:00:00Z", day))
}

// decoded gives the objects as a cluster holds them. They have nothing in common with those that the test made.
func decoded(t testing.TB, objects ...map[string]any) []manifest.Object {
	t.Helper()
	list := make([]manifest.Object, 0, len(objects))
	for _, object := range objects {
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		copied := &unstructured.Unstructured{}
		if err := copied.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
		list = append(list, manifest.Object{Unstructured: copied})
	}
	return list
}

// withSpec gives the policy template of a resource whose spec is YAML.
func withSpec(t testing.TB, spec string) evaluate.Template {
	t.Helper()
	return templateOf(t, resource(t, spec))
}

func resource(t testing.TB, spec string) *v1alpha1.VirtualMachineDNS {
	t.Helper()
	fields := map[string]any{}
	if err := yaml.Unmarshal([]byte(spec), &fields); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": v1alpha1.APIVersion, "kind": v1alpha1.VirtualMachineDNSKind,
		"metadata": map[string]any{"name": "vm-dns"}, "spec": with(fields, "policy/namespace", "policies"),
	})
	if err != nil {
		t.Fatal(err)
	}
	resources, findings := v1alpha1.Decode("policy.yaml", text)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	resources[0].Default()
	if findings := resources[0].Validate(); findings.HasErrors() {
		t.Fatal(findings)
	}
	return resources[0]
}

// outcome tells in one line each which records there must be, which DNSEndpoints must go, and what is reported.
func outcome(t testing.TB, objects []evaluate.Object, findings diag.Findings) []string {
	t.Helper()
	var lines []string
	for _, object := range objects {
		key := object.Object.GetNamespace() + "/" + object.Object.GetName()
		if object.ComplianceType == "mustnothave" {
			lines = append(lines, key+" must go")
			continue
		}
		endpoints, _, err := unstructured.NestedSlice(object.Object.Object, "spec", "endpoints")
		if err != nil || len(endpoints) == 0 {
			t.Errorf("endpoints of %s: %v %v", key, endpoints, err)
		}
		for _, endpoint := range endpoints {
			record, _ := endpoint.(map[string]any)
			targets, _, _ := unstructured.NestedStringSlice(record, "targets")
			lines = append(lines, fmt.Sprintf("%s: %v %v %s", key, record["dnsName"], record["recordType"], strings.Join(targets, " ")))
		}
	}
	for _, finding := range findings {
		if finding.Severity == diag.Info {
			continue
		}
		lines = append(lines, string(finding.Severity)+": "+finding.Message)
	}
	return lines
}

// testCase is a cluster under a policy.
type testCase struct {
	name string
	// spec is that of the VirtualMachineDNS, as YAML; empty has only defaults.
	spec    string
	objects []map[string]any
	without []string
	want    []string
}

func (c testCase) run(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		var options []cluster.Option
		if c.without != nil {
			options = append(options, cluster.MissingAPIs(c.without...))
		}
		objects := decoded(t, c.objects...)
		policy := withSpec(t, c.spec)
		rendered, findings := render(t, policy, objects, options...)
		got := outcome(t, rendered, findings)
		if !slices.Equal(got, c.want) {
			t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
		}
		// The order in which a cluster lists its objects never matters.
		slices.Reverse(objects)
		rendered, findings = render(t, policy, objects, options...)
		if backwards := outcome(t, rendered, findings); !slices.Equal(got, backwards) {
			t.Errorf("in reverse order got\n\t%s", strings.Join(backwards, "\n\t"))
		}
	})
}

func runAll(t *testing.T, cases []testCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		c.run(t)
	}
}

// copyOf copies the outer maps of a row, so that a test can change a field.
func copyOf(row map[string]any, field string, value any) map[string]any {
	row = maps.Clone(row)
	row[field] = value
	return row
}
