// Package render runs the whole chain over a fleet: placement, propagation and evaluation give the objects that each managed
// cluster would get.
package render

import (
	"context"
	"runtime"
	"time"

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
	// Policies are the manifests of the policy source. They join the objects of the hub and take the place of those that
	// have the same kind, namespace and name.
	Policies []manifest.Object
	// Direct puts every policy on every cluster of the fleet, whatever placements say.
	Direct bool
	// Clusters and PolicyNames limit the result to these managed clusters and root policies (as name or namespace/name).
	Clusters    []string
	PolicyNames []string
	// Now is the time for tolerations that end.
	Now time.Time
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
// cluster. Clusters are worked on in parallel; no more of them are in memory than there are processors, and as many finished
// results wait. It ends early with the error of emit or of the context.
func Run(ctx context.Context, in Input, emit func(Cluster) error) (diag.Findings, error) {
	chain, findings := prepare(ctx, in)
	if findings.HasErrors() {
		return findings, nil
	}
	names, unknown := chain.clusters(in.Clusters)
	if unknown.HasErrors() {
		return append(findings, unknown...), nil
	}
	return findings, inOrder(ctx, runtime.GOMAXPROCS(0), names, func(name string) Cluster { return chain.run(ctx, name) }, emit)
}

// run works on one cluster.
func (c *chain) run(ctx context.Context, name string) Cluster {
	result := Cluster{Name: name, MissingAPIs: c.fixtures[name].MissingAPIs, Objects: []evaluate.Object{}}
	replicated, findings := c.propagator.Cluster(name)
	result.Findings = append(result.Findings, findings...)
	for _, r := range replicated {
		if c.wanted(r.Root.Namespace, r.Root.Name) {
			result.Policies = append(result.Policies, r)
		}
	}
	result.NotPlaced = c.notPlaced(name, replicated)
	templates := c.templates(result.Policies)
	if len(templates) > 0 {
		objects, findings := c.fixtures[name].Load(ctx)
		result.Findings = append(result.Findings, findings...)
		inMemory, findings := cluster.New(objects, cluster.MissingAPIs(result.MissingAPIs...))
		result.Findings = append(result.Findings, findings...)
		for _, template := range templates {
			rendered, findings := evaluate.Render(template, inMemory)
			result.Objects = append(result.Objects, rendered...)
			result.Findings = append(result.Findings, findings...)
		}
	}
	for i := range result.Findings {
		result.Findings[i].Cluster = name
	}
	result.Findings.Sort()
	return result
}
