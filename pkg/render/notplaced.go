package render

import (
	"github.com/policyloom/policyloom/pkg/propagate"
)

// notPlaced gives the root policies that a cluster does not get, with the reasons of the placements that they are bound to.
func (c *chain) notPlaced(name string, replicated []propagate.Replicated) []NotPlaced {
	got := map[string]bool{}
	for _, r := range replicated {
		got[r.Root.String()] = true
	}
	var list []NotPlaced
	for _, root := range c.propagator.Roots() {
		if got[root.String()] || !c.wanted(root.Namespace, root.Name) {
			continue
		}
		for _, result := range c.propagator.Placements(root) {
			list = append(list, NotPlaced{
				Policy: root.String(), Placement: result.Namespace + "/" + result.Name, Reasons: result.Why(name),
			})
		}
	}
	return list
}
