package render_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// listed asks for so many objects without a template.
func listed(count int, action string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata: {name: many}
spec:
  remediationAction: %s
  severity: low
  object-templates:
`, action)
	for i := range count {
		fmt.Fprintf(&b, "  - {complianceType: musthave, objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: c%d, namespace: shop}}}\n", i)
	}
	return []byte(b.String())
}

func TestSizes(t *testing.T) {
	t.Parallel()
	small, large := machines(10), machines(300)
	for name, c := range map[string]struct {
		policies []manifest.Object
		clusters map[string][]byte
		evaluate bool
		want     string
	}{
		"fits":          {policies: dns(t, v1alpha1.EndpointPerInterface, 1), clusters: map[string][]byte{"a": small}},
		"per namespace": {policies: dns(t, v1alpha1.EndpointPerNamespace, 1), clusters: map[string][]byte{"a": large}},
		"per interface": {
			policies: dns(t, v1alpha1.EndpointPerInterface, 1), clusters: map[string][]byte{"a": machines(201), "b": large, "c": small},
			want: "Policy policies/vm-dns: ConfigurationPolicy vm-dns asks for 300 objects on b, and for many on 1 more: the time to create them grows with the " +
				"square of their number (200 take about 40 s) (write endpoint.per: Namespace, which makes 50 of them, or policy.shards: 2)",
		},
		"shards": {policies: dns(t, v1alpha1.EndpointPerInterface, 2), clusters: map[string][]byte{"a": large}},
		"too few shards": {
			policies: dns(t, v1alpha1.EndpointPerInterface, 2), clusters: map[string][]byte{"a": machines(1000)},
			want: "Policy policies/vm-dns: ConfigurationPolicy vm-dns-shard-1 asks for 504 objects on a: the time to create them grows with the square of " +
				"their number (200 take about 40 s) (write endpoint.per: Namespace, which makes 50 of them, or policy.shards: 5)",
		},
		"any policy": {
			policies: load(t, listed(1300, "inform")), clusters: map[string][]byte{"a": nil},
			want: "1:1: ConfigurationPolicy many: ConfigurationPolicy many asks for 1300 objects on a: its status takes about 0.9 MB there, and above 1.5 MiB " +
				"(about 2231 objects) the controller loses track of what it created (spread them over several ConfigurationPolicies)",
		},
		"measured": {
			policies: load(t, listed(1300, "inform")), clusters: map[string][]byte{"a": nil}, evaluate: true,
			want: "1:1: ConfigurationPolicy many: the status of ConfigurationPolicy many takes 0.5 MB on a, with 1300 related objects: above 1.5 MiB the " +
				"controller loses track of what it created (spread them over several ConfigurationPolicies)",
		},
		"any policy that informs": {policies: load(t, listed(900, "inform")), clusters: map[string][]byte{"a": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{"fleet/hub/binding.yaml": {Data: []byte(setBinding)}}
			for cluster, machines := range c.clusters {
				files["fleet/clusters/"+cluster+"/vmis.yaml"] = &fstest.MapFile{Data: machines}
			}
			fixtures, findings := fleet.Load(files, "fleet")
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			found, err := render.Run(context.Background(), render.Input{Fleet: fixtures, Policies: c.policies, Evaluate: c.evaluate, Now: time.Unix(0, 0)},
				func(cluster render.Cluster) error { return cluster.Findings.Err() })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				got = append(got, f.String())
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("got\n%s\nwant\n%s", text, c.want)
			}
		})
	}
}

func dns(t *testing.T, per v1alpha1.EndpointPer, shards int) []manifest.Object {
	t.Helper()
	resource := &v1alpha1.VirtualMachineDNS{}
	resource.Metadata.Name = "vm-dns"
	resource.Spec.Policy.Namespace = "policies"
	resource.Spec.Endpoint.Per = per
	resource.Spec.Policy.Shards = &shards
	resource.Default()
	objects, err := generate.Objects([]*v1alpha1.VirtualMachineDNS{resource})
	if err != nil {
		t.Fatal(err)
	}
	list := make([]manifest.Object, 0, len(objects))
	for _, object := range objects {
		list = append(list, manifest.Object{Unstructured: object})
	}
	return list
}

func load(t *testing.T, data []byte) []manifest.Object {
	t.Helper()
	objects, findings := manifest.Decode("", data)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return objects
}
