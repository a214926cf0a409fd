package crds

import (
	"embed"
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

//go:embed *.yaml
var files embed.FS

//go:generate go -C ../../tools/kubevirt test . -update

// origin is where the file of a definition was taken from. A module that the program does not use names its version. Without a path
// the file is made of the module's Go types, by tools/kubevirt.
type origin struct{ module, path string }

const (
	configPolicyController = "open-cluster-management.io/config-policy-controller"
	propagator             = "open-cluster-management.io/governance-policy-propagator"
	ocmAPI                 = "open-cluster-management.io/api"
	externalDNS            = "sigs.k8s.io/external-dns@v0.21.0"
	kubeVirt               = "kubevirt.io/api@v1.9.0"
)

// bundled are the definitions by name. The file of each has the name of its plural.
var bundled = map[string]origin{
	"configurationpolicies.policy.open-cluster-management.io": {
		configPolicyController, "deploy/crds/policy.open-cluster-management.io_configurationpolicies.yaml",
	},
	"operatorpolicies.policy.open-cluster-management.io": {
		configPolicyController, "deploy/crds/policy.open-cluster-management.io_operatorpolicies.yaml",
	},
	"policies.policy.open-cluster-management.io":          {propagator, "deploy/crds/policy.open-cluster-management.io_policies.yaml"},
	"placementbindings.policy.open-cluster-management.io": {propagator, "deploy/crds/policy.open-cluster-management.io_placementbindings.yaml"},
	"policysets.policy.open-cluster-management.io":        {propagator, "deploy/crds/policy.open-cluster-management.io_policysets.yaml"},
	"clusterclaims.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1alpha1/0000_02_clusters.open-cluster-management.io_clusterclaims.crd.yaml",
	},
	"managedclusters.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1/0000_00_clusters.open-cluster-management.io_managedclusters.crd.yaml",
	},
	"managedclustersets.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1beta2/0000_00_clusters.open-cluster-management.io_managedclustersets.crd.yaml",
	},
	"managedclustersetbindings.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1beta2/0000_01_clusters.open-cluster-management.io_managedclustersetbindings.crd.yaml",
	},
	"placements.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1beta1/0000_02_clusters.open-cluster-management.io_placements.crd.yaml",
	},
	"placementdecisions.cluster.open-cluster-management.io": {
		ocmAPI, "cluster/v1beta1/0000_03_clusters.open-cluster-management.io_placementdecisions.crd.yaml",
	},
	"virtualmachines.kubevirt.io":                  {kubeVirt, ""},
	"virtualmachineinstances.kubevirt.io":          {kubeVirt, ""},
	"virtualmachineinstancemigrations.kubevirt.io": {kubeVirt, ""},

	"dnsendpoints.externaldns.k8s.io": {externalDNS, "config/crd/standard/dnsendpoints.externaldns.k8s.io.yaml"},
}

// Definition gives the bundled CustomResourceDefinition of a name such as dnsendpoints.externaldns.k8s.io, or nil if none is
// bundled. It is shared: do not change it.
func Definition(name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	if _, found := bundled[name]; !found {
		return nil, nil
	}
	read, _ := definitions.LoadOrStore(name, sync.OnceValues(func() (*apiextensionsv1.CustomResourceDefinition, error) {
		return readDefinition(name)
	}))
	return read.(func() (*apiextensionsv1.CustomResourceDefinition, error))()
}

// definitions keeps what was read, by name.
var definitions sync.Map

func readDefinition(name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	text, err := files.ReadFile(fileOf(name))
	if err != nil {
		return nil, err
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, definition); err != nil {
		return nil, fmt.Errorf("CustomResourceDefinition %s: %w", name, err)
	}
	return definition, nil
}
