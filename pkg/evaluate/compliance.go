package evaluate

import (
	"github.com/policyloom/policyloom/pkg/diag"
)

// Compliance is what a policy, or a policy template, is found to be.
type Compliance string

const (
	Compliant    Compliance = "Compliant"
	NonCompliant Compliance = "NonCompliant"
	// Pending says that a dependency does not have the compliance that it should have.
	Pending Compliance = "Pending"
	// Unknown says that nothing here evaluates the template.
	Unknown Compliance = "Unknown"
)

// Evaluated is what the policies of a cluster come to.
type Evaluated struct {
	// Policies are in the order of their templates.
	Policies []PolicyResult `json:"policies"`
	// Rounds is how often all policies were evaluated until nothing changed.
	Rounds int `json:"rounds"`
	// Findings say what is wrong with the policies: those that cannot be evaluated, and those that never come to an end.
	Findings diag.Findings `json:"-"`
}

// PolicyResult is the result for a root Policy, or for a policy template that stands alone.
type PolicyResult struct {
	// Policy is the root Policy as namespace/name, empty for a template that stands alone.
	Policy     string           `json:"policy,omitempty"`
	Compliance Compliance       `json:"compliance"`
	Templates  []TemplateResult `json:"templates"`
}

// TemplateResult is the result for a policy template.
type TemplateResult struct {
	// Template is "Kind name".
	Template string `json:"template"`
	// RemediationAction is enforce or inform, as it counts on the cluster.
	RemediationAction string        `json:"remediationAction,omitempty"`
	Compliance        Compliance    `json:"compliance"`
	Source            diag.Position `json:"source,omitzero"`
	// Message is what the hub is told, worded by the controller.
	Message string `json:"message"`
	// Messages are those of all evaluations that said something new, the oldest first.
	Messages []string `json:"messages,omitempty"`
	// Details are those of the object templates.
	Details []Detail `json:"details,omitempty"`
	// Related are the objects that the template is about.
	Related []Related `json:"relatedObjects,omitempty"`
	// Changes are what the template did to the cluster, or would do if it enforced, by object.
	Changes []Change `json:"changes,omitempty"`
	// StatusBytes is about what the status of the template takes on the cluster.
	StatusBytes int `json:"statusBytes,omitempty"`
}

// Detail is what the controller says of one object template.
type Detail struct {
	Compliance Compliance `json:"compliance"`
	Reason     string     `json:"reason,omitempty"`
	Message    string     `json:"message,omitempty"`
}

// Related is an object that a template is about.
type Related struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	// Name is "-" where no single object is meant.
	Name       string     `json:"name"`
	Compliance Compliance `json:"compliance"`
	Reason     string     `json:"reason,omitempty"`
	// CreatedByPolicy tells whether the template made the object, which then goes with it if pruneObjectBehavior says so.
	CreatedByPolicy bool `json:"createdByPolicy,omitempty"`
	// UID is that of the object when the template saw it.
	UID string `json:"uid,omitempty"`
	// MatchesAfterDryRun tells that the object differs from the template, but that an API server makes nothing of the difference.
	MatchesAfterDryRun bool `json:"matchesAfterDryRun,omitempty"`
	// Diff is the controller's, where recordDiff lets it keep one.
	Diff string `json:"diff,omitempty"`
}

// worst joins the compliance of the templates of a policy as the status of a Policy does.
func worst(templates []TemplateResult) Compliance {
	joined := Compliant
	for _, t := range templates {
		switch {
		case t.Compliance == NonCompliant:
			return NonCompliant
		case t.Compliance == Pending:
			joined = Pending
		case t.Compliance == Unknown && joined == Compliant:
			joined = Unknown
		}
	}
	return joined
}
