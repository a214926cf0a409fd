package propagate

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/policyloom/policyloom/pkg/placement"
)

// Roots gives the root policies, ordered by namespace and name.
func (p *Propagator) Roots() []types.NamespacedName {
	roots := make([]types.NamespacedName, 0, len(p.hub.policies))
	for _, policy := range p.hub.policies {
		roots = append(roots, types.NamespacedName{Namespace: policy.typed.Namespace, Name: policy.typed.Name})
	}
	return roots
}

// Placements gives the decisions of the placements that could place a root policy: those of its bindings, without restricted
// ones.
func (p *Propagator) Placements(root types.NamespacedName) []placement.Result {
	var results []placement.Result
	for _, policy := range p.hub.policies {
		if policy.typed.Namespace != root.Namespace || policy.typed.Name != root.Name {
			continue
		}
		for _, b := range p.plan[policy.typed] {
			if !b.restricted && b.result != nil {
				results = append(results, *b.result)
			}
		}
	}
	return results
}
