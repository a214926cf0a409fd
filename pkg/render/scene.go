package render

import (
	"context"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
)

// Scene is what several worlds start from: a fleet, and what the hub makes of the policies at first. It is safe for concurrent use.
type Scene struct {
	in      Input
	general diag.Findings
	// found are the findings of the fleet that belong to a cluster, by its name.
	found map[string]diag.Findings
	// start is nil if nothing can be rendered, which findings of general say.
	start *chain
	bases map[string]*base
}

// base is a cluster with its fixtures, loaded once.
type base struct {
	load func() (*cluster.Cluster, diag.Findings)
}

// NewScene prepares the start of worlds. All of the input counts but Clusters, PolicyNames, Progress and Evaluate.
func NewScene(ctx context.Context, in Input) (*Scene, error) {
	s := &Scene{in: in, bases: map[string]*base{}}
	s.in.Clusters, s.in.PolicyNames, s.in.Evaluate = nil, nil, true
	s.general, s.found = split(s.in)
	for _, fixtures := range in.Fleet.Clusters {
		s.bases[fixtures.Name] = &base{sync.OnceValues(func() (*cluster.Cluster, diag.Findings) {
			objects, findings := fixtures.Load(ctx)
			if len(fixtures.MissingAPIs) > 0 {
				_, found := cluster.New(objects, cluster.MissingAPIs(fixtures.MissingAPIs...))
				findings = append(findings, found...)
			}
			loaded, found := cluster.New(objects)
			return loaded, append(findings, unknownOf(found, findings)...)
		})}
	}
	if s.general.HasErrors() {
		return s, ctx.Err()
	}
	start, findings, err := prepare(ctx, s.in)
	if err != nil {
		return nil, err
	}
	s.start, s.general = start, append(s.general, findings...)
	if start != nil {
		start.found = s.found
	}
	return s, ctx.Err()
}

// Clusters are the names of the managed clusters.
func (s *Scene) Clusters() []string { return slices.Sorted(maps.Keys(s.bases)) }

// Policies are the root policies, as namespace/name, and the policy templates that stand alone, by name.
func (s *Scene) Policies() []string {
	if s.start == nil {
		return nil
	}
	var names []string
	for name := range s.start.roots {
		names = append(names, name.String())
	}
	for _, object := range s.start.alone {
		names = append(names, object.GetName())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// World starts a life of the fleet, at the time of the input.
func (s *Scene) World() *World {
	return &World{
		scene: s, now: s.in.Now, policies: s.in.Policies, hub: s.in.Fleet.Hub, lives: map[string]*life{}, chain: s.start, general: s.general,
	}
}

// Templates are the policy templates, as "Policy namespace/name: Kind name".
func (s *Scene) Templates() []string {
	if s.start == nil {
		return nil
	}
	var names []string
	for name, root := range s.start.roots {
		list, _ := lookUp(root.Object, []any{"spec", "policy-templates"}).([]any)
		for i := range list {
			definition, _ := lookUp(root.Object, templatePath(i)).(map[string]any)
			template := unstructured.Unstructured{Object: definition}
			names = append(names, "Policy "+name.String()+": "+template.GetKind()+" "+template.GetName())
		}
	}
	for _, object := range s.start.alone {
		names = append(names, "Policy "+object.GetName()+": "+object.GetKind()+" "+object.GetName())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
