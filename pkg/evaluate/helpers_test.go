package evaluate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var (
	machineKind  = schema.GroupVersionKind{Group: "kubevirt.io", Version: "v1", Kind: "VirtualMachineInstance"}
	endpointKind = schema.GroupVersionKind{Group: "externaldns.k8s.io", Version: "v1alpha1", Kind: "DNSEndpoint"}
)

func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// vmDNS gives the policy templates of a VirtualMachineDNS as a managed cluster has them. The settings are more fields of spec.policy,
// and more of spec.
func vmDNS(t testing.TB, policy string, spec ...string) []evaluate.Template {
	t.Helper()
	text := "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\nspec:\n  placement: {name: all}\n" +
		"  policy: {namespace: policies, " + policy + "}\n"
	for _, more := range spec {
		text += "  " + more + "\n"
	}
	resources, findings := v1alpha1.Decode("vm-dns.yaml", []byte(text))
	for _, dns := range resources {
		dns.Default()
		findings = append(findings, dns.Validate()...)
	}
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	objects, err := generate.Objects(resources)
	if err != nil {
		t.Fatal(err)
	}
	var templates []evaluate.Template
	for _, object := range objects {
		if object.GetKind() == "Policy" {
			templates = append(templates, templatesOf(t, object)...)
		}
	}
	return templates
}

// templatesOf gives the policy templates of a Policy.
func templatesOf(t testing.TB, policy *unstructured.Unstructured) []evaluate.Template {
	t.Helper()
	var typed struct {
		Spec struct {
			RemediationAction string `json:"remediationAction"`
			PolicyTemplates   []struct {
				ObjectDefinition map[string]any `json:"objectDefinition"`
			} `json:"policy-templates"`
		} `json:"spec"`
	}
	text, err := json.Marshal(policy.Object)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &typed); err != nil {
		t.Fatal(err)
	}
	var templates []evaluate.Template
	for _, item := range typed.Spec.PolicyTemplates {
		object := &unstructured.Unstructured{Object: item.ObjectDefinition}
		object.SetNamespace("prod")
		templates = append(templates, evaluate.Template{
			Policy: policy.GetNamespace() + "/" + policy.GetName(), Object: manifest.Object{Unstructured: object},
			RemediationAction: typed.Spec.RemediationAction,
		})
	}
	return templates
}

func parse(t testing.TB, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err, text)
	}
	return o
}

// vmi gives a running machine with one interface; without addresses it has none.
func vmi(t testing.TB, namespace, name string, addresses ...string) *unstructured.Unstructured {
	t.Helper()
	quoted, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, fmt.Sprintf(`
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: %[2]s
  namespace: %[1]s
  uid: uid-%[1]s-%[2]s
  creationTimestamp: "2026-01-10T09:00:00Z"
  labels: {vm.redhat-cop.dns-name: "true"}
  annotations: {vm.redhat-cop.dns-name/corp: %[2]s.%[1]s.example.com}
spec: {domain: {devices: {interfaces: [{name: corp, bridge: {}}]}}}
status: {phase: Running, interfaces: [{name: corp, ipAddresses: %[3]s}]}
`, namespace, name, quoted))
}

func newState(t testing.TB, objects ...*unstructured.Unstructured) *cluster.State {
	t.Helper()
	fixtures := make([]manifest.Object, 0, len(objects))
	for _, object := range objects {
		fixtures = append(fixtures, manifest.Object{Unstructured: object})
	}
	c, findings := cluster.New(fixtures)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return cluster.NewState(c, clock)
}

func run(t testing.TB, s *evaluate.Session, templates []evaluate.Template) evaluate.Evaluated {
	t.Helper()
	result, err := s.Evaluate(context.Background(), templates)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// apply sends a request to the cluster.
func remove(t testing.TB, s *cluster.State, gvk schema.GroupVersionKind, namespace, name string) {
	t.Helper()
	resource, err := s.Cluster().Resource(gvk)
	if err != nil {
		t.Fatal(err)
	}
	client := s.Client().Resource(resource.GroupVersionResource)
	if namespace == "" {
		err = client.Delete(context.Background(), name, metav1.DeleteOptions{})
	} else {
		err = client.Namespace(namespace).Delete(context.Background(), name, metav1.DeleteOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// records gives the DNS records of a cluster, as "name type target".
func records(t testing.TB, s *cluster.State) []string {
	t.Helper()
	objects, err := s.List(endpointKind, "", nil)
	if err != nil {
		return nil
	}
	var list []string
	for _, object := range objects {
		endpoints, _, err := unstructured.NestedSlice(object.Object, "spec", "endpoints")
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range endpoints {
			endpoint := item.(map[string]any)
			for _, target := range endpoint["targets"].([]any) {
				list = append(list, fmt.Sprint(endpoint["dnsName"], " ", endpoint["recordType"], " ", target))
			}
		}
	}
	slices.Sort(list)
	return list
}

// summary tells what counts of a state and of a result: the DNSEndpoints, the compliance, and what the policies own.
func summary(t testing.TB, s *cluster.State, result evaluate.Evaluated) string {
	t.Helper()
	var b strings.Builder
	uids := map[string]string{}
	objects, err := s.List(endpointKind, "", nil)
	if err != nil {
		b.WriteString(err.Error() + "\n")
	}
	for _, object := range objects {
		uids[object.GetNamespace()+"/"+object.GetName()] = string(object.GetUID())
		text, err := json.Marshal([]any{object.GetNamespace(), object.GetName(), object.GetLabels(), object.GetAnnotations(), object.Object["spec"], object.GetGeneration()})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	for _, policy := range result.Policies {
		fmt.Fprintf(&b, "%s %s\n", policy.Policy, policy.Compliance)
		for _, template := range policy.Templates {
			fmt.Fprintf(&b, "  %s %s %s\n", template.Template, template.Compliance, template.Message)
			for _, r := range template.Related {
				current := r.UID != "" && r.UID == uids[r.Namespace+"/"+r.Name]
				fmt.Fprintf(&b, "    %s/%s %s %s created=%t current=%t %s\n", r.Namespace, r.Name, r.Compliance, r.Reason, r.CreatedByPolicy, current, r.Diff)
			}
			for _, c := range template.Changes {
				fmt.Fprintf(&b, "    %s %s %s/%s %v\n", c.Verb, c.Kind, c.Namespace, c.Name, c.Fields)
			}
		}
	}
	for _, f := range result.Findings {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}
