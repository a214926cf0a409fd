package cluster

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// checkObject finds what keeps an object from being in a cluster at all.
func checkObject(object manifest.Object) diag.Findings {
	if object.Unstructured == nil || object.Object == nil {
		return diag.Findings{{Severity: diag.Error, Position: object.Position, Message: "the object is empty"}}
	}
	var findings diag.Findings
	fail := func(field, message, hint string) {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: object.Position, Object: manifest.Reference(object.Unstructured),
			Field: field, Message: message, Hint: hint,
		})
	}
	if version := object.GetAPIVersion(); version == "" {
		fail("apiVersion", "the object has no apiVersion", "")
	} else if _, err := schema.ParseGroupVersion(version); err != nil {
		fail("apiVersion", err.Error(), "")
	}
	if object.GetKind() == "" {
		fail("kind", "the object has no kind", "")
	}
	metadata, isMap := object.Object["metadata"].(map[string]any)
	if !isMap {
		fail("metadata", "the object has no metadata", "")
		return findings
	}
	if name, isString := metadata["name"].(string); !isString || name == "" {
		fail("metadata.name", "the object has no name", "")
	} else if problems := path.IsValidPathSegmentName(name); len(problems) > 0 {
		fail("metadata.name", fmt.Sprintf("the name %q %s", name, problems[0]), "")
	}
	if namespace, isString := metadata["namespace"].(string); !isString && metadata["namespace"] != nil {
		fail("metadata.namespace", "the namespace is not a string", "quote it")
	} else if problems := path.IsValidPathSegmentName(namespace); len(problems) > 0 {
		fail("metadata.namespace", fmt.Sprintf("the namespace %q %s", namespace, problems[0]), "")
	}
	checkStrings(metadata, "labels", fail)
	checkStrings(metadata, "annotations", fail)
	return findings
}

// checkStrings wants a map of strings: an unquoted true or 1 is the usual mistake, and an API server rejects it.
func checkStrings(metadata map[string]any, field string, fail func(field, message, hint string)) {
	if metadata[field] == nil {
		return
	}
	values, isMap := metadata[field].(map[string]any)
	if !isMap {
		fail("metadata."+field, "this is not a map of strings", "")
		return
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if _, isString := values[key].(string); !isString {
			fail(fmt.Sprintf("metadata.%s[%s]", field, key), fmt.Sprintf("the value %v is not a string", values[key]), "quote it")
		}
	}
}
