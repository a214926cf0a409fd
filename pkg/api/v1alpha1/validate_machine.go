package v1alpha1

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// machineAnnotations checks the annotations by which virtual machines change how they are treated.
func (v *validator) machineAnnotations() {
	const optOut, ttl, prefix = "spec.source.optOutAnnotation", "spec.records.ttlAnnotation", "spec.names.annotationPrefix"
	spec := &v.resource.Spec
	if spec.Source.OptOutAnnotation != "" && spec.Source.OptOutAnnotation == spec.Records.TTLAnnotation {
		v.error(ttl, "is the same annotation as "+optOut, "rename one of the two")
	}
	for field, key := range map[string]string{optOut: spec.Source.OptOutAnnotation, ttl: spec.Records.TTLAnnotation} {
		if key == "" {
			continue
		}
		v.annotationKey(field, key)
		if strings.HasPrefix(key, cmp.Or(spec.Names.AnnotationPrefix, defaultAnnotationPrefix)+"/") {
			v.error(field, fmt.Sprintf("%q would be read as the names of an interface, because of %s", shorten(key), prefix), "give it another prefix")
		}
	}
}

// interfaceGlob leaves out what could end a string of the template.
var interfaceGlob = regexp.MustCompile(`^[\pL\pN*?._ -]+$`)

// interfaces checks names of interfaces in which * and ? are wildcards.
func (v *validator) interfaces(interfaces *Interfaces) {
	const include, exclude = "spec.source.interfaces.include", "spec.source.interfaces.exclude"
	if interfaces.Include != nil && len(interfaces.Include) == 0 {
		v.error(include, "an empty list takes no interface", `remove it, or write ["*"] for all`)
	}
	for field, globs := range map[string][]string{include: interfaces.Include, exclude: interfaces.Exclude} {
		for i, glob := range globs {
			switch {
			case glob == "":
				v.error(index(field, i), "the name of an interface is empty", "remove it")
			case !interfaceGlob.MatchString(glob):
				v.error(index(field, i), fmt.Sprintf("%q is not a valid pattern", shorten(glob)),
					"letters, digits, dots, hyphens, underscores and blanks; * and ? are wildcards")
			}
		}
	}
	if slices.Contains(interfaces.Exclude, "*") {
		v.warning(exclude, "every interface is excluded", "")
	}
}
