package suite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const benchHead = `apiVersion: policyloom.dev/v1alpha1
kind: PolicyTest
metadata: {name: many}
spec:
  policies: [{file: dns.yaml}]
  hub:
    objects:
    - apiVersion: cluster.open-cluster-management.io/v1beta2
      kind: ManagedClusterSetBinding
      metadata: {name: default, namespace: policies}
      spec: {clusterSet: default}
  clusters:
  - {name: prod, labels: {vm-dns: "true"}}
  - name: lab
  cases:
`

const benchCase = `  - name: case %[1]d
    cluster: prod
    given:
    - apply:
      - apiVersion: kubevirt.io/v1
        kind: VirtualMachineInstance
        metadata:
          name: web%[1]d
          namespace: shop
          labels: {vm.redhat-cop.dns-name: "true"}
          annotations: {vm.redhat-cop.dns-name/lan: web%[1]d.example.com}
        spec:
          domain: {devices: {interfaces: [{name: lan, bridge: {}}]}}
          networks: [{name: lan, multus: {networkName: shop/lan}}]
        status:
          phase: Running
          interfaces: [{name: lan, ipAddress: 192.0.2.%[2]d, ipAddresses: [192.0.2.%[2]d]}]
    expect:
      compliance: [{is: Compliant}]
      contains:
      - object:
          apiVersion: externaldns.k8s.io/v1alpha1
          kind: DNSEndpoint
          metadata: {name: web%[1]d-lan, namespace: shop}
          spec: {endpoints: [{targets: [192.0.2.%[2]d]}]}
    steps:
    - name: it stops
      do: [{patch: {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, namespace: shop, name: web%[1]d, merge: {status: {phase: Succeeded}}}}]
      expect: {counts: [{kind: DNSEndpoint, is: 0}]}
`

// BenchmarkRun runs 200 cases of two steps on two clusters.
func BenchmarkRun(b *testing.B) {
	var text strings.Builder
	text.WriteString(benchHead)
	const cases = 200
	for i := range cases {
		fmt.Fprintf(&text, benchCase, i, i)
	}
	fsys := fstest.MapFS{
		"test.yaml": {Data: []byte(text.String())},
		"dns.yaml": {Data: []byte("apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\n" +
			"spec: {policy: {namespace: policies}, placement: {labelSelector: {matchLabels: {vm-dns: \"true\"}}}}\n")},
	}
	for b.Loop() {
		tests, findings := Find(fsys, []string{"."})
		if len(findings) > 0 || len(tests) != 1 {
			b.Fatal(findings)
		}
		_, err := Run(context.Background(), tests, Options{FS: fsys}, func(r Result) error {
			if r.Failed() || len(r.Cases) != cases {
				b.Fatalf("%d cases, %+v", len(r.Cases), r.Findings)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
