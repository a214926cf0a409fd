package v1alpha1

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
)

// owner is what a Placement is for.
type owner struct {
	// name is what the name of the Placement is derived from, and field where it stands.
	name, field string
	// generates says that a Placement is generated.
	generates bool
}

func (v *validator) placement(field string, placement *Placement, of owner) {
	if placement.Name != "" && placement.PlacementName != "" {
		v.error(field+".placementName", "name and placementName are both given", "remove one of the two")
	}
	v.placementNames(field, placement, of)
	v.existing(field, placement)
	if placement.LabelSelector != nil {
		v.labelSelector(field+".labelSelector", placement.LabelSelector)
	}
	for i, set := range placement.ClusterSets {
		if set == "" {
			v.error(index(field+".clusterSets", i), "the name of a cluster set is empty", "remove it")
		} else {
			v.objectName(index(field+".clusterSets", i), set)
		}
	}
	duplicates(v, field+".clusterSets", placement.ClusterSets)
	isUnbound := len(placement.ClusterSets) == 0 && !v.resource.isFaulty(field+".clusterSets")
	if isTrue(placement.BindClusterSets) && isUnbound && !placement.IsExisting() {
		v.error(field+".bindClusterSets", "there are no clusterSets to bind", "list them under clusterSets")
	}
	for i := range placement.Tolerations {
		v.toleration(index(field+".tolerations", i), &placement.Tolerations[i])
	}
}

// placementNames checks the name of the Placement, which is also the value of a label of its decisions.
func (v *validator) placementNames(field string, placement *Placement, of owner) {
	derived := placementPrefix + of.name
	if placement.PlacementName != "" {
		v.placementName(field+".placementName", placement.PlacementName, "")
	}
	switch {
	case placement.Name != "" && (placement.Name != derived || placement.IsExisting()):
		v.placementName(field+".name", placement.Name, "")
	case of.name != "" && !placement.IsExisting() && of.generates:
		if isSubdomain(of.name) {
			v.placementName(of.field, derived, "shorten it, or set "+field+".name and a labelSelector")
		}
	}
}

func (v *validator) placementName(field, name, hint string) {
	v.objectName(field, name)
	if over := len(name) - validation.LabelValueMaxLength; over > 0 {
		v.error(field, fmt.Sprintf("the Placement %q has a name of %d characters, %d over: its decisions carry the name in a label",
			shorten(name), len(name), over), hint)
	}
}

// existing refuses what cannot be asked of a Placement that others made.
func (v *validator) existing(field string, placement *Placement) {
	if !placement.IsExisting() || v.resource.isFaulty(field+".labelSelector") {
		return
	}
	name, hint := placement.PlacementName, "remove it, or placementName"
	if name == "" {
		name, hint = placement.Name, "to generate a Placement of that name, add labelSelector: {}"
	}
	refuse := func(given bool, option string) {
		if given {
			v.error(field+"."+option, fmt.Sprintf("no effect on the existing Placement %q", shorten(name)), hint)
		}
	}
	refuse(placement.LabelSelector != nil, "labelSelector")
	refuse(len(placement.ClusterSets) > 0, "clusterSets")
	refuse(len(placement.Tolerations) > 0, "tolerations")
	refuse(isTrue(placement.BindClusterSets), "bindClusterSets")
}

func (v *validator) toleration(field string, toleration *Toleration) {
	const longestValue = 1024
	exists := toleration.Operator == "Exists"
	if toleration.Key != "" {
		v.labelKey(field+".key", toleration.Key)
	}
	switch {
	case exists && toleration.Value != "":
		v.error(field+".value", "the operator Exists takes no value", "remove it")
	case toleration.Key == "" && (toleration.Operator == "" || toleration.Operator == "Equal"):
		v.error(field+".key", "the key is missing", "without a key the operator must be Exists")
	case len(toleration.Value) > longestValue:
		v.error(field+".value", fmt.Sprintf("the value has more than %d characters", longestValue), "")
	}
	if toleration.TolerationSeconds != nil && !slices.Contains([]string{"NoSelect", "PreferNoSelect"}, toleration.Effect) {
		v.warning(field+".tolerationSeconds", "a time counts only for the effects NoSelect and PreferNoSelect", "")
	}
}

func isTrue(value *bool) bool { return value != nil && *value }
