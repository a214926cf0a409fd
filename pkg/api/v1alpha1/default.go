package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const (
	// defaultAnnotationPrefix is also the label that opts a virtual machine in.
	defaultAnnotationPrefix = "vm.redhat-cop.dns-name"
	defaultFirstLabel       = 58
	defaultTotal            = 230
	defaultTTL              = 180

	maxShards = 64

	placementPrefix = "placement-"

	policyKind       = "Policy"
	policyAPIVersion = "policy.open-cluster-management.io/v1"
)

// Default fills in every field that is not set and has a default. What is set stays as it is, empty lists included.
func (d *VirtualMachineDNS) Default() {
	spec := &d.Spec
	setDefault(&d.APIVersion, APIVersion)
	setDefault(&d.Kind, VirtualMachineDNSKind)
	setDefault(&spec.Output, OutputPolicy)
	setDefaultPointer(&spec.Report, false)
	spec.Source.setDefaults()
	spec.Names.setDefaults()
	spec.Records.setDefaults()
	setDefault(&spec.Endpoint.Per, EndpointPerInterface)
	spec.Policy.setDefaults()
	spec.Placement.setDefaults(d.Metadata.Name)
	for i := range spec.PolicySets {
		spec.PolicySets[i].setDefaults()
	}
}

func (s *Source) setDefaults() {
	if s.Selector == nil {
		s.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{defaultAnnotationPrefix: "true"}}
	}
	setDefaultList(&s.Namespaces.Include, "*")
	setDefaultList(&s.Interfaces.Include, "*")
	setDefault(&s.OptOutAnnotation, Group+"/opt-out")
}

func (n *Names) setDefaults() {
	setDefault(&n.AnnotationPrefix, defaultAnnotationPrefix)
	setDefaultList(&n.MatchInterfaceBy, InterfaceByName, InterfaceByDevice)
	setDefaultPointer(&n.Limits.FirstLabel, defaultFirstLabel)
	setDefaultPointer(&n.Limits.Total, defaultTotal)
	setDefaultPointer(&n.AllowWildcards, false)
}

func (r *Records) setDefaults() {
	setDefaultList(&r.Types, RecordA, RecordAAAA)
	setDefaultPointer(&r.TTL, defaultTTL)
	setDefault(&r.TTLAnnotation, Group+"/ttl")
	setDefault(&r.WhenNoAddress, RemoveRecords)
	setDefaultPointer(&r.SkipLinkDown, false)
}

func (p *Policy) setDefaults() {
	setDefault(&p.RemediationAction, "enforce")
	setDefault(&p.PruneObjectBehavior, "DeleteIfCreated")
	setDefault(&p.Severity, "low")
	setDefault(&p.EvaluationInterval.Compliant, "watch")
	setDefault(&p.EvaluationInterval.NonCompliant, "watch")
	setDefaultList(&p.Categories, "CM Configuration Management")
	setDefaultList(&p.Controls, "CM-2 Baseline Configuration")
	setDefaultList(&p.Standards, "NIST SP 800-53")
	setDefault(&p.MetadataComplianceType, "musthave")
	setDefaultPointer(&p.GeneratePolicyPlacement, true)
	setDefaultPointer(&p.GeneratePlacementWhenInSet, false)
	setDefaultPointer(&p.Shards, 1)
	setDefaultPointer(&p.Disabled, false)
	setDefaultPointer(&p.CopyPolicyMetadata, true)
	setDefaultPointer(&p.IgnorePending, false)
	for _, list := range [][]Dependency{p.Dependencies, p.ExtraDependencies} {
		for i := range list {
			list[i].setDefaults(p.Namespace)
		}
	}
}

func (d *Dependency) setDefaults(namespace string) {
	setDefault(&d.Kind, policyKind)
	setDefault(&d.APIVersion, policyAPIVersion)
	setDefault(&d.Compliance, "Compliant")
	if d.Kind == policyKind {
		setDefault(&d.Namespace, namespace)
	}
}

// setDefaults leaves a Placement that exists already alone.
func (p *Placement) setDefaults(policy string) {
	setDefaultPointer(&p.BindClusterSets, false)
	for i := range p.Tolerations {
		setDefault(&p.Tolerations[i].Operator, "Equal")
	}
	if p.IsExisting() {
		return
	}
	if p.LabelSelector == nil {
		p.LabelSelector = &metav1.LabelSelector{}
	}
	if policy != "" {
		setDefault(&p.Name, placementPrefix+policy)
	}
	setDefaultList(&p.Tolerations,
		Toleration{Key: "cluster.open-cluster-management.io/unavailable", Operator: "Exists"},
		Toleration{Key: "cluster.open-cluster-management.io/unreachable", Operator: "Exists"},
	)
}

// IsExisting tells whether the Placement is one that others made.
func (p *Placement) IsExisting() bool {
	return p.PlacementName != "" || p.Name != "" && p.LabelSelector == nil && len(p.ClusterSets) == 0
}

func setDefault[T ~string](field *T, value T) {
	if *field == "" {
		*field = value
	}
}

func setDefaultPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

func setDefaultList[T any](field *[]T, values ...T) {
	if *field == nil {
		*field = values
	}
}
