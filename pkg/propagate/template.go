package propagate

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
)

// parseTemplate gives the object of a policy template, or an empty object if it is none.
func parseTemplate(template *policiesv1.PolicyTemplate) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal(template.ObjectDefinition.Raw, &object.Object); err != nil || object.Object == nil {
		object.Object = map[string]any{}
	}
	return object
}

// templateName names a template of a policy for messages, such as "policy-templates[0] ConfigurationPolicy/zones".
func templateName(index int, object *unstructured.Unstructured) string {
	return fmt.Sprintf("policy-templates[%d] %s/%s", index, object.GetKind(), object.GetName())
}
