package propagate

import (
	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	depclient "github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// Replicated is the policy that the hub puts into the namespace of one managed cluster.
type Replicated struct {
	// Cluster is the name of the managed cluster, and of its namespace on the hub.
	Cluster string `json:"cluster"`
	// Root names the policy that it was made from, RootPosition its place in the files.
	Root         types.NamespacedName `json:"root"`
	RootPosition diag.Position        `json:"rootPosition"`
	// Policy is the replicated policy. Its hub templates are resolved up to the first that fails, which has the
	// annotation hub-templates-error.
	Policy *policiesv1.Policy `json:"policy"`
	// HubError is the finding about the hub template that failed, or nil.
	HubError *diag.Finding `json:"hubError,omitempty"`
	// Lookups are what the hub templates looked up with the service account of spec.hubTemplateOptions. They are
	// empty if the policy names none.
	Lookups []Lookup `json:"lookups,omitempty"`
	// EncryptionKey is the key that values in the policy are encrypted with, nil if nothing is encrypted.
	EncryptionKey []byte `json:"-"`
}

// Propagator replicates policies to clusters. Build it with New. Its methods may be called concurrently if the watcher's
// may.
type Propagator struct {
	hub      hub
	plan     plan
	watcher  depclient.DynamicWatcher
	resolver *templates.TemplateResolver
}

// New reads the Policies, PlacementBindings and PolicySets among the hub's objects, joins them with the decisions, and
// reports what is wrong with them: what the API server or the policy webhook would refuse, names that lead nowhere, and
// policies that reach no cluster. The watcher answers the look-ups of hub templates from the hub's objects.
func New(objects []manifest.Object, decisions []placement.Result, watcher depclient.DynamicWatcher) (*Propagator, diag.Findings) {
	quiet.TemplateEngine()
	hub, findings := loadHub(objects)
	plan := newPlan(&hub, decisions)
	findings = append(findings, checkReferences(&hub, plan, decisions)...)
	p := &Propagator{hub: hub, plan: plan, watcher: watcher}
	resolver, err := newResolver(watcher)
	if err != nil {
		findings = append(findings, diag.Finding{Severity: diag.Error, Message: "the hub template engine cannot be set up: " + err.Error()})
	}
	p.resolver = resolver
	findings.Sort()
	return p, findings
}

// newResolver sets the template engine up with the propagator's own settings.
func newResolver(watcher depclient.DynamicWatcher) (*templates.TemplateResolver, error) {
	return templates.NewResolverWithDynamicWatcher(watcher, templates.Config{
		AdditionalIndentation: 8,
		DisabledFunctions:     []string{},
		StartDelim:            propagator.TemplateStartDelim,
		StopDelim:             propagator.TemplateStopDelim,
		SkipBatchManagement:   true,
	})
}

// Clusters gives the names of all clusters that a policy is placed on, in alphabetical order.
func (p *Propagator) Clusters() []string { return p.plan.clusters() }

// Cluster gives the replicated policies of one cluster, ordered by the namespace and name of their root policies, and the
// findings about their hub templates. A policy that the hub would not replicate because of an error that it retries has
// only a finding.
func (p *Propagator) Cluster(name string) ([]Replicated, diag.Findings) {
	var (
		list     []Replicated
		findings diag.Findings
	)
	for _, policy := range p.hub.policies {
		override, placed := p.plan.decide(policy.typed, name)
		if !placed {
			continue
		}
		root := policy.typed.DeepCopy()
		r := resolution{
			propagator: p, cluster: name, origin: policy.origin, root: root,
			replica: p.hub.replicate(root, name, override),
		}
		replicated := r.run()
		findings = append(findings, r.findings...)
		if r.retried {
			continue
		}
		list = append(list, replicated)
	}
	findings.Sort()
	return list, findings
}
