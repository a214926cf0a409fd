// Package render runs the whole chain over a fleet: placement, propagation and evaluation give the objects that each managed
// cluster would get.
package render

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/policyloom/policyloom/pkg/acm"
	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/propagate"
)

// Input is what Run works on.
type Input struct {
	Fleet *fleet.Fleet
	// FleetFindings are what was found when the fleet was loaded. A cluster with an error among them is not rendered.
	FleetFindings diag.Findings
	// Policies are the manifests of the policy source. They join the objects of the hub and take the place of those that
	// have the same kind, namespace and name.
	Policies []manifest.Object
	// Direct puts every policy on every cluster of the fleet, whatever placements say.
	Direct bool
	// PoliciesOnly leaves it at the replicated policies: no cluster is loaded, and no objects are rendered.
	PoliciesOnly bool
	// Evaluate also finds the compliance of the policies, and what they change on each cluster.
	Evaluate bool
	// States also gives each cluster as it is after that, those that get no policy included.
	States bool
	// AllowNoValue permits the text "<no value>" in objects, which a template prints for what does not exist.
	AllowNoValue bool
	// Release is the RHACM release whose template functions count; empty stands for those of the engines in the program.
	Release acm.Release
	// Clusters and PolicyNames limit the result to these managed clusters and root policies (as name or namespace/name).
	Clusters    []string
	PolicyNames []string
	// Progress, unless it is nil, is told how many of the clusters are done.
	Progress func(done, total int)
	// Now is the time for tolerations that end.
	Now time.Time

	// mayBeEmpty says that it is no mistake if there is no policy.
	mayBeEmpty bool
}

// Cluster is the result for one managed cluster.
type Cluster struct {
	Name string `json:"name"`
	// MissingAPIs are those that the fixtures take away from the cluster.
	MissingAPIs []string `json:"missingAPIs,omitempty"`
	// Policies are the replicated policies, in the order of namespace and name.
	Policies []propagate.Replicated `json:"-"`
	// Objects are what the policies ask for, in the order of policy, template and object template.
	Objects []evaluate.Object `json:"objects"`
	// Evaluation is what the policies come to on the cluster, nil if that was not asked for.
	Evaluation *evaluate.Evaluated `json:"evaluation,omitempty"`
	// State is the cluster after the evaluation, nil if that was not asked for or the fixtures have errors.
	State *cluster.Cluster `json:"-"`
	// NotPlaced are the policies that the cluster does not get, and why.
	NotPlaced []NotPlaced `json:"notPlaced,omitempty"`
	// Findings are what is wrong with this cluster's part.
	Findings diag.Findings `json:"findings,omitempty"`
}

// NotPlaced says why a cluster does not get a policy.
type NotPlaced struct {
	Policy    string             `json:"policy"`
	Placement string             `json:"placement"`
	Reasons   []placement.Reason `json:"reasons"`
}

// Run gives the result of each managed cluster to emit, in the order of their names, and then the findings that belong to no
// cluster. What is wrong with one cluster or one policy is a finding, and the others are rendered. Clusters are worked on in
// parallel; no more of them are in memory than there are processors, and as many finished results wait.
//
// The error is that of emit or of the context, which end the work early, or says that a name in Clusters or PolicyNames is
// unknown; nothing is rendered then.
func Run(ctx context.Context, in Input, emit func(Cluster) error) (diag.Findings, error) {
	general, ofClusters := split(in)
	if general.HasErrors() {
		return general, nil
	}
	chain, findings, err := prepare(ctx, in)
	if err != nil || chain == nil {
		return append(general, findings...), err
	}
	names, err := chain.clusters(in.Clusters)
	if err != nil {
		return nil, err
	}
	chain.found = ofClusters
	count := newTally(chain)
	progress := in.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	done := 0
	progress(done, len(names))
	err = inOrder(ctx, runtime.GOMAXPROCS(0), names, func(name string) Cluster { return chain.run(ctx, name) },
		func(cluster Cluster) error {
			count.add(cluster)
			done++
			progress(done, len(names))
			return emit(cluster)
		})
	if !in.PoliciesOnly {
		findings = append(append(findings, count.empty()...), count.sizes.findings()...)
	}
	if len(count.owners) == 0 {
		findings = noneReaches(findings)
	}
	return append(general, findings...), err
}

