package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PolicyTestKind is the kind of PolicyTest.
const PolicyTestKind = "PolicyTest"

// PolicyTest says what policies make of a fleet, case by case.
type PolicyTest struct {
	// APIVersion is policyloom.dev/v1alpha1.
	APIVersion string `json:"apiVersion"`
	// Kind is PolicyTest.
	Kind string `json:"kind"`
	// Metadata names the test.
	Metadata TestMetadata `json:"metadata"`
	// Spec is the test.
	Spec PolicyTestSpec `json:"spec"`
}

// TestMetadata names a test.
type TestMetadata struct {
	// Name is the name of the suite: its cases are called name/case.
	Name string `json:"name"`
}

// PolicyTestSpec is what all cases have in common, and the cases. Paths are relative to the file of the test.
type PolicyTestSpec struct {
	// Policies are the policies under test.
	Policies []PolicySource `json:"policies"`
	// Fleet is a directory of fixtures: hub/ and clusters/NAME/.
	Fleet string `json:"fleet,omitempty"`
	// Hub holds the objects of the hub, for a test without a fleet. Without both every policy is put on every cluster, whatever
	// placements say.
	Hub *Fixtures `json:"hub,omitempty"`
	// Clusters are the managed clusters, for a test without a fleet.
	Clusters []TestCluster `json:"clusters,omitempty"`
	// Now is the time at which each case starts, as 2026-01-31T12:00:00Z. Default: 2026-01-01T00:00:00Z.
	Now string `json:"now,omitempty"`
	// AllowNoValue permits the text "<no value>" in objects, which templates print for what does not exist. Default: false.
	AllowNoValue bool `json:"allowNoValue,omitempty"`
	// Cases are the cases. They know nothing of each other.
	Cases []TestCase `json:"cases"`
}

// PolicySource names policies: a file, or a directory and all below it, or a kustomization.
type PolicySource struct {
	// File is a file or a directory with policies.
	File string `json:"file,omitempty"`
	// Kustomize is a directory that kustomize builds.
	Kustomize string `json:"kustomize,omitempty"`
}

// Fixtures are objects that are there from the start.
type Fixtures struct {
	// Files are files and directories with manifests.
	Files []string `json:"files,omitempty"`
	// Objects are manifests.
	Objects []map[string]any `json:"objects,omitempty"`
}

// TestCluster is a managed cluster of a test.
type TestCluster struct {
	// Name is the name of the managed cluster.
	Name string `json:"name"`
	// Labels are those of its ManagedCluster.
	Labels map[string]string `json:"labels,omitempty"`
	// MissingAPIs are APIs that it does not serve: a group, a group/version or a resource as <plural>.<group>.
	MissingAPIs []string `json:"missingAPIs,omitempty"`
	// Files are files and directories with manifests.
	Files []string `json:"files,omitempty"`
	// Objects are manifests.
	Objects []map[string]any `json:"objects,omitempty"`
}

// TestCase is a case of a test: what is given, what is expected then, and steps that each change something.
type TestCase struct {
	// Name is the name of the case.
	Name string `json:"name"`
	// Cluster is the managed cluster that is meant where a step or an expectation names none. Default: the only cluster of the fleet.
	Cluster string `json:"cluster,omitempty"`
	// Given changes the fixtures before the policies arrive.
	Given []Event `json:"given,omitempty"`
	// Expect is what holds when the policies have arrived and nothing changes any more.
	Expect *Expectation `json:"expect,omitempty"`
	// Steps follow each other.
	Steps []Step `json:"steps,omitempty"`
}

// Step changes something, waits until the policies have nothing more to do, and looks at the result.
type Step struct {
	// Name says what happens.
	Name string `json:"name"`
	// Do are the changes, in their order. Without any, the policies are evaluated once more.
	Do []Event `json:"do,omitempty"`
	// Expect is what holds then. Errors that are not expected fail the case whether it is there or not.
	Expect *Expectation `json:"expect,omitempty"`
}

// Event is one change. It has one of apply, patch, delete, missingAPIs, relabel and advance.
type Event struct {
	// Cluster is the managed cluster that changes, or "hub". Default: that of the case.
	Cluster string `json:"cluster,omitempty"`
	// Apply creates objects, or replaces those that are there, the status included.
	Apply []map[string]any `json:"apply,omitempty"`
	// ApplyFiles does so with the manifests of files and directories.
	ApplyFiles []string `json:"applyFiles,omitempty"`
	// Patch changes an object.
	Patch *ObjectPatch `json:"patch,omitempty"`
	// Delete deletes objects, and what an API server deletes with them.
	Delete []ObjectReference `json:"delete,omitempty"`
	// MissingAPIs are the APIs that the cluster does not serve from now on. Objects of what it no longer serves are gone. An
	// empty list gives all APIs back.
	MissingAPIs *[]string `json:"missingAPIs,omitempty"`
	// Relabel changes labels of ManagedClusters.
	Relabel []Relabel `json:"relabel,omitempty"`
	// Advance lets time go by, as 1h30m.
	Advance string `json:"advance,omitempty"`
}

// ObjectReference names an object.
type ObjectReference struct {
	// APIVersion is that of the object.
	APIVersion string `json:"apiVersion"`
	// Kind is that of the object.
	Kind string `json:"kind"`
	// Namespace is empty for an object that has none.
	Namespace string `json:"namespace,omitempty"`
	// Name is that of the object.
	Name string `json:"name"`
}

