package evaluate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
)

// maxRounds is how often all policies are evaluated before they count as policies that never come to an end.
const maxRounds = 10

// PolicyDeleted is the message of a policy that the cluster has no more.
const PolicyDeleted = "the policy is deleted"

// Session is the life of a cluster under its policies. It remembers what each policy made, from one evaluation to the next, as the
// statuses of the policies do on a real cluster.
type Session struct {
	state *cluster.State
	// policies are those that the cluster has, by namespace and name.
	policies map[types.NamespacedName]*known
	mode     mode
	// fullDiffs keeps the controller from cutting long diffs.
	fullDiffs bool
	// would also finds what the policies that only inform would do.
	would bool
}

// mode says how the controller gets a policy.
type mode struct {
	// whole gives it the policy as it is, templates included.
	whole bool
	// limit is how many object templates it gets at once, and size how many in a slice where there are more.
	limit, size int
}

// known is a ConfigurationPolicy on the cluster.
type known struct {
	policy *configpolicyv1.ConfigurationPolicy
	// owner is the root policy.
	owner    string
	template Template
}

// SessionOption changes how a session evaluates.
type SessionOption func(*Session)

// Would makes a session find what policies that only inform would do. It tries that out on a copy of the cluster.
func Would() SessionOption { return func(s *Session) { s.would = true } }

// FullDiffs keeps the controller from cutting diffs of more than 50 lines.
func FullDiffs() SessionOption { return func(s *Session) { s.fullDiffs = true } }

// WholePolicies gives the controller each policy as it is: it resolves all templates itself and takes all object templates at once. The
// result is the same, and the time grows with the square of the number of objects. It is the cross-check of the tests.
func WholePolicies() SessionOption { return func(s *Session) { s.mode.whole = true } }

// SliceSize sets how many object templates of a policy the controller gets at once.
func SliceSize(size int) SessionOption {
	return func(s *Session) { s.mode.limit, s.mode.size = size, size }
}

// NewSession starts the life of a cluster that has no policies yet.
func NewSession(state *cluster.State, options ...SessionOption) *Session {
	s := &Session{state: state, policies: map[types.NamespacedName]*known{}, mode: mode{limit: wholeLimit, size: sliceSize}}
	for _, option := range options {
		option(s)
	}
	return s
}

// State is the cluster as the policies left it.
func (s *Session) State() *cluster.State { return s.state }

// Evaluate gives the cluster these policy templates, and evaluates them again and again until nothing changes. Templates that the
// cluster had and that are not among them are deleted first, with what pruneObjectBehavior says. The error is that of the context.
func (s *Session) Evaluate(ctx context.Context, templates []Template) (Evaluated, error) {
	r := round{session: s, entries: make([]*entryResult, 0, len(templates))}
	removed := s.removeOthers(ctx, templates)
	taken := map[types.NamespacedName]Template{}
	for _, t := range templates {
		r.entries = append(r.entries, s.entryOf(t, taken))
	}
	result := Evaluated{}
	for result.Rounds = 1; r.evaluate(ctx) && ctx.Err() == nil; result.Rounds++ {
		if result.Rounds == maxRounds {
			result.Findings = append(result.Findings, r.unsettled()...)
			break
		}
	}
	for _, e := range r.entries {
		if ctx.Err() != nil {
			return Evaluated{}, ctx.Err()
		}
		result.Findings = append(result.Findings, e.findings...)
		s.finish(ctx, e)
	}
	result.Policies = grouped(r.entries)
	result.Policies = append(result.Policies, removed...)
	for _, k := range s.policies {
		s.controller(k.template).forget(ctx, k.policy)
	}
	return result, ctx.Err()
}

func (s *Session) controller(t Template) controller {
	return controller{state: s.state, key: t.EncryptionKey, fullDiffs: s.fullDiffs}
}

// removeOthers deletes the policies that are not among the templates any more, as a cluster does whose hub took them away.
func (s *Session) removeOthers(ctx context.Context, templates []Template) []PolicyResult {
	left := map[types.NamespacedName]bool{}
	for _, t := range templates {
		left[nameOf(t)] = true
	}
	var removed []PolicyResult
	byName := func(a, b types.NamespacedName) int { return strings.Compare(a.String(), b.String()) }
	for _, name := range slices.SortedFunc(maps.Keys(s.policies), byName) {
		if !left[name] {
			k := s.policies[name]
			var happened changes
			result := s.remove(ctx, name, happened.add)
			result.Changes = happened.list(false)
			removed = append(removed, PolicyResult{Policy: k.owner, Compliance: result.Compliance, Templates: []TemplateResult{result}})
		}
	}
	return removed
}

// remove deletes a policy: the controller prunes what pruneObjectBehavior says.
func (s *Session) remove(ctx context.Context, name types.NamespacedName, notify func(cluster.Change)) TemplateResult {
	k := s.policies[name]
	delete(s.policies, name)
	stop := s.state.Watch(notify)
	deleted := k.policy.DeepCopy()
	now := metav1.Now()
	deleted.DeletionTimestamp = &now
	done := s.controller(k.template).reconcile(ctx, deleted)
	stop()
	s.withdraw(k)
	result := k.result(Compliant, PolicyDeleted)
	if done.err != nil {
		result.Compliance, result.Message = NonCompliant, done.err.Error()
	}
	return result
}

func (k *known) result(compliance Compliance, message string) TemplateResult {
	return TemplateResult{
		Template: k.policy.Kind + " " + k.policy.Name, RemediationAction: strings.ToLower(string(k.policy.Spec.RemediationAction)),
		Compliance: compliance, Message: message, Source: k.template.Object.Position,
	}
}

func nameOf(t Template) types.NamespacedName {
	return types.NamespacedName{Namespace: t.Object.GetNamespace(), Name: t.Object.GetKind() + "/" + t.Object.GetName()}
}

// grouped joins the results of the templates of each root policy, in the order of the first of them.
func grouped(entries []*entryResult) []PolicyResult {
	var results []PolicyResult
	for _, e := range entries {
		if n := len(results); n > 0 && e.template.Policy != "" && results[n-1].Policy == e.template.Policy {
			results[n-1].Templates = append(results[n-1].Templates, e.result)
			continue
		}
		results = append(results, PolicyResult{Policy: e.template.Policy, Templates: []TemplateResult{e.result}})
	}
	for i := range results {
		results[i].Compliance = worst(results[i].Templates)
	}
	return results
}

// unsettled names the objects that the last round still changed.
func (r *round) unsettled() diag.Findings {
	var findings diag.Findings
	for _, e := range r.entries {
		happened := e.latest
		if len(happened.order) == 0 {
			continue
		}
		names := make([]string, 0, len(happened.order))
		for _, at := range happened.order {
			names = append(names, strings.TrimSpace(at.kind.Kind+" "+strings.TrimPrefix(at.namespace+"/"+at.name, "/")))
		}
		slices.Sort(names)
		names = slices.Compact(names)
		if more := len(names) - 5; more > 0 {
			names = append(names[:5], fmt.Sprintf("and %d more", more))
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: e.template.Object.Position,
			Object:  owner(e.template.Policy, e.template.Object.GetKind()+" "+e.template.Object.GetName()),
			Message: fmt.Sprintf("still changes the cluster after %d evaluations: %s", maxRounds, strings.Join(names, ", ")),
			Hint:    "two entries or policies want the same object to be different, or a template gives another result each time",
		})
	}
	return findings
}
