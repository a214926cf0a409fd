package render

import (
	"cmp"

	"k8s.io/apimachinery/pkg/types"
	"open-cluster-management.io/governance-policy-propagator/controllers/common"

	"github.com/policyloom/policyloom/pkg/manifest"
)

const policyGroup = "policy.open-cluster-management.io"

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
