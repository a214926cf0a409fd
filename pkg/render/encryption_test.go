package render_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

const encryptedHub = `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: c1, labels: {cluster.open-cluster-management.io/clusterset: default}}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: policies}
spec: {clusterSet: default}
---
apiVersion: v1
kind: Secret
metadata: {name: policy-encryption-key, namespace: c1}
data: {key: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=}
---
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: policies}
data: {value: c2Vzc2FtZQ==}
`

const secretPolicy = `
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: secret, namespace: policies}
spec:
  remediationAction: enforce
  disabled: false
  policy-templates:
  - objectDefinition:
      apiVersion: policy.open-cluster-management.io/v1
      kind: ConfigurationPolicy
      metadata: {name: secret}
      spec:
        remediationAction: enforce
        severity: low
        object-templates:
        - complianceType: musthave
          objectDefinition:
            apiVersion: v1
            kind: Secret
            metadata: {name: copy, namespace: default}
            data:
              value: '{{hub fromSecret "" "token" "value" hub}}'
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
subjects: [{apiGroup: policy.open-cluster-management.io, kind: Policy, name: secret}]
`

func TestSecretsAreEncryptedOnTheHubAndClearOnTheCluster(t *testing.T) {
	t.Parallel()
	fixtures, findings := fleet.Load(fstest.MapFS{"fleet/hub/all.yaml": {Data: []byte(encryptedHub)}}, "fleet")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	policies, findings := manifest.Decode("policy.yaml", []byte(secretPolicy))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var cluster render.Cluster
	findings, err := render.Run(context.Background(), render.Input{Fleet: fixtures, Policies: policies, Now: time.Unix(0, 0)},
		func(c render.Cluster) error { cluster = c; return nil })
	if err != nil || findings.HasErrors() || cluster.Findings.HasErrors() || len(cluster.Objects) != 1 {
		t.Fatal(err, findings, cluster.Findings, cluster.Objects)
	}
	if onHub := string(cluster.Policies[0].Policy.Spec.PolicyTemplates[0].ObjectDefinition.Raw); !strings.Contains(onHub, "$ocm_encrypted:") {
		t.Errorf("the replicated policy holds the value in clear: %s", onHub)
	}
	if value, _, _ := unstructured.NestedString(cluster.Objects[0].Object.Object, "data", "value"); value != "c2Vzc2FtZQ==" {
		t.Errorf("the cluster gets %q", value)
	}
}
