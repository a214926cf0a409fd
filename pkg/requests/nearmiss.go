package requests

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// nearMisses warns of machines that want names and are not selected: a label in other letters, an annotation without the label, or
// both on the VirtualMachine instead of its template.
func (o *Observer) nearMisses(on *cluster.Cluster) diag.Findings {
	selector, err := labels.Parse(o.selector)
	if err != nil || selector.Empty() || o.repeats {
		return nil
	}
	var findings diag.Findings
	add := func(severity diag.Severity, object manifest.Object, message, hint string) {
		findings = append(findings, diag.Finding{
			Severity: severity, Position: object.Position, Field: manifest.Reference(object.Unstructured), Message: message, Hint: hint,
		})
	}
	misplaced := map[string]bool{}
	for _, machine := range list(on, machineKind.Kind) {
		if !o.takesPart(machine.GetNamespace()) {
			continue
		}
		template, _, _ := unstructured.NestedStringMap(machine.Object, "spec", "template", "metadata", "labels")
		annotations, _, _ := unstructured.NestedStringMap(machine.Object, "spec", "template", "metadata", "annotations")
		if o.optOut != "" && annotations[o.optOut] == "true" {
			continue
		}
		if selector.Matches(labels.Set(machine.GetLabels())) && !selector.Matches(labels.Set(template)) {
			misplaced[machine.GetNamespace()+"/"+machine.GetName()] = true
			message, hint := explain("LabelOnMachine", "", "", "")
			add(diag.Warning, machine, message, hint)
			continue
		}
		for _, key := range o.asked(machine.GetAnnotations()) {
			if _, known := annotations[key]; !known && selector.Matches(labels.Set(template)) {
				message, hint := explain("AnnotationOnMachine", machine.GetAnnotations()[key], strings.TrimPrefix(key, o.prefix+"/"), "")
				add(diag.Warning, machine, message, hint)
			}
		}
	}
	loose, err := labels.Parse(strings.ToLower(o.selector))
	for _, instance := range list(on, instanceKind.Kind) {
		own := instance.GetLabels()
		if !o.takesPart(instance.GetNamespace()) || instance.GetAnnotations()[o.optOut] == "true" {
			continue
		}
		if value, given := instance.GetAnnotations()[o.optOut]; given && value != "" && value != "false" && selector.Matches(labels.Set(own)) {
			add(diag.Warning, instance, fmt.Sprintf("the annotation %s is %.60q, so the machine takes part", o.optOut, value), `only "true" keeps it out`)
		}
		if selector.Matches(labels.Set(own)) || misplaced[instance.GetNamespace()+"/"+instance.GetName()] {
			continue
		}
		asked := o.asked(instance.GetAnnotations())
		switch {
		case err == nil && loose.Matches(lower(own)):
			add(diag.Warning, instance, fmt.Sprintf("its labels match %s but for the case of letters, so it takes no part", o.selector), "labels are compared letter by letter")
		case len(asked) > 0:
			// Another policy may take it.
			add(diag.Info, instance, fmt.Sprintf("asks for names by annotation, but its labels do not match %s, so it takes no part", o.selector),
				"set the label in spec.template.metadata.labels of the VirtualMachine and restart it")
		}
	}
	return findings
}

// takesPart tells whether the policy looks at machines of a namespace.
func (o *Observer) takesPart(namespace string) bool {
	matches := func(pattern string) bool {
		matched, err := regexp.MatchString(pattern, namespace)
		return matched && err == nil
	}
	return (o.namespaces == "" || matches(o.namespaces)) && (o.excluded == "" || !matches(o.excluded))
}

// list gives the objects of a kind of KubeVirt; a cluster without KubeVirt has none.
func list(on *cluster.Cluster, kind string) []manifest.Object {
	gvk := instanceKind
	gvk.Kind = kind
	objects, err := on.List(gvk, "", labels.Everything())
	if err != nil {
		return nil
	}
	return objects
}

// asked gives the annotations that ask for names.
func (o *Observer) asked(annotations map[string]string) []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if o.prefix != "" && strings.HasPrefix(key, o.prefix+"/") {
			keys = append(keys, key)
		}
	}
	return keys
}

func lower(set map[string]string) labels.Set {
	lowered := labels.Set{}
	for key, value := range set {
		lowered[strings.ToLower(key)] = strings.ToLower(value)
	}
	return lowered
}
