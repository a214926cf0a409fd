// Package v1alpha1 holds the resources that users write: VirtualMachineDNS.
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const (
	// Group is the API group of policyloom's resources.
	Group = "policyloom.dev"
	// Version is the version of the resources in this package.
	Version = "v1alpha1"
	// APIVersion is what a manifest says under apiVersion.
	APIVersion = Group + "/" + Version
	// MayBeEmptyAnnotation is the annotation of a Policy that says, with the value "true", that giving no object on any cluster
	// is nothing to warn of.
	MayBeEmptyAnnotation = Group + "/may-be-empty"
	// VirtualMachineDNSKind is what a manifest says under kind.
	VirtualMachineDNSKind = "VirtualMachineDNS"
)

// VirtualMachineDNS says which virtual machines of a fleet get which DNS names. It is the input of a generator and never
// stored in a cluster.
type VirtualMachineDNS struct {
	metav1.TypeMeta `json:",inline"`
	// Metadata names the resource.
	Metadata Metadata `json:"metadata"`
	// Spec is everything there is to say about the DNS names.
	Spec VirtualMachineDNSSpec `json:"spec,omitzero"`

	source *source
}

// Metadata names a VirtualMachineDNS. Labels, annotations and a namespace are accepted since kustomize sets them, and
// have no effect: spec.policy names the labels, annotations and the namespace of the Policy.
type Metadata struct {
	// Name is the name of the Policy and of the ConfigurationPolicy in it.
	Name string `json:"name"`
	// Namespace has no effect.
	Namespace string `json:"namespace,omitempty"`
	// Labels have no effect.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations have no effect.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// VirtualMachineDNSSpec is everything there is to say about the DNS names of virtual machines.
type VirtualMachineDNSSpec struct {
	// Source says which VirtualMachineInstances take part.
	Source Source `json:"source,omitzero"`
	// Names says which names a virtual machine may have.
	Names Names `json:"names,omitzero"`
	// Records says which records a name gets.
	Records Records `json:"records,omitzero"`
	// Endpoint says how records are spread over DNSEndpoint objects.
	Endpoint Endpoint `json:"endpoint,omitzero"`
	// Policy holds the options of the Policy, under PolicyGenerator's names.
	Policy Policy `json:"policy,omitzero"`
	// Placement says which managed clusters get the Policy.
	Placement Placement `json:"placement,omitzero"`
	// PolicySets describes the PolicySets that spec.policy.policySets names. A set that is only named there has no description
	// and is placed on all clusters.
	PolicySets []PolicySet `json:"policySets,omitempty"`
	// Report also generates the Policy <name>-report, which informs the hub of the names that virtual machines asked for and
	// did not get, and why. It never changes a record. Default: false.
	Report *bool `json:"report,omitempty"`
	// Output is what to generate. Default: Policy.
	Output Output `json:"output,omitempty"`
}

// Output is what the generator emits.
type Output string

const (
	// OutputPolicy is Policy, Placement and PlacementBinding for the hub.
	OutputPolicy Output = "Policy"
	// OutputTemplate is a manifest that holds nothing but object-templates-raw, as PolicyGenerator takes it.
	OutputTemplate Output = "Template"
)

// Source selects VirtualMachineInstances.
type Source struct {
	// Selector chooses by label. Default: {"matchLabels":{"vm.redhat-cop.dns-name":"true"}}.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// Namespaces chooses by namespace.
	Namespaces Namespaces `json:"namespaces,omitzero"`
	// Interfaces chooses network interfaces.
	Interfaces Interfaces `json:"interfaces,omitzero"`
	// OptOutAnnotation is the annotation by which a VirtualMachineInstance stays out, with the value "true".
	// Default: policyloom.dev/opt-out.
	OptOutAnnotation string `json:"optOutAnnotation,omitempty"`
}

// Namespaces chooses namespaces by name; * stands for any characters and ? for any one character.
type Namespaces struct {
	// Include lists the namespaces that take part. Default: ["*"].
	Include []string `json:"include,omitempty"`
	// Exclude lists the namespaces that do not, even if they are included.
	Exclude []string `json:"exclude,omitempty"`
}

// Interfaces chooses network interfaces by the name of the network or of the device in the guest, whichever matches; * stands
// for any characters and ? for any one character.
type Interfaces struct {
	// Include lists the interfaces that take part. Default: ["*"].
	Include []string `json:"include,omitempty"`
	// Exclude lists the interfaces that do not, even if they are included.
	Exclude []string `json:"exclude,omitempty"`
}

// Names says where the names of a virtual machine come from and which are allowed.
type Names struct {
	// AnnotationPrefix and an interface make up the annotation that holds the names of that interface,
	// <prefix>/<interface>: <FQDN>[,<FQDN>...]. Default: vm.redhat-cop.dns-name.
	AnnotationPrefix string `json:"annotationPrefix,omitempty"`
	// MatchInterfaceBy says what the interface in an annotation can be, first match first. Default: [name, interfaceName].
	MatchInterfaceBy []InterfaceKey `json:"matchInterfaceBy,omitempty"`
	// Convention is the name of a virtual machine that has no annotation, made of text and {vm}, {namespace}, {interface}
	// and {domain}; several names are separated by commas. Default: no name.
	Convention string `json:"convention,omitempty"`
	// Domain is what {domain} stands for.
	Domain Domain `json:"domain,omitzero"`
	// AllowedDomains lists the domains that names must be in. Default: any.
	AllowedDomains []AllowedDomain `json:"allowedDomains,omitempty"`
	// Limits keep names short enough for the ownership records of external-dns.
	Limits Limits `json:"limits,omitzero"`
	// AllowWildcards lets a name start with "*.". Default: false.
	AllowWildcards *bool `json:"allowWildcards,omitempty"`
}

// InterfaceKey is a field of a VirtualMachineInstance's status.interfaces that an annotation can name.
type InterfaceKey string

const (
	// InterfaceByName is the name of the network in the spec of the virtual machine.
	InterfaceByName InterfaceKey = "name"
	// InterfaceByDevice is the name of the device inside the guest, as the guest agent reports it.
	InterfaceByDevice InterfaceKey = "interfaceName"
)

// Domain is the domain of the names that the convention makes.
type Domain struct {
	// Default is the domain of clusters that have none of their own.
	Default string `json:"default,omitempty"`
	// ClusterLabel is the label of the ManagedCluster that holds the domain of the cluster.
	ClusterLabel string `json:"clusterLabel,omitempty"`
	// ConfigMap is the name of a ConfigMap on the hub, in the namespace of the Policy, that holds the domain of each cluster
	// under the cluster's name. The label comes first, where both are given.
	ConfigMap string `json:"configMap,omitempty"`
}

// AllowedDomain is a domain that names may be in. In YAML it is either the domain alone or a map.
type AllowedDomain struct {
	// Domain allows itself and every name below.
	Domain string `json:"domain"`
	// Namespaces limits the domain to these namespaces; * and ? are wildcards. Default: all.
	Namespaces []string `json:"namespaces,omitempty"`
}

// Limits are lengths in characters.
type Limits struct {
	// FirstLabel is the longest first label of a name. Default: 58.
	FirstLabel *int `json:"firstLabel,omitempty"`
	// Total is the longest name. Default: 230.
	Total *int `json:"total,omitempty"`
}

// Records says which records a name gets.
type Records struct {
	// Types are the record types to publish. Default: [A, AAAA].
	Types []RecordType `json:"types,omitempty"`
	// TTL of the records in seconds, 1 to 86400. Default: 180.
	TTL *int64 `json:"ttl,omitempty"`
	// TTLAnnotation is the annotation by which a VirtualMachineInstance has a TTL of its own, 1 to 86400.
	// Default: policyloom.dev/ttl.
	TTLAnnotation string `json:"ttlAnnotation,omitempty"`
	// Addresses says which addresses may be published.
	Addresses Addresses `json:"addresses,omitzero"`
	// WhenNoAddress says what happens to the records of a running virtual machine that reports no address. Default: Remove.
	WhenNoAddress WhenNoAddress `json:"whenNoAddress,omitempty"`
	// SkipLinkDown leaves out interfaces whose link an administrator has set down. Default: false.
	SkipLinkDown *bool `json:"skipLinkDown,omitempty"`
}

// RecordType is a type of DNS record that holds an address.
type RecordType string

const (
	// RecordA is the record of an IPv4 address.
	RecordA RecordType = "A"
	// RecordAAAA is the record of an IPv6 address.
	RecordAAAA RecordType = "AAAA"
)

// Addresses chooses addresses by network. Loopback, link-local, multicast and unspecified addresses and KubeVirt's NAT
// networks are never published.
type Addresses struct {
	// Include lists the networks, in CIDR notation, that addresses must be in. Default: any.
	Include []string `json:"include,omitempty"`
	// Exclude lists the networks, in CIDR notation, whose addresses are not published.
	Exclude []string `json:"exclude,omitempty"`
}

// WhenNoAddress says what happens to records without an address.
type WhenNoAddress string

const (
	// RemoveRecords removes them.
	RemoveRecords WhenNoAddress = "Remove"
	// KeepRecords keeps those that were published last while the virtual machine runs.
	KeepRecords WhenNoAddress = "Keep"
)

// Endpoint says how DNSEndpoint objects are cut and marked.
type Endpoint struct {
	// Per is what each DNSEndpoint is for. Default: Interface.
	Per EndpointPer `json:"per,omitempty"`
	// Labels are set on each DNSEndpoint.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations are set on each DNSEndpoint.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// EndpointPer is what a DNSEndpoint object is for.
type EndpointPer string

const (
	// EndpointPerInterface makes a DNSEndpoint <vm>-<interface> for each interface that has a name.
	EndpointPerInterface EndpointPer = "Interface"
	// EndpointPerVirtualMachine makes a DNSEndpoint <vm> for each virtual machine that has a name.
	EndpointPerVirtualMachine EndpointPer = "VirtualMachine"
	// EndpointPerNamespace makes a DNSEndpoint <policy namespace>.<policy> in each namespace whose virtual machines have names.
	EndpointPerNamespace EndpointPer = "Namespace"
)

// Placement says which managed clusters get the Policy.
type Placement struct {
	// Name without any selector is that of an existing Placement in the namespace of the Policy. With a selector it is the
	// name of the generated Placement. Default: placement-<policy>.
	Name string `json:"name,omitempty"`
	// PlacementName is the name of an existing Placement, as PolicyGenerator calls it.
	PlacementName string `json:"placementName,omitempty"`
	// LabelSelector chooses managed clusters by label. Default: all.
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
	// ClusterSets limits the choice to these ManagedClusterSets. Default: all that are bound to the namespace of the Policy.
	ClusterSets []string `json:"clusterSets,omitempty"`
	// Tolerations of taints. Default: clusters that are unavailable or unreachable keep the Policy.
	Tolerations []Toleration `json:"tolerations,omitempty"`
	// BindClusterSets also generates a ManagedClusterSetBinding for each of the clusterSets. Default: false.
	BindClusterSets *bool `json:"bindClusterSets,omitempty"`
}

// Toleration of a taint of a managed cluster.
type Toleration struct {
	// Key of the taint; empty with operator Exists tolerates all taints.
	Key string `json:"key,omitempty"`
	// Operator is Equal or Exists. Default: Equal.
	Operator string `json:"operator,omitempty"`
	// Value of the taint, for Equal.
	Value string `json:"value,omitempty"`
	// Effect to tolerate: NoSelect, PreferNoSelect or NoSelectIfNew. Default: all.
	Effect string `json:"effect,omitempty"`
	// TolerationSeconds is how long the taint is tolerated. Default: for ever.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}
