package render

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
	"github.com/policyloom/policyloom/pkg/propagate"
)

const policyGroup = "policy.open-cluster-management.io"

// chain is what the work on all clusters shares.
type chain struct {
	propagator *propagate.Propagator
	fixtures   map[string]*fleet.Cluster
	decisions  []placement.Result
	// alone are policy templates that no Policy wraps: each cluster gets them.
	alone []manifest.Object
	// roots are the manifests of the root policies, whose places findings name.
	roots map[types.NamespacedName]manifest.Object
	names []string
}

// prepare does what is done once for the fleet: it joins the policies with the hub, decides placements and reads bindings.
func prepare(ctx context.Context, in Input) (*chain, diag.Findings) {
	c := &chain{
		fixtures: map[string]*fleet.Cluster{},
		roots:    map[types.NamespacedName]manifest.Object{},
		names:    in.PolicyNames,
	}
	for _, f := range in.Fleet.Clusters {
		c.fixtures[f.Name] = f
	}
	hubObjects := c.sort(in)
	findings := c.checkPolicies(in)
	if findings.HasErrors() {
		return nil, findings
	}
	if in.Direct {
		hubObjects, c.decisions = direct(hubObjects, slices.Sorted(maps.Keys(c.fixtures)))
	} else {
		hub, hubFindings := placement.FromObjects(hubObjects)
		decisions, decided := placement.Decide(ctx, hub, in.Now)
		findings = append(append(findings, hubFindings...), decided...)
		c.decisions = decisions
	}
	inMemory, clusterFindings := cluster.New(hubObjects)
	propagator, propagatorFindings := propagate.New(hubObjects, c.decisions, inMemory.Watcher(cluster.SharedObjects()))
	c.propagator = propagator
	findings = append(append(findings, clusterFindings...), propagatorFindings...)
	findings.Sort()
	return c, findings
}

// sort tells policy templates that stand alone from the objects of the hub, and lets those of the policy source take the
// place of those in the fixtures. Root policies in the fixtures are what the hub has now: they count only if the source
// has none.
func (c *chain) sort(in Input) []manifest.Object {
	given := map[string]bool{}
	var hub []manifest.Object
	for _, object := range in.Policies {
		if isPolicyTemplate(object) {
			c.alone = append(c.alone, object)
			continue
		}
		given[identity(object)] = true
		hub = append(hub, object)
		if isRootPolicy(object) {
			c.roots[nameOf(object)] = object
		}
	}
	fromFixtures := len(c.roots) == 0 && len(c.alone) == 0
	for _, object := range in.Fleet.Hub {
		if given[identity(object)] {
			continue
		}
		if isRootPolicy(object) {
			if !fromFixtures {
				continue
			}
			c.roots[nameOf(object)] = object
		}
		hub = append(hub, object)
	}
	return hub
}

func nameOf(object manifest.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}

func identity(object manifest.Object) string {
	return object.GroupVersionKind().Group + " " + manifest.Reference(object.Unstructured)
}

// isRootPolicy tells whether the object is a Policy, other than a replica that the propagator made of one.
func isRootPolicy(object manifest.Object) bool {
	_, replica := object.GetLabels()[common.RootPolicyLabel]
	return object.GroupVersionKind().Group == policyGroup && object.GetKind() == "Policy" && !replica
}

// isPolicyTemplate tells whether the object is a policy that a managed cluster evaluates.
func isPolicyTemplate(object manifest.Object) bool {
	if object.GroupVersionKind().Group != policyGroup {
		return false
	}
	switch object.GetKind() {
	case "ConfigurationPolicy", "OperatorPolicy", "CertificatePolicy":
		return true
	default:
		return false
	}
}

// checkPolicies refuses a source without policies and filters that name none.
func (c *chain) checkPolicies(in Input) diag.Findings {
	var known []string
	for name := range c.roots {
		known = append(known, name.Name, name.String())
	}
	for _, object := range c.alone {
		known = append(known, object.GetName())
	}
	slices.Sort(known)
	var findings diag.Findings
	if len(known) == 0 {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Message: "there is no Policy and no ConfigurationPolicy to render",
			Hint: "name the files with --filename or a kustomization with --kustomize",
		})
	}
	for _, name := range in.PolicyNames {
		if !slices.Contains(known, name) {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Message: fmt.Sprintf("there is no policy %q", name), Hint: diag.DidYouMean(name, known),
			})
		}
	}
	return findings
}

// clusters gives the names of the clusters to work on.
func (c *chain) clusters(filter []string) ([]string, diag.Findings) {
	all := slices.Sorted(maps.Keys(c.fixtures))
	if len(filter) == 0 {
		return all, nil
	}
	var findings diag.Findings
	for _, name := range filter {
		if c.fixtures[name] == nil {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Message: fmt.Sprintf("there is no managed cluster %q", name), Hint: diag.DidYouMean(name, all),
			})
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(filter, name) }), findings
}

// wanted tells whether the filter lets a policy through.
func (c *chain) wanted(namespace, name string) bool {
	return len(c.names) == 0 || slices.Contains(c.names, name) || slices.Contains(c.names, namespace+"/"+name)
}

// direct replaces all PlacementBindings by one for each policy, and all decisions by one that selects every cluster.
func direct(objects []manifest.Object, clusters []string) ([]manifest.Object, []placement.Result) {
	const name = "every-cluster"
	var kept []manifest.Object
	var decisions []placement.Result
	for _, object := range objects {
		if object.GroupVersionKind().Group != policyGroup || object.GetKind() != "PlacementBinding" {
			kept = append(kept, object)
		}
		if !isRootPolicy(object) {
			continue
		}
		kept = append(kept, manifest.Object{Position: object.Position, Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion":   policyGroup + "/v1",
			"kind":         "PlacementBinding",
			"metadata":     map[string]any{"name": object.GetName(), "namespace": object.GetNamespace()},
			"placementRef": map[string]any{"apiGroup": "cluster.open-cluster-management.io", "kind": "Placement", "name": name},
			"subjects":     []any{map[string]any{"apiGroup": policyGroup, "kind": "Policy", "name": object.GetName()}},
		}}})
		if !slices.ContainsFunc(decisions, func(r placement.Result) bool { return r.Namespace == object.GetNamespace() }) {
			decisions = append(decisions, placement.Result{
				Kind: "Placement", Namespace: object.GetNamespace(), Name: name, Groups: []placement.Group{{Clusters: clusters}},
			})
		}
	}
	return kept, decisions
}