// ObjectPatch changes an object by a JSON merge patch (RFC 7386): fields are set, null removes one, lists are replaced.
type ObjectPatch struct {
	ObjectReference `json:",inline"`
	// Merge holds the fields to change.
	Merge map[string]any `json:"merge"`
}

// Relabel changes labels of a ManagedCluster.
type Relabel struct {
	// Cluster is the name of the managed cluster.
	Cluster string `json:"cluster"`
	// Labels are set; null removes one.
	Labels map[string]*string `json:"labels"`
}

// Expectation is what holds after a step.
type Expectation struct {
	// Selected says which clusters get a policy, and why others do not.
	Selected []SelectedClusters `json:"selected,omitempty"`
	// Compliance is that of policies and of their templates.
	Compliance []ExpectedCompliance `json:"compliance,omitempty"`
	// Messages are what the controller reports.
	Messages []ExpectedMessage `json:"messages,omitempty"`
	// Objects are all objects of some kinds, compared field by field.
	Objects []ExactObjects `json:"objects,omitempty"`
	// Contains are objects that are there and have the given fields, whatever else they have.
	Contains []PartialObject `json:"contains,omitempty"`
	// Absent are objects that are not there.
	Absent []AbsentObject `json:"absent,omitempty"`
	// Counts are numbers of objects.
	Counts []ObjectCount `json:"counts,omitempty"`
	// Errors are regular expressions for the errors that occur, in templates and elsewhere: each of them must occur, and no other.
	Errors []string `json:"errors,omitempty"`
	// Warnings are regular expressions for warnings. Each of them must occur; others may.
	Warnings []string `json:"warnings,omitempty"`
}

// PolicyReference says which policies are meant.
type PolicyReference struct {
	// Policy is a root policy, as name or namespace/name. Default: the only policy of the test.
	Policy string `json:"policy,omitempty"`
}

// SelectedClusters says which clusters get a policy.
type SelectedClusters struct {
	PolicyReference `json:",inline"`
	// Clusters are all clusters that get it.
	Clusters []string `json:"clusters"`
	// Not are some of the others, and why they do not get it.
	Not []NotSelected `json:"not,omitempty"`
}

// NotSelected says why a cluster does not get a policy.
type NotSelected struct {
	// Cluster is the name of the managed cluster.
	Cluster string `json:"cluster"`
	// Because is a regular expression for one of the reasons.
	Because string `json:"because,omitempty"`
}

// ExpectedCompliance is that of a policy, or of one of its templates.
type ExpectedCompliance struct {
	PolicyReference `json:",inline"`
	// Template is the name of one of its policy templates. Default: the policy as a whole.
	Template string `json:"template,omitempty"`
	// Cluster is the managed cluster. Default: that of the case, else all that have the policy.
	Cluster string `json:"cluster,omitempty"`
	// Is is Compliant, NonCompliant, Pending or Unknown, which says that nothing here evaluates it.
	Is string `json:"is"`
}

// ExpectedMessage is what the controller reports of a policy template.
type ExpectedMessage struct {
	PolicyReference `json:",inline"`
	// Template is the name of one of its policy templates. Default: any of them.
	Template string `json:"template,omitempty"`
	// Cluster is the managed cluster. Default: that of the case, else all that have the policy.
	Cluster string `json:"cluster,omitempty"`
	// Matches is a regular expression for one of the messages.
	Matches string `json:"matches,omitempty"`
	// Never is a regular expression for none of them.
	Never string `json:"never,omitempty"`
}

// ExactObjects are all objects of some kinds on a cluster.
type ExactObjects struct {
	// Cluster is the managed cluster. Default: that of the case.
	Cluster string `json:"cluster,omitempty"`
	// Kinds are the kinds, as Kind or Kind.group. Default: those of the objects.
	Kinds []string `json:"kinds,omitempty"`
	// Namespace leaves it at the objects of a namespace.
	Namespace string `json:"namespace,omitempty"`
	// Labels leave it at the objects with these labels.
	Labels map[string]string `json:"labels,omitempty"`
	// Exactly are the objects, without what only an API server sets: uid, resourceVersion, generation, creationTimestamp, managedFields.
	Exactly []map[string]any `json:"exactly,omitempty"`
	// File holds them instead.
	File string `json:"file,omitempty"`
}

// PartialObject is an object that has the given fields. Lists are compared item by item.
type PartialObject struct {
	// Cluster is the managed cluster. Default: that of the case.
	Cluster string `json:"cluster,omitempty"`
	// Object has apiVersion, kind, metadata.name and the fields.
	Object map[string]any `json:"object"`
}

// AbsentObject is an object that is not there.
type AbsentObject struct {
	// Cluster is the managed cluster. Default: that of the case.
	Cluster         string `json:"cluster,omitempty"`
	ObjectReference `json:",inline"`
}

// ObjectCount is a number of objects.
type ObjectCount struct {
	// Cluster is the managed cluster. Default: that of the case.
	Cluster string `json:"cluster,omitempty"`
	// Kind is the kind, as Kind or Kind.group.
	Kind string `json:"kind"`
	// Namespace leaves it at the objects of a namespace.
	Namespace string `json:"namespace,omitempty"`
	// Labels leave it at the objects that match.
	Labels *metav1.LabelSelector `json:"labels,omitempty"`
	// Is is the number.
	Is *int `json:"is"`
}
