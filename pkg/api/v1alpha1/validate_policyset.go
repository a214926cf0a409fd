package v1alpha1

import (
	"fmt"
	"slices"
)

// policySets checks the sets that the Policy joins, and what is said about them.
func (v *validator) policySets() {
	const names, sets = "spec.policy.policySets", "spec.policySets"
	policy := &v.resource.Spec.Policy
	duplicates(v, names, policy.PolicySets)
	for i, name := range policy.PolicySets {
		if name == "" {
			v.error(index(names, i), "the name of a PolicySet is empty", "remove it")
		} else {
			v.setName(index(names, i), name)
		}
		if !v.resource.describes(name) {
			v.placementNames("spec.policySets[].placement", &Placement{}, owner{name: name, field: index(names, i), generates: true})
		}
	}
	seen := map[string]bool{}
	for i := range v.resource.Spec.PolicySets {
		set, field := &v.resource.Spec.PolicySets[i], index(sets, i)
		switch {
		case set.Name == "":
			v.error(field+".name", "the name is missing", "")
		case seen[set.Name]:
			v.error(field+".name", fmt.Sprintf("PolicySet %q is described twice", shorten(set.Name)), "make one of the two")
		default:
			if !slices.Contains(policy.PolicySets, set.Name) {
				v.setName(field+".name", set.Name)
				v.warning(field+".name", fmt.Sprintf("the Policy is not in the PolicySet %q", shorten(set.Name)), "name the set under "+names)
			}
		}
		seen[set.Name] = true
		duplicates(v, field+".policies", set.Policies)
		for j, name := range set.Policies {
			v.objectName(index(field+".policies", j), name)
		}
		generates := !isFalse(set.GeneratePolicySetPlacement)
		v.placement(field+".placement", &set.Placement, owner{name: set.Name, field: field + ".name", generates: generates})
		if !generates && v.resource.isGiven(field+".placement") {
			v.warning(field+".placement", "no effect: generatePolicySetPlacement is false", "")
		}
	}
	v.unplaced()
}

// setName checks the name of a PolicySet, whose binding is named after it as that of a Policy is.
func (v *validator) setName(field, name string) {
	v.objectName(field, name)
	if name == v.resource.Metadata.Name && v.resource.IsPlaced() {
		v.error(field, fmt.Sprintf("the Policy and its PolicySet are both called %q, and so would their bindings be", shorten(name)), "rename one of the two")
	}
}

// unplaced warns of a Placement that is described and not generated.
func (v *validator) unplaced() {
	const field = "spec.placement"
	policy := &v.resource.Spec.Policy
	if isTrue(policy.GeneratePlacementWhenInSet) && len(policy.PolicySets) == 0 {
		v.warning("spec.policy.generatePlacementWhenInSet", "no effect: the Policy is in no PolicySet", "")
	}
	if v.resource.IsPlaced() || v.resource.Spec.Output == OutputTemplate {
		return
	}
	given := v.resource.isGiven(field)
	switch {
	case len(policy.PolicySets) > 0 && given:
		v.warning(field, "no effect: the Policy is placed by its PolicySet",
			"describe the placement under spec.policySets, or set spec.policy.generatePlacementWhenInSet")
	case len(policy.PolicySets) == 0 && given:
		v.warning(field, "no effect: spec.policy.generatePolicyPlacement is false", "")
	}
}
