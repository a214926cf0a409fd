package v1alpha1

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxReplicatedName is the longest <namespace>.<name>, the name of a Policy in the namespace of a managed cluster. The
// webhook of the hub counts without the dot.
const maxReplicatedName = 63

// name checks the name of the Policy, alone and together with its namespace.
func (v *validator) name() {
	const field = "metadata.name"
	name, namespace := v.resource.Metadata.Name, v.resource.Spec.Policy.Namespace
	if name == "" {
		v.error(field, "the name is missing", "it is the name of the Policy")
		return
	}
	v.objectName(field, name)
	if namespace == "" || v.resource.Spec.Output == OutputTemplate {
		return
	}
	suffix := ""
	if isTrue(v.resource.Spec.Report) {
		suffix = ReportSuffix
	}
	if length := len(namespace) + 1 + len(name) + len(suffix); length > maxReplicatedName {
		v.error(field,
			fmt.Sprintf("%d characters, %d over: %s.%s%s names the policy on managed clusters and has at most %d",
				length, length-maxReplicatedName, shorten(namespace), shorten(name), suffix, maxReplicatedName),
			nameBudget(namespace, suffix))
	}
}

func nameBudget(namespace, suffix string) string {
	left := maxReplicatedName - 1 - len(namespace) - len(suffix)
	switch {
	case left < 1:
		return fmt.Sprintf("the namespace has %d and leaves no room: choose a shorter one", len(namespace))
	case suffix != "":
		return fmt.Sprintf("the namespace has %d and %s %d, which leaves %d for the name", len(namespace), suffix, len(suffix), left)
	}
	return fmt.Sprintf("the namespace has %d, which leaves %d for the name", len(namespace), left)
}

// objectName checks the name of an object.
func (v *validator) objectName(field, name string) {
	if messages := validation.IsDNS1123Subdomain(name); len(messages) > 0 {
		v.error(field, fmt.Sprintf("%q is not a valid name: %s", shorten(name), plainMessage(messages)), lowerCaseHint(name, isSubdomain))
	}
}

// namespaceName checks the name of a namespace.
func (v *validator) namespaceName(field, name string) {
	if messages := validation.IsDNS1123Label(name); len(messages) > 0 {
		v.error(field, fmt.Sprintf("%q is not a valid namespace: %s", shorten(name), plainMessage(messages)), lowerCaseHint(name, isLabel))
	}
}

// labels checks the keys and values of labels.
func (v *validator) labels(field string, labels map[string]string) {
	for key, value := range labels {
		v.labelKey(keyField(field, key), key)
		if messages := validation.IsValidLabelValue(value); len(messages) > 0 {
			v.error(keyField(field, key), fmt.Sprintf("%q is not a valid label value: %s", shorten(value), plainMessage(messages)), "")
		}
	}
}

func (v *validator) labelKey(field, key string) {
	if messages := validation.IsQualifiedName(key); len(messages) > 0 {
		v.error(field, fmt.Sprintf("%q is not a valid label key: %s", shorten(key), plainMessage(messages)), "")
	}
}

// annotations checks the keys of annotations. Kubernetes ignores their case.
func (v *validator) annotations(field string, annotations map[string]string) {
	for key := range annotations {
		v.annotationKey(keyField(field, key), key)
	}
}

func (v *validator) annotationKey(field, key string) {
	if messages := validation.IsQualifiedName(strings.ToLower(key)); len(messages) > 0 {
		v.error(field, fmt.Sprintf("%q is not a valid annotation key: %s", shorten(key), plainMessage(messages)), "")
	}
}

var kubernetesSubject = regexp.MustCompile(`^a (lowercase RFC 1123 (subdomain|label)|valid label( key)?) must `)

// plainMessage leaves examples and regular expressions out of a message of Kubernetes.
func plainMessage(messages []string) string {
	var plain []string
	for _, message := range messages {
		message, _, _ = strings.Cut(message, " (e.g. ")
		message, _, _ = strings.Cut(message, " (regex used")
		message = kubernetesSubject.ReplaceAllString(message, "it must ")
		if !slices.Contains(plain, message) {
			plain = append(plain, message)
		}
	}
	return strings.Join(plain, "; ")
}

// lowerCaseHint helps if nothing but upper-case letters is wrong.
func lowerCaseHint(name string, isValid func(string) bool) string {
	if lower := strings.ToLower(name); lower != name && isValid(lower) {
		return "write " + lower
	}
	return ""
}

func isSubdomain(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }

func isLabel(name string) bool { return len(validation.IsDNS1123Label(name)) == 0 }
