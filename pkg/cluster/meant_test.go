package cluster

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestMeant(t *testing.T) {
	t.Parallel()
	const one = "{apiVersion: v1, kind: Namespace, metadata: {name: a}}"
	whole := clusterOf(t, one)
	without := clusterOf(t, one, MissingAPIs("kubevirt.io", "route.openshift.io"))
	for _, test := range []struct {
		on               *Cluster
		apiVersion, kind string
		want             string
	}{
		{whole, "apps/v2", "Deployment", `did you mean apiVersion "apps/v1"?`},
		{whole, "v1", "Deployment", `did you mean apiVersion "apps/v1"?`},
		{whole, "apps/v1", "ConfigMap", `did you mean apiVersion "v1"?`},
		{whole, "v1", "ConfgMap", `did you mean kind "ConfigMap"?`},
		{whole, "kubevirt.io/v1", "VirtualMachineInstanc", `did you mean kind "VirtualMachineInstance"?`},
		{whole, "kubvirt.io/v1", "VirtualMachineInstance", `did you mean apiVersion "kubevirt.io/v1"?`},
		{whole, "example.com/v1", "Widget", ""},
		{without, "kubevirt.io/v1", "VirtualMachineInstance", ""},
		{without, "route.openshift.io/v1", "Route", ""},
	} {
		if got := test.on.Meant(schema.FromAPIVersionAndKind(test.apiVersion, test.kind)); got != test.want {
			t.Errorf("%s %s: got %q, want %q", test.apiVersion, test.kind, got, test.want)
		}
	}
}
