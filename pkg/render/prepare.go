package render

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/propagate"
)

// chain is what the work on all clusters shares.
type chain struct {
	propagator *propagate.Propagator
	fixtures   map[string]*fleet.Cluster
	// found are the findings of the fleet that belong to a cluster, by its name.
	found     map[string]diag.Findings
	decisions []placement.Result
	// alone are policy templates that no Policy wraps: each cluster gets them.
	alone []manifest.Object
	// roots are the manifests of the root policies, whose places findings name.
	roots map[types.NamespacedName]manifest.Object
	// places are those of their policy templates.
	places map[types.NamespacedName][]diag.Position
	// unwanted are the references of the root policies that the filter does not let through.
	unwanted map[string]bool

	names                                         []string
	policiesOnly, allowNoValue, evaluates, states bool
	now                                           time.Time
}

// prepare does what is done once for the fleet: it joins the policies with the hub, decides placements and reads bindings. The
// chain is nil if there is nothing to render. The error says that a policy is asked for that does not exist.
func prepare(ctx context.Context, in Input) (*chain, diag.Findings, error) {
	c := &chain{
		fixtures:     map[string]*fleet.Cluster{},
		roots:        map[types.NamespacedName]manifest.Object{},
		places:       map[types.NamespacedName][]diag.Position{},
		unwanted:     map[string]bool{},
		names:        in.PolicyNames,
		policiesOnly: in.PoliciesOnly,
		allowNoValue: in.AllowNoValue,
		evaluates:    in.Evaluate || in.States,
		states:       in.States,
		now:          in.Now,
	}
	for _, f := range in.Fleet.Clusters {
		c.fixtures[f.Name] = f
	}
	hubObjects := c.sort(in)
	mistyped := checkKinds(in.Policies)
	findings, err := c.checkPolicies(in.mayBeEmpty || in.States)
	if mistyped.HasErrors() && len(c.roots) == 0 && len(c.alone) == 0 {
		return nil, mistyped, nil
	}
	findings = append(findings, mistyped...)
	if err != nil || findings.HasErrors() && !mistyped.HasErrors() {
		return nil, findings, err
	}
	if len(c.fixtures) == 0 {
		return nil, append(findings, diag.Finding{
			Severity: diag.Error, Message: "the fleet has no managed cluster", Hint: "each directory below clusters/ is one",
		}), nil
	}
	if in.Release != "" {
		findings = append(findings, c.checkFunctions(in.Release)...)
	}
	c.findPlaces()
	var found diag.Findings
	if in.Direct {
		hubObjects, c.decisions = direct(hubObjects, slices.Sorted(maps.Keys(c.fixtures)))
	} else {
		hub, hubFindings := placement.FromObjects(hubObjects)
		c.decisions, found = placement.Decide(ctx, hub, in.Now)
		findings = append(append(findings, hubFindings...), found...)
	}
	inMemory, ofHub := cluster.New(hubObjects)
	// Hub templates get copies: what one changes, those of the other clusters must not see.
	c.propagator, found = propagate.New(hubObjects, c.decisions, inMemory.Watcher())
	if in.Direct {
		// All bindings are made up.
		found = slices.DeleteFunc(found, func(f diag.Finding) bool { return strings.HasPrefix(f.Object, "PlacementBinding ") })
	}
	findings = append(findings, found...)
	findings = c.ofWanted(append(findings, withoutKnown(ofHub, findings)...))
	findings.Sort()
	return c, findings, nil
}

// withoutKnown leaves the findings out about what is an error elsewhere already, such as an object that is there twice.
func withoutKnown(findings, known diag.Findings) diag.Findings {
	type subject struct {
		position diag.Position
		object   string
	}
	errors := map[subject]bool{}
	for _, k := range known {
		if k.Severity == diag.Error {
			errors[subject{k.Position, k.Object}] = true
		}
	}
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return errors[subject{f.Position, f.Object}] })
}

// findPlaces looks the places of all policy templates up once for all clusters.
func (c *chain) findPlaces() {
	for name, root := range c.roots {
		list, _ := lookUp(root.Object, []any{"spec", "policy-templates"}).([]any)
		for i := range list {
			c.places[name] = append(c.places[name], source{object: root, path: templatePath(i)}.place(""))
		}
	}
}

// placeOf gives the place of a policy template of a root policy.
func (c *chain) placeOf(root types.NamespacedName, index int) diag.Position {
	if places := c.places[root]; index < len(places) {
		return places[index]
	}
	return c.roots[root].Position
}
