package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Meant says which kind was probably meant by one that the cluster does not serve, or "": the same kind in another version or in a
// group that is spelt nearly so, or a kind of the group that is.
func (c *Cluster) Meant(gvk schema.GroupVersionKind) string {
	var apiVersions, kinds []string
	for kind, r := range c.discovery.kinds {
		for _, version := range r.versions {
			groupVersion := schema.GroupVersion{Group: kind.Group, Version: version}
			if kind.Kind == gvk.Kind && mayBeGroup(gvk.Group, kind.Group) {
				apiVersions = append(apiVersions, groupVersion.String())
			}
			if groupVersion == gvk.GroupVersion() {
				kinds = append(kinds, kind.Kind)
			}
		}
	}
	slices.Sort(apiVersions)
	slices.Sort(kinds)
	if meant := diag.Suggest(gvk.GroupVersion().String(), apiVersions); meant != "" {
		return fmt.Sprintf("did you mean apiVersion %q?", meant)
	}
	if len(apiVersions) > 0 {
		return fmt.Sprintf("did you mean apiVersion %q?", apiVersions[0])
	}
	if meant := diag.Suggest(gvk.Kind, kinds); isNear(gvk.Kind, meant) {
		return fmt.Sprintf("did you mean kind %q?", meant)
	}
	return ""
}

// mayBeGroup tells whether one group was written for another. The core group has no name that could be misspelt: who names it, or
// names a group for a kind of it, has mistaken the group.
func mayBeGroup(written, group string) bool {
	return written == "" || group == "" || diag.Suggest(written, []string{group}) != ""
}

// isNear tells whether two kinds differ by a slip: they are long, and many end alike.
func isNear(word, candidate string) bool {
	return candidate != "" && levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(candidate)) <= 1+len(word)/8
}
