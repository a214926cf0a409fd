package evaluate

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
)

// round evaluates all templates once, in their order.
type round struct {
	session *Session
	entries []*entryResult
}

// entryResult is what is known of one policy template.
type entryResult struct {
	template Template
	name     types.NamespacedName
	// policy is nil for a template that is not evaluated; result then says why.
	policy   *configpolicyv1.ConfigurationPolicy
	result   TemplateResult
	findings diag.Findings
	// latest is what the last round changed, happened what all of them did.
	latest, happened changes
}

// evaluate tells whether anything changed that a template may look at.
func (r *round) evaluate(ctx context.Context) (moved bool) {
	for _, e := range r.entries {
		if ctx.Err() != nil {
			return false
		}
		e.latest = changes{}
		published := r.session.evaluate(ctx, e)
		moved = moved || len(e.latest.order) > 0 || published && r.someoneLooksAtPolicies()
	}
	published := r.publishRoots()
	return moved || published && r.someoneLooksAtPolicies()
}

// someoneLooksAtPolicies tells whether the compliance of a policy may change the result of another.
func (r *round) someoneLooksAtPolicies() bool {
	return slices.ContainsFunc(r.entries, func(e *entryResult) bool {
		return len(e.template.Dependencies) > 0 || e.policy != nil && looksAtPolicies(e.policy)
	})
}

func looksAtPolicies(policy *configpolicyv1.ConfigurationPolicy) bool {
	isAbout := func(text string) bool { return strings.Contains(text, "policy.open-cluster-management.io/v1") }
	return isAbout(policy.Spec.ObjectTemplatesRaw) || slices.ContainsFunc(policy.Spec.ObjectTemplates, func(t *configpolicyv1.ObjectTemplate) bool {
		return isAbout(string(t.ObjectDefinition.Raw))
	})
}

// publishRoots lets dependencies see the compliance of the root policies.
func (r *round) publishRoots() (changed bool) {
	byRoot := map[string][]TemplateResult{}
	namespaces := map[string]string{}
	for _, e := range r.entries {
		if e.template.Policy != "" {
			byRoot[e.template.Policy] = append(byRoot[e.template.Policy], e.result)
			namespaces[e.template.Policy] = e.template.Object.GetNamespace()
		}
	}
	for _, root := range slices.Sorted(maps.Keys(byRoot)) {
		policy := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "policy.open-cluster-management.io/v1",
			"kind":       "Policy",
			"metadata":   map[string]any{"name": strings.Replace(root, "/", ".", 1), "namespace": namespaces[root]},
		}}
		changed = r.session.publish(policy, worst(byRoot[root])) || changed
	}
	return changed
}

// entryOf prepares a template: it reads the policy, and keeps what the cluster knows of it.
func (s *Session) entryOf(t Template, taken map[types.NamespacedName]Template) *entryResult {
	e := &entryResult{template: t, name: nameOf(t), result: TemplateResult{
		Template: t.Object.GetKind() + " " + t.Object.GetName(), Source: t.Object.Position,
	}}
	if other, found := taken[e.name]; found {
		e.refuse("template-error; Template name must be unique. Policy template with kind: " + t.Object.GetKind() + " name: " +
			t.Object.GetName() + " already exists in policy " + strings.Replace(other.Policy, "/", ".", 1))
		return e
	}
	taken[e.name] = t
	r := renderer{template: t, cluster: s.state.Cluster()}
	if kind := t.Object.GroupVersionKind(); kind.Group != configpolicyv1.GroupVersion.Group || kind.Kind != "ConfigurationPolicy" {
		e.result.Compliance = Unknown
		e.result.Message = "what its own controller does is not simulated"
		return e
	}
	if failure, failed := t.Object.GetAnnotations()[hubErrorAnnotation]; failed {
		e.refuse("template-error; " + failure)
		return e
	}
	typed, ok := r.decode()
	e.findings = r.findings
	if !ok || r.refused {
		e.refuse("template-error; the policy template is refused: " + firstError(r.findings))
		return e
	}
	e.policy = s.adopt(e, typed, configpolicyv1.RemediationAction(r.action))
	e.result.RemediationAction = r.action
	return e
}

func (e *entryResult) refuse(message string) {
	e.result.Compliance, e.result.Message = NonCompliant, message
}

func firstError(findings diag.Findings) string {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return strings.TrimSpace(f.Field + " " + f.Message)
		}
	}
	return "it cannot be read"
}

