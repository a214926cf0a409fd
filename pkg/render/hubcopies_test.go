package render_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// changingPolicy changes what its hub template looked up.
const changingPolicy = `
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: changing, namespace: policies}
spec:
  remediationAction: enforce
  disabled: false
  policy-templates:
  - objectDefinition:
      apiVersion: policy.open-cluster-management.io/v1
      kind: ConfigurationPolicy
      metadata: {name: changing}
      spec:
        remediationAction: enforce
        severity: low
        object-templates:
        - complianceType: musthave
          objectDefinition:
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: copy, namespace: default}
            data:
              seen: '{{hub $data := (lookup "v1" "ConfigMap" "policies" "settings").data hub}}{{hub $_ := set $data "seen" (printf "%s %s" $data.seen .ManagedClusterName) hub}}{{hub $data.seen hub}}'
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: all, namespace: policies}
spec: {predicates: []}
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: all, namespace: policies}
placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}
subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: changing}]
`

func TestHubTemplatesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"fleet/hub/binding.yaml": {Data: []byte(setBinding)},
		"fleet/hub/settings.yaml": {Data: []byte(
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: policies}\ndata:\n  seen: none but\n")},
	}
	for i := range 5 {
		files[fmt.Sprintf("fleet/clusters/c%d/empty.yaml", i)] = &fstest.MapFile{Data: []byte("# nothing\n")}
	}
	fixtures, findings := fleet.Load(files, "fleet")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	policies, findings := manifest.Decode("policy.yaml", []byte(changingPolicy))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	clusters := 0
	findings, err := render.Run(context.Background(), render.Input{Fleet: fixtures, Policies: policies, Now: time.Unix(0, 0)},
		func(c render.Cluster) error {
			clusters++
			seen, _, _ := unstructured.NestedString(c.Objects[0].Object.Object, "data", "seen")
			if want := "none but " + c.Name; seen != want {
				t.Errorf("%s gets %q, want %q", c.Name, seen, want)
			}
			return nil
		})
	if err != nil || findings.HasErrors() || clusters != 5 {
		t.Fatal(err, findings, clusters)
	}
}
