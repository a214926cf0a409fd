package fleet

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// inMustGather tells whether a file lies in a tree that oc adm must-gather or oc adm inspect made: below a directory
// with the name that these commands choose, or one that they always make. Directories above the root do not count.
func inMustGather(file string, roots []string) bool {
	for _, root := range roots {
		below, ok := strings.CutPrefix(file, root+"/")
		if root == "." {
			below, ok = file, true
		}
		if !ok {
			continue
		}
		directories := strings.Split(path.Join(path.Base(root), path.Dir(below)), "/")
		if slices.ContainsFunc(directories, isMustGatherDir) {
			return true
		}
	}
	return false
}

func isMustGatherDir(name string) bool {
	return strings.HasPrefix(name, "must-gather") || strings.HasPrefix(name, "inspect.local") ||
		name == "cluster-scoped-resources" || name == "namespaces"
}

// identity is what makes an object the same one, whatever version of its API it is written in.
type identity struct{ group, kind, namespace, name string }

// unique drops objects that are there twice. Outside of a must-gather that is an error. A must-gather holds many objects
// twice, in a file of their own and in a list; where the two differ, the object changed meanwhile, and the newer one counts.
func unique(objects []manifest.Object, gathered func(file string) bool) ([]manifest.Object, diag.Findings) {
	var findings diag.Findings
	first := make(map[identity]int, len(objects))
	kept := objects[:0]
	for _, object := range objects {
		kind := object.GroupVersionKind()
		id := identity{kind.Group, kind.Kind, object.GetNamespace(), object.GetName()}
		at, twice := first[id]
		if !twice {
			first[id] = len(kept)
			kept = append(kept, object)
			continue
		}
		earlier := kept[at]
		f := diag.Finding{Severity: diag.Error, Position: object.Position, Object: manifest.Reference(object.Unstructured)}
		if gathered(object.File) && gathered(earlier.File) {
			if reflect.DeepEqual(object.Object, earlier.Object) {
				continue
			}
			if isNewer(object, earlier) {
				kept[at] = object
			}
			f.Severity = diag.Info
			f.Message = fmt.Sprintf("differs from the same object in %s: the one with the higher resourceVersion is taken", earlier.Position)
		} else {
			f.Message = fmt.Sprintf("is defined twice, first in %s", earlier.Position)
			f.Hint = "remove one of the two"
		}
		findings = append(findings, f)
	}
	clear(objects[len(kept):])
	return kept, findings
}

// isNewer compares resource versions, which grow with each change of an object.
func isNewer(a, b manifest.Object) bool {
	order, err := resourceversion.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	return err == nil && order > 0
}
