package v1alpha1

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func (v *validator) origin(source *Source) {
	const selector = "spec.source.selector"
	if s := source.Selector; s != nil {
		v.labelSelector(selector, s)
		if len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0 {
			v.warning(selector, "an empty selector takes every virtual machine", "remove it to take those that opt in by label")
		}
	}
	v.interfaces(&source.Interfaces)
	const include, exclude = "spec.source.namespaces.include", "spec.source.namespaces.exclude"
	v.namespaceGlobs(include, source.Namespaces.Include)
	v.namespaceGlobs(exclude, source.Namespaces.Exclude)
	included := source.Namespaces.Include
	if included == nil {
		included = []string{"*"}
	}
	if len(included) == 0 {
		v.error(include, "an empty list takes no namespace", `remove it, or write ["*"] for all`)
		return
	}
	excluded := source.Namespaces.Exclude
	if !slices.ContainsFunc(included, func(glob string) bool {
		return !slices.Contains(excluded, glob) && !slices.Contains(excluded, "*")
	}) {
		v.warning(exclude, "every namespace that is included is also excluded", "")
	}
}

// labelSelector checks a selector as Kubernetes would. Unknown operators are reported elsewhere.
func (v *validator) labelSelector(path string, selector *metav1.LabelSelector) {
	v.labels(path+".matchLabels", selector.MatchLabels)
	operators := map[metav1.LabelSelectorOperator]selection.Operator{
		metav1.LabelSelectorOpIn: selection.In, metav1.LabelSelectorOpNotIn: selection.NotIn,
		metav1.LabelSelectorOpExists: selection.Exists, metav1.LabelSelectorOpDoesNotExist: selection.DoesNotExist,
	}
	for i, e := range selector.MatchExpressions {
		operator, known := operators[e.Operator]
		if !known {
			continue
		}
		_, err := labels.NewRequirement(e.Key, operator, e.Values, field.WithPath(field.NewPath(path, "matchExpressions").Index(i)))
		for _, err := range unpack(err) {
			// Kubernetes puts the key of the requirement behind the index of a value.
			field := strings.TrimSuffix(err.Field, "["+e.Key+"]")
			v.error(field, "not valid in a selector: "+plainMessage(strings.Split(err.Detail, "; ")), "")
		}
	}
}

// unpack lists the field errors in an error of the labels package.
func unpack(err error) []*field.Error {
	var list []*field.Error
	var aggregate utilerrors.Aggregate
	if errors.As(err, &aggregate) {
		for _, inner := range aggregate.Errors() {
			list = append(list, unpack(inner)...)
		}
		return list
	}
	var one *field.Error
	if errors.As(err, &one) {
		list = append(list, one)
	}
	return list
}

var namespaceGlob = regexp.MustCompile(`^[a-z0-9*?]([-a-z0-9*?]*[a-z0-9*?])?$`)

// namespaceGlobs checks names of namespaces in which * and ? are wildcards.
func (v *validator) namespaceGlobs(path string, globs []string) {
	for i, glob := range globs {
		field, noMatch := index(path, i), fmt.Sprintf("%q matches no namespace: ", shorten(glob))
		switch {
		case glob == "":
			v.error(field, "the name of a namespace is empty", "remove it")
		case strings.ContainsAny(glob, `[]{}\!|`):
			v.error(field, fmt.Sprintf("%q is not a valid pattern", shorten(glob)), "only * and ? are wildcards")
		case !namespaceGlob.MatchString(glob):
			v.error(field, noMatch+"names are made of lower-case letters, digits and inner hyphens",
				lowerCaseHint(glob, namespaceGlob.MatchString))
		case len(strings.ReplaceAll(glob, "*", "")) > validation.DNS1123LabelMaxLength:
			v.error(field, noMatch+fmt.Sprintf("names have at most %d characters", validation.DNS1123LabelMaxLength), "")
		}
	}
}
