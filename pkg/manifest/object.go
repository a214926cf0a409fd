// Package manifest reads Kubernetes manifests from YAML and JSON and keeps the place that each object came from.
//
// Values are those that Kubernetes itself would see: YAML goes by the rules of sigs.k8s.io/yaml (YAML 1.1 booleans, no
// timestamps), whole numbers are int64 and all others float64. Most files are read by a small and fast parser for plain
// block YAML, which gives up on whatever it does not know for certain; go.yaml.in/yaml/v2, the parser below
// sigs.k8s.io/yaml, then reads the document.
package manifest

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Object is a Kubernetes object and the place of its first line in the file that it was read from. It keeps the text
// of its document, so that FieldPosition and BlockPosition can look up places; no syntax tree is kept.
type Object struct {
	*unstructured.Unstructured
	diag.Position

	origin *origin
	// placed says that the origin is that of another object, some fields of which differ: their place is elsewhere.
	placed    bool
	elsewhere diag.Position
}

// Reference names the object as "Kind namespace/name", or "Kind name" where it has no namespace.
func Reference(o *unstructured.Unstructured) string {
	name := o.GetName()
	if namespace := o.GetNamespace(); namespace != "" {
		name = namespace + "/" + name
	}
	return o.GetKind() + " " + name
}
