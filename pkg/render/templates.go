package render

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/propagate"
)

// templates gives the policy templates of a cluster: those of its replicated policies, then those that stand alone.
func (c *chain) templates(policies []propagate.Replicated) []evaluate.Template {
	var list []evaluate.Template
	for _, replicated := range policies {
		root := c.roots[replicated.Root]
		for i, policyTemplate := range replicated.Policy.Spec.PolicyTemplates {
			object := &unstructured.Unstructured{}
			if err := json.Unmarshal(policyTemplate.ObjectDefinition.Raw, &object.Object); err != nil {
				continue
			}
			if object.GetNamespace() == "" {
				object.SetNamespace(replicated.Cluster)
			}
			definition := []any{"spec", "policy-templates", i, "objectDefinition"}
			list = append(list, evaluate.Template{
				Policy:            replicated.Root.String(),
				RemediationAction: string(replicated.Policy.Spec.RemediationAction),
				Object:            manifest.Object{Unstructured: object, Position: positionOf(root, definition...)},
				RawPosition:       rawPosition(root, object, definition),
				EncryptionKey:     replicated.EncryptionKey,
			})
		}
	}
	for _, object := range c.alone {
		if c.wanted(object.GetNamespace(), object.GetName()) {
			list = append(list, evaluate.Template{Object: object, RawPosition: rawPosition(object, object.Unstructured, nil)})
		}
	}
	return list
}

func positionOf(root manifest.Object, path ...any) diag.Position {
	if root.Unstructured == nil || root.Line == 0 {
		return root.Position
	}
	return root.FieldPosition(path...)
}

// rawPosition gives the place of the first line of object-templates-raw in the user's file. It is unknown if the hub's
// templates changed the number of lines.
func rawPosition(source manifest.Object, resolved *unstructured.Unstructured, path []any) diag.Position {
	if source.Unstructured == nil || source.Line == 0 {
		return diag.Position{}
	}
	fields := append(append([]any{}, path...), "spec", "object-templates-raw")
	at, ok := source.BlockPosition(fields...)
	if !ok {
		return diag.Position{}
	}
	before, _ := lookUp(source.Object, fields).(string)
	after, _, _ := unstructured.NestedString(resolved.Object, "spec", "object-templates-raw")
	if strings.Count(before, "\n") != strings.Count(after, "\n") {
		return diag.Position{}
	}
	return at
}

// lookUp follows a path of keys and indexes.
func lookUp(value any, path []any) any {
	for _, step := range path {
		switch container := value.(type) {
		case map[string]any:
			key, _ := step.(string)
			value = container[key]
		case []any:
			index, isIndex := step.(int)
			if !isIndex || index < 0 || index >= len(container) {
				return nil
			}
			value = container[index]
		default:
			return nil
		}
	}
	return value
}