// evaluate lets the controller evaluate a template once, and tells whether the policy as others see it changed.
func (s *Session) evaluate(ctx context.Context, e *entryResult) (published bool) {
	if e.policy == nil {
		return s.createOther(e)
	}
	if unmet := s.unmet(e.template); unmet != "" {
		return s.pend(ctx, e, unmet)
	}
	stop := s.state.Watch(e.notice)
	done := s.run(ctx, e.policy, e.template)
	stop()
	e.policy = done.policy
	e.take(done)
	s.policies[e.name] = &known{policy: e.policy, owner: e.template.Policy, template: e.template}
	return s.publish(e.template.Object.DeepCopy(), e.result.Compliance)
}

// notice takes what happens while the template is evaluated.
func (e *entryResult) notice(change cluster.Change) {
	e.latest.add(change)
	e.happened.add(change)
}

// run evaluates a policy in the way of the session.
func (s *Session) run(ctx context.Context, policy *configpolicyv1.ConfigurationPolicy, t Template) evaluation {
	c := s.controller(t)
	if !evaluatedAgain(policy) {
		return evaluation{policy: policy}
	}
	policy = policy.DeepCopy()
	policy.Status.LastEvaluated = ""
	if s.mode.whole {
		return c.reconcile(ctx, policy)
	}
	resolved, ok := withResolvedTemplates(policy, t, s.state.Cluster())
	if !ok {
		resolved = policy.DeepCopy()
	}
	var done evaluation
	if len(resolved.Spec.ObjectTemplates) > s.mode.limit {
		done = c.inSlices(ctx, resolved, s.mode.size)
		done.policy.Status.LastEvaluatedGeneration = policy.Generation
	} else {
		done = c.reconcile(ctx, resolved)
	}
	status := done.policy.Status
	policy.Finalizers = done.policy.Finalizers
	policy.Status = status
	done.policy = policy
	return done
}

// evaluatedAgain tells whether the controller looks at a policy again at all.
func evaluatedAgain(policy *configpolicyv1.ConfigurationPolicy) bool {
	if policy.Status.LastEvaluatedGeneration != policy.Generation {
		return true
	}
	switch policy.Status.ComplianceState {
	case configpolicyv1.Compliant:
		return policy.Spec.EvaluationInterval.Compliant != "never"
	case configpolicyv1.NonCompliant:
		return policy.Spec.EvaluationInterval.NonCompliant != "never"
	}
	return true
}

// take notes what an evaluation came to.
func (e *entryResult) take(done evaluation) {
	status := done.policy.Status
	e.result.Compliance = Compliance(status.ComplianceState)
	if e.result.Compliance == "" {
		e.result.Compliance = Unknown
	}
	if len(status.History) > 0 {
		e.result.Message = status.History[0].Message
	}
	for _, message := range done.messages {
		if n := len(e.result.Messages); n == 0 || e.result.Messages[n-1] != message {
			e.result.Messages = append(e.result.Messages, message)
		}
	}
	if done.err != nil && e.result.Message == "" {
		e.result.Compliance, e.result.Message = NonCompliant, done.err.Error()
	}
}

// createOther creates a policy that another controller evaluates.
func (s *Session) createOther(e *entryResult) (created bool) {
	object := e.template.Object
	if e.result.Compliance != Unknown {
		return false
	}
	if _, found, err := s.state.Get(object.GroupVersionKind(), object.GetNamespace(), object.GetName()); err != nil || found {
		return false
	}
	s.state.Put(object.DeepCopy())
	return true
}

// publish lets templates and dependencies on the cluster see a policy and its compliance, and tells whether that changed.
func (s *Session) publish(policy *unstructured.Unstructured, compliance Compliance) (changed bool) {
	delete(policy.Object, "status")
	if compliance == Compliant || compliance == NonCompliant || compliance == Pending {
		policy.Object["status"] = map[string]any{"compliant": string(compliance)}
	}
	existing, found, err := s.state.Get(policy.GroupVersionKind(), policy.GetNamespace(), policy.GetName())
	if err != nil || found && sameSpecAndStatus(existing.Object, policy.Object) {
		return false
	}
	s.state.Put(policy)
	return true
}

func sameSpecAndStatus(a, b map[string]any) bool {
	one, err := json.Marshal([]any{a["spec"], a["status"]})
	other, otherErr := json.Marshal([]any{b["spec"], b["status"]})
	return err == nil && otherErr == nil && string(one) == string(other)
}

// withdraw takes the policy away from where templates see it.
func (s *Session) withdraw(k *known) {
	gvk := k.template.Object.GroupVersionKind()
	s.state.Remove(gvk, k.template.Object.GetNamespace(), k.template.Object.GetName())
}
