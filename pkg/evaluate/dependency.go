package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// Dependency is a policy whose compliance a template waits for.
type Dependency struct {
	schema.GroupVersionKind
	Namespace, Name string
	Compliance      string
}

// unmet words which dependencies of a template are not as they should be, as the governance-policy-framework does, or gives nothing.
func (s *Session) unmet(t Template) string {
	waits := map[Dependency]bool{}
	for _, d := range t.Dependencies {
		if !s.isMet(t, d) {
			waits[Dependency{GroupVersionKind: d.GroupVersionKind, Namespace: d.Namespace, Name: d.Name}] = true
		}
	}
	if len(waits) == 0 {
		return ""
	}
	names := make([]string, 0, len(waits))
	for d := range waits {
		names = append(names, d.Kind+" "+d.Name)
	}
	slices.Sort(names)
	verb := "are"
	if len(names) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("Dependencies were not satisfied: %d %s still pending (%s)", len(names), verb, strings.Join(names, ", "))
}

// isMet follows the rules of processDependencies of the governance-policy-framework-addon.
func (s *Session) isMet(t Template, d Dependency) bool {
	namespace := d.Namespace
	if d.Group == "policy.open-cluster-management.io" && strings.HasSuffix(d.Kind, "Policy") {
		namespace = t.Object.GetNamespace()
	}
	resource, err := s.state.Cluster().Resource(d.GroupVersionKind)
	if err != nil {
		return false
	}
	if !resource.Namespaced {
		namespace = ""
	}
	object, found, err := s.state.Get(d.GroupVersionKind, namespace, d.Name)
	if err != nil {
		return false
	}
	switch d.Group {
	case "templates.gatekeeper.sh":
		return found == (d.Compliance == string(Compliant))
	case "constraints.gatekeeper.sh":
		violations, counted, err := unstructured.NestedInt64(objectOf(object.Unstructured), "status", "totalViolations")
		return found && err == nil && counted && (violations == 0) == (d.Compliance == string(Compliant))
	default:
		compliance, set, err := unstructured.NestedString(objectOf(object.Unstructured), "status", "compliant")
		return found && err == nil && set && compliance == d.Compliance
	}
}

func objectOf(object *unstructured.Unstructured) map[string]any {
	if object == nil {
		return nil
	}
	return object.Object
}

// pend keeps a template from the cluster until its dependencies are met. One that is there already is deleted, with what
// pruneObjectBehavior says.
func (s *Session) pend(ctx context.Context, e *entryResult, unmet string) (withdrawn bool) {
	e.result.Compliance, e.result.Message = Pending, "Pending; "+unmet
	if e.template.IgnorePending {
		e.result.Compliance, e.result.Message = Compliant, "Compliant; "+unmet+" but ignorePending is true"
	}
	if s.policies[e.name] == nil {
		return false
	}
	s.remove(ctx, e.name, e.notice)
	e.policy.Status = configpolicyv1.ConfigurationPolicyStatus{}
	return true
}
