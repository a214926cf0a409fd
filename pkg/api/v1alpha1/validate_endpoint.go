package v1alpha1

import (
	"slices"
	"strings"
)

// endpoint checks what DNSEndpoints are marked with. Values of annotations are part of the template.
func (v *validator) endpoint(endpoint *Endpoint) {
	const labels, annotations = "spec.endpoint.labels", "spec.endpoint.annotations"
	v.labels(labels, endpoint.Labels)
	for key := range endpoint.Labels {
		if slices.Contains([]string{"app.kubernetes.io/managed-by", Group + "/policy"}, key) {
			v.error(keyField(labels, key), "the label is reserved: it tells which DNSEndpoints this policy may remove", "remove it")
		}
	}
	v.annotations(annotations, endpoint.Annotations)
	for key, value := range endpoint.Annotations {
		if key == Group+"/machines" {
			v.error(keyField(annotations, key), "the annotation is reserved: it tells which names belong to which virtual machine", "remove it")
		}
		if strings.Contains(value, "{{") || strings.Contains(value, "}}") {
			v.error(keyField(annotations, key), "{{ and }} are not allowed: the value is part of a template", "")
		}
	}
}
