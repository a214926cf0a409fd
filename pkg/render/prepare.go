package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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

	names                      []string
	policiesOnly, allowNoValue bool
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
	}
	for _, f := range in.Fleet.Clusters {
		c.fixtures[f.Name] = f
	}
	hubObjects := c.sort(in)
	findings, err := c.checkPolicies()
	if err != nil || findings.HasErrors() {
		return nil, findings, err
	}
	if len(c.fixtures) == 0 {
		return nil, append(findings, diag.Finding{
			Severity: diag.Error, Message: "the fleet has no managed cluster", Hint: "each directory below clusters/ is one",
		}), nil
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
	c.propagator, found = propagate.New(hubObjects, c.decisions, inMemory.Watcher(cluster.SharedObjects()))
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
	return slices.DeleteFunc(findings, func(f diag.Finding) bool {
		return slices.ContainsFunc(known, func(k diag.Finding) bool {
			return k.Severity == diag.Error && k.Object == f.Object && k.Position == f.Position
		})
	})
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

// ofWanted leaves the findings out that are about root policies which the filter does not let through.
func (c *chain) ofWanted(findings diag.Findings) diag.Findings {
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return c.unwanted[f.Object] })
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
			c.addRoot(object)
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
			c.addRoot(object)
		}
		hub = append(hub, object)
	}
	return hub
}

// addRoot keeps the first definition in the order of files, as the propagator's part does.
func (c *chain) addRoot(object manifest.Object) {
	if earlier, twice := c.roots[nameOf(object)]; twice &&
		cmp.Or(cmp.Compare(earlier.File, object.File), cmp.Compare(earlier.Line, object.Line)) <= 0 {
		return
	}
	c.roots[nameOf(object)] = object
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
func (c *chain) checkPolicies() (diag.Findings, error) {
	var known []string
	for name, object := range c.roots {
		known = append(known, name.Name, name.String())
		if !c.wanted(name.Namespace, name.Name) {
			c.unwanted[manifest.Reference(object.Unstructured)] = true
		}
	}
	var findings diag.Findings
	for _, object := range c.alone {
		known = append(known, object.GetName())
		if c.policiesOnly && c.wanted(object.GetNamespace(), object.GetName()) {
			findings = append(findings, diag.Finding{
				Severity: diag.Warning, Position: object.Position, Object: manifest.Reference(object.Unstructured),
				Message: "is in no Policy, so the hub does not replicate it",
			})
		}
	}
	if len(known) == 0 {
		return diag.Findings{{
			Severity: diag.Error, Message: "there is no Policy and no ConfigurationPolicy to render",
			Hint: "name files with --filename or a kustomization with --kustomize",
		}}, nil
	}
	slices.Sort(known)
	return findings, unknownNames("policy", c.names, slices.Compact(known))
}

// clusters gives the names of the clusters to work on. The error says that one is asked for that does not exist.
func (c *chain) clusters(filter []string) ([]string, error) {
	all := slices.Sorted(maps.Keys(c.fixtures))
	if len(filter) == 0 {
		return all, nil
	}
	err := unknownNames("managed cluster", filter, all)
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(filter, name) }), err
}

// unknownNames gives an error for each name that is not known.
func unknownNames(what string, names, known []string) error {
	var errs []error
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		message := fmt.Sprintf("there is no %s %q", what, name)
		if hint := diag.DidYouMean(name, known); hint != "" {
			message += " (" + hint + ")"
		}
		errs = append(errs, errors.New(message))
	}
	return errors.Join(errs...)
}

// wanted tells whether the filter lets a policy through.
func (c *chain) wanted(namespace, name string) bool {
	return len(c.names) == 0 || slices.Contains(c.names, name) || slices.Contains(c.names, namespace+"/"+name)
}
