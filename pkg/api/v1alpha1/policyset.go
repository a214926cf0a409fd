package v1alpha1

import "slices"

// PolicySet describes a PolicySet, under PolicyGenerator's names.
type PolicySet struct {
	// Name of the set.
	Name string `json:"name"`
	// Description of the set.
	Description string `json:"description,omitempty"`
	// Policies are those in the set that are generated elsewhere, beside the Policies that name it.
	Policies []string `json:"policies,omitempty"`
	// Placement says which managed clusters get the set, with the fields of spec.placement. Default: all.
	Placement Placement `json:"placement,omitzero"`
	// GeneratePolicySetPlacement generates a Placement and a PlacementBinding for the set. Default: true.
	GeneratePolicySetPlacement *bool `json:"generatePolicySetPlacement,omitempty"`
}

// IsPlaced tells whether the Policy has a Placement or a PlacementBinding of its own.
func (d *VirtualMachineDNS) IsPlaced() bool {
	policy := &d.Spec.Policy
	inSet := len(policy.PolicySets) > 0
	return isTrue(policy.GeneratePlacementWhenInSet) || !inSet && !isFalse(policy.GeneratePolicyPlacement)
}

// Sets gives the PolicySets of a resource that has its defaults: those that it describes, and those that the Policy only names.
func (d *VirtualMachineDNS) Sets() []PolicySet {
	sets := slices.Clone(d.Spec.PolicySets)
	for _, name := range d.Spec.Policy.PolicySets {
		if !d.describes(name) {
			set := PolicySet{Name: name}
			set.setDefaults()
			sets = append(sets, set)
		}
	}
	return sets
}

func (d *VirtualMachineDNS) describes(set string) bool {
	return slices.ContainsFunc(d.Spec.PolicySets, func(s PolicySet) bool { return s.Name == set })
}

func (s *PolicySet) setDefaults() {
	setDefaultPointer(&s.GeneratePolicySetPlacement, true)
	s.Placement.setDefaults(s.Name)
}

func isFalse(value *bool) bool { return value != nil && !*value }
