package cluster

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"open-cluster-management.io/config-policy-controller/pkg/mappings"
)

func TestCatalogKnowsKinds(t *testing.T) {
	c := clusterOf(t, sampleText(t))
	tests := []struct {
		apiVersion, kind string
		want             string
	}{
		{"v1", "Endpoints", "endpoints namespaced"},
		{"v1", "Namespace", "namespaces cluster"},
		{"apps/v1", "Deployment", "deployments namespaced"},
		{"networking.k8s.io/v1", "NetworkPolicy", "networkpolicies namespaced"},
		{"networking.k8s.io/v1", "IngressClass", "ingressclasses cluster"},
		{"autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers namespaced"},
		{"kubevirt.io/v1", "VirtualMachine", "virtualmachines namespaced"},
		{"kubevirt.io/v1alpha3", "VirtualMachineInstance", "virtualmachineinstances namespaced"},
		{"cdi.kubevirt.io/v1beta1", "StorageProfile", "storageprofiles cluster"},
		{"k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "network-attachment-definitions namespaced"},
		{"externaldns.k8s.io/v1alpha1", "DNSEndpoint", "dnsendpoints namespaced"},
		{"cluster.open-cluster-management.io/v1", "ManagedCluster", "managedclusters cluster"},
		{"apps.open-cluster-management.io/v1", "PlacementRule", "placementrules namespaced"},
		{"policy.open-cluster-management.io/v1", "Policy", "policies namespaced"},
		{"config.openshift.io/v1", "DNS", "dnses cluster"},
		{"config.openshift.io/v1", "Proxy", "proxies cluster"},
		{"security.openshift.io/v1", "SecurityContextConstraints", "securitycontextconstraints cluster"},
		{"route.openshift.io/v1", "Route", "routes namespaced"},
		{"user.openshift.io/v1", "Group", "groups cluster"},
		{"operators.coreos.com/v1alpha1", "ClusterServiceVersion", "clusterserviceversions namespaced"},
		{"fleet.example.test/v1beta1", "Mouse", "mice cluster"},
		{"farm.example.test/v1", "Gateway", "gateways namespaced"},
		{"packages.operators.coreos.com/v1", "PackageManifest", "packagemanifests namespaced watch not supported on this resource"},
		{"fleet.example.test/v1alpha1", "Mouse", "the resource version was not found"},
		{"v2", "ConfigMap", "the resource version was not found"},
		{"argoproj.io/v1alpha1", "Application", "the resource version was not found"},
	}
	for _, test := range tests {
		gvk := schema.FromAPIVersionAndKind(test.apiVersion, test.kind)
		gvr, err := c.Resource(gvk)
		words := []string{gvr.Resource, "cluster"}
		switch {
		case gvr.Empty():
			words = nil
		case gvr.Namespaced:
			words[1] = "namespaced"
		}
		if err != nil {
			words = append(words, strings.TrimPrefix(err.Error(), gvk.String()+" cannot be watched: "))
		}
		if got := strings.Join(words, " "); got != test.want {
			t.Errorf("%v: got %s, want %s", gvk, got, test.want)
		}
	}
}

// TestCatalogMatchesController compares with the API resources that the policy controller's own dry run takes for granted.
func TestCatalogMatchesController(t *testing.T) {
	lists, err := mappings.DefaultResourceLists()
	if err != nil {
		t.Fatal(err)
	}
	c := clusterOf(t, sampleText(t))
	served := map[string]bool{}
	for _, list := range c.APIResourceLists() {
		for _, r := range list.APIResources {
			served[strings.Join([]string{list.GroupVersion, r.Kind, r.Name, scopeName(r.Namespaced), scopeName(strings.Contains(r.Verbs.String(), "watch"))}, " ")] = true
		}
	}
	for _, list := range lists {
		if list.GroupVersion == "flowcontrol.apiserver.k8s.io/v1beta3" { // gone since Kubernetes 1.32
			continue
		}
		for _, r := range list.APIResources {
			want := strings.Join([]string{list.GroupVersion, r.Kind, r.Name, scopeName(r.Namespaced), scopeName(strings.Contains(r.Verbs.String(), "watch"))}, " ")
			if !served[want] {
				t.Errorf("missing or different: %s", want)
			}
		}
	}
}

func scopeName(flag bool) string {
	if flag {
		return "yes"
	}
	return "no"
}

// TestCatalogKindsExist finds misspelled built-in kinds.
func TestCatalogKindsExist(t *testing.T) {
	kinds, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"apiextensions.k8s.io", "apiregistration.k8s.io", "metrics.k8s.io"}
	for gk, r := range kinds {
		if r.provider != builtIn || strings.Contains(strings.Join(elsewhere, " "), gk.Group) && gk.Group != "" {
			continue
		}
		for _, version := range r.versions {
			if !scheme.Scheme.Recognizes(gk.WithVersion(version)) {
				t.Errorf("client-go does not know %v", gk.WithVersion(version))
			}
		}
	}
}

func TestCatalogErrors(t *testing.T) {
	for text, want := range map[string]string{
		"apps v1 everywhere Deployment":                                   "catalog line 1",
		"[custom]\napps v1 namespaced":                                    "catalog line 2",
		"a.test v1 namespaced Cat\n\n# again\na.test v2 cluster Dog Cat!": "catalog line 4: Cat.a.test is listed twice",
	} {
		if _, err := parseCatalog(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
