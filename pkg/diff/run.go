package diff

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// Input is what Run compares.
type Input struct {
	// Render says for which fleet, and which policies it has before.
	Render render.Input
	// After are the policies that take their place.
	After []manifest.Object
	// DNS says how external-dns runs, and what the zones hold before; its clusters are filled in.
	DNS dnsplan.Input
}

// What of n objects or more may go before that is worth a warning.
const (
	manyPercent = 30
	fewObjects  = 10
)

// Run compares. Errors of either side are findings of the Diff. The error is that of the context, or names a cluster that does not
// exist.
func Run(ctx context.Context, in Input) (Diff, error) {
	c := comparison{in: in, written: map[string][]fleet.ExternalDNS{}}
	for _, fixtures := range in.Render.Fleet.Clusters {
		c.written[fixtures.Name] = fixtures.ExternalDNS
	}
	in.Render.States = true
	before, after, err := render.Compare(ctx, in.Render, in.After, c.add)
	if err != nil {
		return Diff{}, err
	}
	c.before, c.after = append(c.before, before...), append(c.after, after...)
	if err := c.records(ctx); err != nil {
		return Diff{}, err
	}
	c.diff.New, c.diff.Solved = without(c.after, c.before), without(c.before, c.after)
	c.diff.Errors = slices.DeleteFunc(without(c.after, c.diff.New), func(f diag.Finding) bool { return f.Severity != diag.Error })
	c.sum()
	return c.diff, nil
}

type comparison struct {
	in            Input
	written       map[string][]fleet.ExternalDNS
	diff          Diff
	before, after diag.Findings
	// was and is are what the clusters have for external-dns on both sides.
	was, is []dnsplan.Cluster
	// incomplete says that a cluster could not be evaluated, so that nothing is said of records.
	incomplete bool
}

// add takes the transition of a cluster.
func (c *comparison) add(t render.Transition) error {
	c.diff.Summary.All++
	c.before, c.after = append(c.before, t.Before.Findings...), append(c.after, t.After.Findings...)
	changed := Cluster{Name: t.After.Name, Policies: policies(t.Before, t.After), Objects: objects(t.After)}
	for _, o := range changed.Objects {
		if o.Would {
			c.diff.Summary.Would++
			continue
		}
		changed.Counts.count(string(o.Verb))
	}
	if len(changed.Policies) > 0 || len(changed.Objects) > 0 {
		c.diff.Clusters = append(c.diff.Clusters, changed)
	}
	c.dangers(t, changed)
	if t.Before.State == nil || t.After.State == nil {
		c.incomplete = true
		return nil
	}
	was, found := dnsplan.FromState(t.Before.Name, t.Before.State, c.written[t.Before.Name])
	c.was, c.before = append(c.was, was), append(c.before, found...)
	is, found := dnsplan.FromState(t.After.Name, t.After.State, c.written[t.After.Name])
	c.is, c.after = append(c.is, is), append(c.after, found...)
	return nil
}

func (c *Counts) count(verb string) {
	switch evaluate.Verb(verb) {
	case evaluate.Created:
		c.Created++
	case evaluate.Deleted:
		c.Deleted++
	default:
		c.Updated++
	}
}

// objects gives what the policies change on a cluster, each object once.
func objects(c render.Cluster) []evaluate.Change {
	if c.Evaluation == nil {
		return nil
	}
	// Policies that the cluster has no more were deleted before the others were evaluated.
	var deleted, list []evaluate.Change
	for _, policy := range c.Evaluation.Policies {
		for _, template := range policy.Templates {
			if template.Message == evaluate.PolicyDeleted {
				deleted = append(deleted, template.Changes...)
				continue
			}
			list = append(list, template.Changes...)
		}
	}
	list = evaluate.Joined(append(deleted, list...))
	slices.SortStableFunc(list, func(a, b evaluate.Change) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// policies gives those that the cluster gets or loses, and those whose compliance changes.
func policies(before, after render.Cluster) []Policy {
	was, is := compliance(before), compliance(after)
	names := map[string]bool{}
	for name := range was {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	var list []Policy
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was[name] == is[name] {
			continue
		}
		p := Policy{Policy: name, Before: was[name], After: is[name]}
		switch {
		case p.After == "":
			p.Why = whyNot(after, name)
		case p.After != evaluate.Compliant:
			p.Why = messages(after, name)
		}
		list = append(list, p)
	}
	return list
}

// compliance gives that of the policies which a cluster has.
func compliance(c render.Cluster) map[string]evaluate.Compliance {
	placed := map[string]bool{}
	for _, replicated := range c.Policies {
		placed[replicated.Root.String()] = true
	}
	result := map[string]evaluate.Compliance{}
	if c.Evaluation == nil {
		for name := range placed {
			result[name] = evaluate.Unknown
		}
		return result
	}
	for _, p := range c.Evaluation.Policies {
		name := p.Policy
		switch {
		case name == "" && len(p.Templates) > 0 && p.Templates[0].Message != evaluate.PolicyDeleted:
			_, name, _ = strings.Cut(p.Templates[0].Template, " ")
		case !placed[name]:
			continue
		}
		result[name] = p.Compliance
	}
	return result
}

func whyNot(c render.Cluster, policy string) []string {
	var lines []string
	for _, not := range c.NotPlaced {
		if not.Policy != policy {
			continue
		}
		for _, reason := range not.Reasons {
			lines = append(lines, reason.Message)
		}
	}
	return lines
}

func messages(c render.Cluster, policy string) []string {
	var lines []string
	for _, p := range c.Evaluation.Policies {
		for _, t := range p.Templates {
			_, alone, _ := strings.Cut(t.Template, " ")
			if (p.Policy == policy || p.Policy == "" && alone == policy) && t.Compliance != evaluate.Compliant && t.Message != "" {
				lines = append(lines, t.Message)
			}
		}
	}
	return lines
}

// without gives the findings that are not among others. Their places do not count: a change moves lines.
func without(findings, others diag.Findings) diag.Findings {
	type subject struct{ severity, cluster, object, field, message string }
	of := func(f diag.Finding) subject {
		return subject{string(f.Severity), f.Cluster, f.Object, f.Field, f.Message}
	}
	known := map[subject]bool{}
	for _, f := range others {
		known[of(f)] = true
	}
	var left diag.Findings
	for _, f := range findings {
		if f.Severity != diag.Info && !known[of(f)] {
			known[of(f)] = true
			left = append(left, f)
		}
	}
	left.Sort()
	return left
}
