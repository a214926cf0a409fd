package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Policy holds the options of the generated Policy and ConfigurationPolicy, under PolicyGenerator's names.
type Policy struct {
	// Namespace of the Policy on the hub. Required, unless the output is Template.
	Namespace string `json:"namespace,omitempty"`
	// RemediationAction is enforce or inform. Default: enforce.
	RemediationAction string `json:"remediationAction,omitempty"`
	// PruneObjectBehavior is DeleteIfCreated, DeleteAll or None. Default: DeleteIfCreated.
	PruneObjectBehavior string `json:"pruneObjectBehavior,omitempty"`
	// Severity is low, medium, high or critical. Default: low.
	Severity string `json:"severity,omitempty"`
	// EvaluationInterval says how often a cluster evaluates the policy again.
	EvaluationInterval EvaluationInterval `json:"evaluationInterval,omitzero"`
	// Categories of the annotation policy.open-cluster-management.io/categories. Default: CM Configuration Management.
	Categories []string `json:"categories,omitempty"`
	// Controls of the annotation policy.open-cluster-management.io/controls. Default: CM-2 Baseline Configuration.
	Controls []string `json:"controls,omitempty"`
	// Standards of the annotation policy.open-cluster-management.io/standards. Default: NIST SP 800-53.
	Standards []string `json:"standards,omitempty"`
	// Description of the policy.
	Description string `json:"description,omitempty"`
	// PolicyAnnotations are set on the Policy.
	PolicyAnnotations map[string]string `json:"policyAnnotations,omitempty"`
	// PolicyLabels are set on the Policy.
	PolicyLabels map[string]string `json:"policyLabels,omitempty"`
	// ConfigurationPolicyAnnotations are set on the ConfigurationPolicy.
	ConfigurationPolicyAnnotations map[string]string `json:"configurationPolicyAnnotations,omitempty"`
	// Disabled keeps the policy on the hub without any effect. Default: false.
	Disabled *bool `json:"disabled,omitempty"`
	// CopyPolicyMetadata copies all labels and annotations of the Policy to the clusters. Default: true.
	CopyPolicyMetadata *bool `json:"copyPolicyMetadata,omitempty"`
	// HubTemplateOptions changes how hub templates look things up.
	HubTemplateOptions HubTemplateOptions `json:"hubTemplateOptions,omitzero"`
	// CustomMessage replaces the compliance messages by Go templates.
	CustomMessage CustomMessage `json:"customMessage,omitzero"`
	// MetadataComplianceType is musthave or mustonlyhave: whether labels and annotations of a DNSEndpoint that others set may
	// stay. Default: musthave.
	MetadataComplianceType string `json:"metadataComplianceType,omitempty"`
	// NamespaceSelector is passed on to the ConfigurationPolicy. It has no effect on DNSEndpoints, which name their namespace:
	// see spec.source.namespaces.
	NamespaceSelector NamespaceSelector `json:"namespaceSelector,omitzero"`
	// PolicySets are the names of the PolicySets that the Policy joins. The sets are generated, too.
	PolicySets []string `json:"policySets,omitempty"`
	// GeneratePolicyPlacement generates a Placement and a PlacementBinding for the Policy, unless it is in a PolicySet.
	// Default: true.
	GeneratePolicyPlacement *bool `json:"generatePolicyPlacement,omitempty"`
	// GeneratePlacementWhenInSet generates them also for a Policy in a PolicySet. Default: false.
	GeneratePlacementWhenInSet *bool `json:"generatePlacementWhenInSet,omitempty"`
	// Shards is the number of ConfigurationPolicies, 1 to 64, that DNSEndpoints are spread over. Default: 1.
	Shards *int `json:"shards,omitempty"`
	// RecordDiff is Log, InStatus or None. Default: the controller's.
	RecordDiff string `json:"recordDiff,omitempty"`
	// RecreateOption is None, IfRequired or Always. Default: the controller's.
	RecreateOption string `json:"recreateOption,omitempty"`
	// Dependencies must be compliant before the Policy is applied.
	Dependencies []Dependency `json:"dependencies,omitempty"`
	// ExtraDependencies must be compliant before the ConfigurationPolicy is applied.
	ExtraDependencies []Dependency `json:"extraDependencies,omitempty"`
	// IgnorePending counts the policy as compliant while it waits for its dependencies. Default: false.
	IgnorePending *bool `json:"ignorePending,omitempty"`
}

// NamespaceSelector chooses namespaces of a managed cluster.
type NamespaceSelector struct {
	// Include lists namespaces; * stands for any characters and ? for any one character.
	Include []string `json:"include,omitempty"`
	// Exclude lists namespaces that are left out, even if they are included.
	Exclude []string `json:"exclude,omitempty"`
	// MatchLabels are labels that a namespace must have.
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	// MatchExpressions are requirements that the labels of a namespace must meet.
	MatchExpressions []metav1.LabelSelectorRequirement `json:"matchExpressions,omitempty"`
}

// EvaluationInterval holds, for each compliance, a duration such as 1h25m3s, "watch" or "never".
type EvaluationInterval struct {
	// Compliant is the interval while the policy is compliant. Default: watch.
	Compliant string `json:"compliant,omitempty"`
	// NonCompliant is the interval while the policy is not compliant. Default: watch.
	NonCompliant string `json:"noncompliant,omitempty"`
}

// HubTemplateOptions are the options of hub templates.
type HubTemplateOptions struct {
	// ServiceAccountName is a service account in the namespace of the Policy whose rights hub templates have.
	ServiceAccountName string `json:"serviceAccountName,omitempty"`
}

// CustomMessage holds a Go template for each compliance.
type CustomMessage struct {
	// Compliant is the message while the policy is compliant. Default: the controller's.
	Compliant string `json:"compliant,omitempty"`
	// NonCompliant is the message while the policy is not compliant. Default: the controller's.
	NonCompliant string `json:"noncompliant,omitempty"`
}

// Dependency is an object that must have a certain compliance first.
type Dependency struct {
	// Name of the object. Required.
	Name string `json:"name"`
	// Namespace of the object, if its kind is Policy. Default: that of this Policy.
	Namespace string `json:"namespace,omitempty"`
	// Compliance is Compliant, NonCompliant or Pending. Default: Compliant.
	Compliance string `json:"compliance,omitempty"`
	// Kind of the object. Default: Policy.
	Kind string `json:"kind,omitempty"`
	// APIVersion of the object. Default: policy.open-cluster-management.io/v1.
	APIVersion string `json:"apiVersion,omitempty"`
}