// looksUp tells whether a policy template may ask the cluster for objects.
func looksUp(template evaluate.Template) bool {
	text := fmt.Sprint(template.Object.Object["spec"])
	return strings.Contains(text, "lookup") || strings.Contains(text, "from")
}

// noneReaches warns of disabled policies, which are hardly meant to be where no policy reaches any cluster.
func noneReaches(findings diag.Findings) diag.Findings {
	for i, f := range findings {
		if f.Field == "spec.disabled" {
			findings[i].Severity = diag.Warning
		}
	}
	return findings
}

// split tells the findings of the fleet that belong to one of its clusters from the others.
func split(in Input) (general diag.Findings, ofClusters map[string]diag.Findings) {
	ofClusters = map[string]diag.Findings{}
	for _, cluster := range in.Fleet.Clusters {
		ofClusters[cluster.Name] = nil
	}
	for _, finding := range in.FleetFindings {
		if found, known := ofClusters[finding.Cluster]; known {
			ofClusters[finding.Cluster] = append(found, finding)
			continue
		}
		general = append(general, finding)
	}
	return general, ofClusters
}

// run works on one cluster.
func (c *chain) run(ctx context.Context, name string) Cluster {
	return c.resultOf(name, func(result *Cluster, templates []evaluate.Template) diag.Findings {
		return c.evaluate(ctx, result, templates)
	})
}

// resultOf gives the result of a cluster. The function evaluates its policy templates, and fills in what they give.
func (c *chain) resultOf(name string, fill func(*Cluster, []evaluate.Template) diag.Findings) Cluster {
	result := Cluster{Name: name, MissingAPIs: c.fixtures[name].MissingAPIs, Objects: []evaluate.Object{}}
	replicated, findings := c.propagator.Cluster(name)
	result.Findings = append(slices.Clone(c.found[name]), c.ofWanted(findings)...)
	for _, r := range replicated {
		if c.wanted(r.Root.Namespace, r.Root.Name) {
			result.Policies = append(result.Policies, r)
		}
	}
	result.NotPlaced = c.notPlaced(name, replicated)
	switch {
	case !c.policiesOnly:
		result.Findings = append(result.Findings, fill(&result, c.templates(result.Policies))...)
	case !c.allowNoValue:
		result.Findings = append(result.Findings, c.noValuesOnHub(result.Policies)...)
	}
	for i := range result.Findings {
		result.Findings[i].Cluster = name
	}
	result.Findings.Sort()
	return result
}

// evaluate renders the policy templates of a cluster into the result. If its fixtures have errors there are no objects: what is
// missing in them could change any of them.
func (c *chain) evaluate(ctx context.Context, result *Cluster, templates []evaluate.Template) diag.Findings {
	fixtures := c.fixtures[result.Name]
	if len(templates) == 0 && !c.states || c.found[result.Name].HasErrors() {
		return nil
	}
	loaded, findings := fixtures.Load(ctx)
	inMemory, found := cluster.New(loaded, cluster.MissingAPIs(fixtures.MissingAPIs...))
	findings = append(findings, found...)
	if findings.HasErrors() {
		return findings
	}
	if len(templates) == 0 {
		result.State = inMemory
		return findings
	}
	if !fixtures.HasFixtures() && slices.ContainsFunc(templates, looksUp) {
		findings = append(findings, diag.Finding{
			Severity: diag.Warning, Message: "the fixtures have nothing below clusters/ for it: it is taken to be empty",
			Hint: "save what the cluster has in a directory of its name",
		})
	}
	objects, found := c.objects(templates, inMemory)
	result.Objects = append(result.Objects, objects...)
	findings = append(findings, found...)
	found = c.judge(ctx, inMemory, templates, result)
	return append(findings, unknownOf(found, findings)...)
}

// objects gives what the templates ask for on a cluster as it is.
func (c *chain) objects(templates []evaluate.Template, on *cluster.Cluster) (objects []evaluate.Object, findings diag.Findings) {
	for i := range templates {
		templates[i].Memo = &evaluate.Memo{}
	}
	for _, template := range templates {
		rendered, found := evaluate.Render(template, on)
		objects = append(objects, rendered...)
		findings = append(findings, found...)
		if !c.allowNoValue {
			findings = append(findings, noValues(rendered, func(object evaluate.Object, field string) diag.Position {
				return evaluate.Printed(template, on, noValue, object.Index, field)
			})...)
		}
	}
	return objects, findings
}
