package cluster

import "github.com/stolostron/go-template-utils/v7/pkg/templates"

var (
	hub = templates.ResolveOptions{
		LookupNamespace:        "policies",
		ClusterScopedAllowList: []templates.ClusterScopedObjectIdentifier{{Group: "cluster.open-cluster-management.io", Kind: "ManagedCluster", Name: "west"}},
	}
	anyClusterScoped = templates.ResolveOptions{
		LookupNamespace:        "policies",
		ClusterScopedAllowList: []templates.ClusterScopedObjectIdentifier{{Group: "*", Kind: "*", Name: "*"}},
	}
)

const (
	leaks    = "without a watcher the first look-up is not copied: what the template changes in it stays for the next look-ups"
	byName   = "without a watcher a namespaced object is fetched from the root, where an API server has none"
	anyVerbs = "without a watcher a kind that cannot be watched is looked up nevertheless"
)

// named renders the names of a look-up's items.
func named(lookup string) string {
	return "names: {{ range (" + lookup + ").items }}{{ .metadata.namespace }}/{{ .metadata.name }} {{ end }}."
}

var conformanceCases = []struct {
	name     string
	template string
	options  templates.ResolveOptions
	// want is a part of the result or the error.
	want string
	// differs says why the engine without a watcher gives something else, if it does.
	differs string
}{
	{name: "one object", template: `v: {{ (lookup "v1" "ConfigMap" "shop" "settings").data.domain }}`, want: `"shop.example.test"`},
	{name: "whole object", template: `v: {{ lookup "v1" "ConfigMap" "shop" "settings" | toRawJson }}`, want: `"release":"1.4"`},
	{name: "bookkeeping is dropped", template: `v: {{ lookup "v1" "ConfigMap" "policies" "applied" | toRawJson }}`, want: `"annotations":{"note":"kept"}`},
	{name: "list without bookkeeping", template: `v: {{ lookup "v1" "ConfigMap" "policies" "" | toRawJson }}`, want: `"annotations":{"note":"kept"}`},
	{name: "missing object", template: `v: {{ lookup "v1" "ConfigMap" "shop" "gone" | toRawJson }}`, want: `{"v":null}`},
	{name: "field of a missing object", template: `v: {{ (lookup "v1" "ConfigMap" "shop" "gone").data }}`, want: `no value`},
	{name: "deep field of a missing object", template: `v: {{ (lookup "v1" "ConfigMap" "shop" "gone").data.domain }}`},
	{name: "object in another namespace", template: `v: {{ lookup "v1" "ConfigMap" "data" "settings" | toRawJson }}`, want: `{"v":null}`},
	{name: "null field", template: `v: {{ (lookup "kubevirt.io/v1" "VirtualMachineInstance" "data" "db01").status.phase }}`, want: `nil pointer`},
	{name: "name without namespace", template: `v: {{ (lookup "v1" "ConfigMap" "" "settings").data.domain }}`, want: `eu.example.test`, differs: byName},
	{name: "list", template: named(`lookup "v1" "ConfigMap" "shop" ""`), want: `shop/other shop/settings .`},
	{name: "list of all namespaces", template: named(`lookup "v1" "ConfigMap" "" ""`), want: `shop-eu/settings shop/other`},
	{name: "list of nothing", template: `v: {{ lookup "v1" "Pod" "shop" "" | toRawJson }}`, want: `{"items":[]}`},
	{name: "list of an unknown namespace", template: `v: {{ lookup "v1" "ConfigMap" "gone" "" | toRawJson }}`, want: `{"items":[]}`},
	{name: "list prefix of a namespace", template: named(`lookup "v1" "ConfigMap" "sho" ""`), want: `"."`},
	{name: "items of nothing", template: `v: {{ len (lookup "v1" "Pod" "shop" "").items }}`, want: `0`},
	{name: "index beyond the items", template: `v: {{ index (lookup "v1" "Pod" "shop" "").items 0 }}`, want: `index out of range`},
	{name: "items of a missing object", template: `v: {{ range (lookup "v1" "Pod" "shop" "gone").items }}x{{ else }}none{{ end }}`, want: `none`},

	{name: "missing API group", template: `v: {{ lookup "externaldns.k8s.io/v1alpha1" "DNSEndpoint" "" "" }}`, want: `not installed`},
	{name: "missing version", template: `v: {{ lookup "kubevirt.io/v1alpha3" "VirtualMachineInstance" "" "" }}`, want: `not installed`},
	{name: "missing kind", template: `v: {{ lookup "v1" "Cat" "" "" }}`, want: `not installed`},
	{name: "kind in lower case", template: `v: {{ lookup "v1" "configmap" "shop" "settings" }}`, want: `not installed`},
	{name: "invalid apiVersion", template: `v: {{ lookup "a/b/c" "ConfigMap" "shop" "settings" }}`, want: `unexpected GroupVersion string`},
	{name: "empty apiVersion", template: `v: {{ lookup "" "ConfigMap" "shop" "settings" }}`, want: `apiVersion and kind are required`},
	{name: "empty kind", template: `v: {{ lookup "v1" "" "shop" "settings" }}`, want: `apiVersion and kind are required`},
	{name: "kind that cannot be watched", template: named(`lookup "packages.operators.coreos.com/v1" "PackageManifest" "" ""`), want: `cannot be watched`, differs: anyVerbs},
	{name: "object that cannot be watched", template: `v: {{ lookup "packages.operators.coreos.com/v1" "PackageManifest" "shop" "etcd" }}`, want: `cannot be watched`, differs: anyVerbs},

	{name: "selector equals", template: named(`lookup "v1" "ConfigMap" "" "" "tier=front"`), want: `policies/without-data shop-eu/settings shop/settings .`},
	{name: "selector double equals", template: named(`lookup "v1" "ConfigMap" "shop" "" "tier==front"`), want: `shop/settings .`},
	{name: "selector not equals", template: named(`lookup "v1" "ConfigMap" "shop" "" "tier!=front"`), want: `shop/other .`},
	{name: "selector in", template: named(`lookup "v1" "ConfigMap" "shop" "" "tier in (back,front)"`), want: `shop/other shop/settings .`},
	{name: "selector in with duplicates", template: named(`lookup "v1" "ConfigMap" "shop" "" "tier in (back,back)"`), want: `shop/other .`},
	{name: "selector notin", template: named(`lookup "v1" "ConfigMap" "shop" "" "tier notin (back)"`), want: `shop/settings .`},
	{name: "selector exists", template: named(`lookup "v1" "ConfigMap" "" "" "region"`), want: `shop-eu/settings .`},
	{name: "selector does not exist", template: named(`lookup "v1" "ConfigMap" "policies" "" "!tier"`), want: `policies/applied policies/unlabelled .`},
	{name: "selector greater", template: named(`lookup "v1" "ConfigMap" "" "" "release>1"`), want: `"."`},
	{name: "selector list", template: named(`lookup "v1" "ConfigMap" "" "" "tier=front,region=eu"`), want: `shop-eu/settings .`},
	{name: "selector arguments", template: named(`lookup "v1" "ConfigMap" "" "" "tier=front" "!region" "release"`), want: `shop/settings .`},
	{name: "selector of an unknown value", template: named(`lookup "v1" "ConfigMap" "" "" "tier=middle"`), want: `"."`},
	{name: "selector contradiction", template: named(`lookup "v1" "ConfigMap" "" "" "tier=front" "tier=back"`), want: `"."`},
	{name: "empty selector", template: named(`lookup "v1" "ConfigMap" "shop" "" ""`), want: `shop/other shop/settings .`},
	{name: "selector of an empty value", template: named(`lookup "v1" "Node" "" "" "node-role.kubernetes.io/infra="`), want: `/mixed-1 .`},
	{name: "selector with a name", template: `v: {{ (lookup "v1" "ConfigMap" "shop" "settings" "tier=back").data.domain }}`, want: `shop.example.test`},
	{name: "invalid selector", template: `v: {{ lookup "v1" "ConfigMap" "" "" "=a" }}`, want: `found '=', expected`},
	{name: "selector with a space", template: named(`lookup "v1" "ConfigMap" "" "" "tier front"`), want: `error`},
	{name: "selector on a custom kind", template: named(`lookup "kubevirt.io/v1" "VirtualMachineInstance" "" "" "vm.redhat-cop.dns-name=true"`), want: `shop/web01 shop/web02 .`},

	{name: "cluster-scoped object", template: `v: {{ (lookup "v1" "Namespace" "" "shop").metadata.labels.team }}`, want: `web`},
	{name: "cluster-scoped object with a namespace", template: `v: {{ (lookup "v1" "Namespace" "data" "shop").metadata.labels.team }}`, want: `web`},
	{name: "cluster-scoped list with a namespace", template: named(`lookup "cluster.open-cluster-management.io/v1" "ManagedCluster" "shop" ""`), want: `east`},
	{name: "namespace of an object", template: `v: {{ (lookup "v1" "Namespace" "" "data").metadata.name }}`, want: `data`},
	{name: "irregular plural", template: named(`lookup "k8s.cni.cncf.io/v1" "NetworkAttachmentDefinition" "shop" ""`), want: `shop/lan .`},
	{name: "kind of a fixture's CRD", template: `v: {{ lookup "fleet.example.test/v1" "Mouse" "" "jerry" | toRawJson }}`, want: `fleet.example.test/v1"`},
	{name: "other version of that kind", template: `v: {{ lookup "fleet.example.test/v1beta1" "Mouse" "" "jerry" | toRawJson }}`, want: `fleet.example.test/v1beta1"`},
	{name: "list in another version", template: `v: {{ lookup "fleet.example.test/v1beta1" "Mouse" "" "" "colour" | toRawJson }}`, want: `fleet.example.test/v1beta1"`},
	{name: "version that is not served", template: `v: {{ lookup "fleet.example.test/v1alpha1" "Mouse" "" "jerry" }}`, want: `not installed`},
	{name: "kind of a fixture object", template: named(`lookup "farm.example.test/v1" "Gateway" "" ""`), want: `shop/barn .`},
	{name: "fixture's CRD", template: `v: {{ lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "mice.fleet.example.test" | toRawJson }}`, want: `"plural":"mice"`},
	{name: "CRD of a bundled kind", template: `v: {{ (lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "virtualmachineinstances.kubevirt.io").spec | toRawJson }}`, want: `"v1"`},
	{name: "CRD of a missing API", template: `v: {{ lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "dnsendpoints.externaldns.k8s.io" | toRawJson }}`, want: `{"v":null}`},

	{name: "set in an object", template: `v: {{ $o := lookup "v1" "ConfigMap" "shop" "settings" }}{{ $_ := set $o "data" "x" }}{{ (lookup "v1" "ConfigMap" "shop" "settings").data | toRawJson }}`, want: `shop.example.test`, differs: leaks},
	{name: "unset in a list", template: `v: {{ range (lookup "v1" "ConfigMap" "shop" "").items }}{{ $_ := unset . "data" }}{{ end }}{{ (lookup "v1" "ConfigMap" "shop" "") | toRawJson }}`, want: `other.example.test`, differs: leaks},
	{name: "merge into an object", template: `v: {{ $o := lookup "v1" "ConfigMap" "shop" "settings" }}{{ $_ := merge $o.metadata (dict "x" "y") }}{{ (lookup "v1" "ConfigMap" "shop" "settings").metadata | toRawJson }}`, want: `settings`, differs: leaks},
	{name: "mergeOverwrite nested", template: `v: {{ $d := dict }}{{ $d = merge $d (lookup "v1" "ConfigMap" "shop" "settings") }}{{ $d = mergeOverwrite $d (dict "data" (dict "domain" "changed")) }}{{ (lookup "v1" "ConfigMap" "shop" "settings").data.domain }}`, want: `shop.example.test`, differs: leaks},
	{name: "the change is seen by the template", template: `v: {{ $o := lookup "v1" "ConfigMap" "shop" "settings" }}{{ $_ := set $o "data" "x" }}{{ $o.data }}`, want: `"x"`},
	{name: "set in a map of its own", template: `v: {{ $n := dict }}{{ range (lookup "v1" "ConfigMap" "" "").items }}{{ $_ := set $n .metadata.name .data }}{{ end }}{{ $n | toRawJson }}`, want: `hub.example.test`},
	{name: "state between items", template: `v: {{ $n := dict }}{{ range (lookup "v1" "ConfigMap" "" "").items }}{{ if hasKey $n .metadata.name }}again {{ .metadata.name }}{{ end }}{{ $n = set $n .metadata.name 1 }}{{ end }}`, want: `again settings`},

	{name: "fromConfigMap", template: `v: {{ fromConfigMap "shop" "settings" "domain" }}`, want: `shop.example.test`},
	{name: "fromConfigMap missing key", template: `v: '{{ fromConfigMap "shop" "settings" "gone" }}'`, want: `""`},
	{name: "fromConfigMap without data", template: `v: '{{ fromConfigMap "policies" "without-data" "gone" }}'`, want: `""`},
	{name: "fromConfigMap missing object", template: `v: {{ fromConfigMap "shop" "gone" "domain" }}`, want: `configmaps "gone" not found`},
	{name: "fromConfigMap without namespace", template: `v: {{ fromConfigMap "" "settings" "domain" }}`, want: `must be specified`},
	{name: "copyConfigMapData", template: `v: {{ copyConfigMapData "shop" "settings" }}`, want: `"empty":""`},
	{name: "copyConfigMapData without data", template: `v: {{ copyConfigMapData "policies" "without-data" }}`, want: `null`},
	{name: "copyConfigMapData missing object", template: `v: {{ copyConfigMapData "shop" "gone" }}`, want: `not found`},
	{name: "fromSecret", template: `v: {{ fromSecret "shop" "token" "token" }}`, want: `sensitive {"v":"c2VjcmV0"}`},
	{name: "fromSecret missing object", template: `v: {{ fromSecret "shop" "gone" "token" }}`, want: `secrets "gone" not found`},
	{name: "copySecretData", template: `v: {{ copySecretData "shop" "token" }}`, want: `sensitive`},
	{name: "lookup of a Secret", template: `v: {{ (lookup "v1" "Secret" "shop" "token").data.user | base64dec }}`, want: `sensitive {"v":"admin"}`},
	{name: "list of Secrets", template: named(`lookup "v1" "Secret" "" ""`), want: `sensitive`},
	{name: "list of no Secrets", template: named(`lookup "v1" "Secret" "data" ""`), want: `{"names":"."}`},
	{name: "fromClusterClaim", template: `v: {{ fromClusterClaim "id.openshift.io" }}`, want: `1234-abcd`},
	{name: "fromClusterClaim missing", template: `v: {{ fromClusterClaim "gone" }}`, want: `clusterclaims.cluster.open-cluster-management.io "gone" not found`},
	{name: "fromClusterClaim without spec", template: `v: {{ fromClusterClaim "without-spec" }}`, want: `unexpected ClusterClaim format`},
	{name: "fromClusterClaim without name", template: `v: {{ fromClusterClaim "" }}`, want: `a claim name must be provided`},
	{name: "lookupClusterClaim", template: `v: {{ lookupClusterClaim "id.openshift.io" }}`, want: `1234-abcd`},
	{name: "lookupClusterClaim missing", template: `v: '{{ lookupClusterClaim "gone" }}'`, want: `""`},
	{name: "getNodesWithExactRoles", template: named(`getNodesWithExactRoles "infra"`), want: `/infra-1 .`},
	{name: "getNodesWithExactRoles without role", template: named(`getNodesWithExactRoles ""`), want: `at least one name must be specified`},
	{name: "hasNodesWithExactRoles", template: `v: {{ hasNodesWithExactRoles "infra" "storage" }}`, want: `true`},
	{name: "hasNodesWithExactRoles none", template: `v: {{ hasNodesWithExactRoles "gpu" }}`, want: `false`},

	{name: "hub object", options: hub, template: `v: {{ (lookup "v1" "ConfigMap" "policies" "unlabelled").data.domain }}`, want: `hub.example.test`},
	{name: "hub default namespace", options: hub, template: `v: {{ fromConfigMap "" "unlabelled" "domain" }}`, want: `hub.example.test`},
	{name: "hub list", options: hub, template: named(`lookup "v1" "ConfigMap" "" ""`), want: `"policies/applied policies/unlabelled policies/without-data ."`},
	{name: "hub other namespace", options: hub, template: `v: {{ fromConfigMap "shop" "settings" "domain" }}`, want: `the namespace argument is restricted to policies`},
	{name: "hub own cluster", options: hub, template: `v: {{ (lookup "cluster.open-cluster-management.io/v1" "ManagedCluster" "" "west").metadata.labels.region }}`, want: `us`},
	{name: "hub other cluster", options: hub, template: `v: {{ (lookup "cluster.open-cluster-management.io/v1" "ManagedCluster" "" "east").metadata.labels.region }}`, want: `lookup of cluster-scoped resource 'ManagedCluster/east' is not allowed`},
	{name: "hub list of clusters", options: hub, template: named(`lookup "cluster.open-cluster-management.io/v1" "ManagedCluster" "" ""`), want: `is not allowed`},
	{name: "hub any cluster-scoped kind", options: anyClusterScoped, template: named(`lookup "cluster.open-cluster-management.io/v1" "ManagedCluster" "" ""`), want: `east`},
	{name: "hub cluster-scoped with its namespace", options: anyClusterScoped, template: `v: {{ (lookup "v1" "Namespace" "policies" "shop").metadata.name }}`, want: `shop`},
	{name: "hub missing API", options: hub, template: `v: {{ lookup "externaldns.k8s.io/v1alpha1" "DNSEndpoint" "" "" }}`, want: `not installed`},
}
