package v1alpha1

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

func (v *validator) names(names *Names) {
	const prefix, match = "spec.names.annotationPrefix", "spec.names.matchInterfaceBy"
	if p := names.AnnotationPrefix; p != "" {
		if messages := validation.IsDNS1123Subdomain(p); len(messages) > 0 {
			hint := lowerCaseHint(p, isSubdomain)
			if strings.HasSuffix(p, "/") {
				hint = "write " + strings.TrimSuffix(p, "/")
			}
			v.error(prefix, fmt.Sprintf("%q is not a valid prefix of an annotation: %s", shorten(p), plainMessage(messages)), hint)
		}
	}
	if names.MatchInterfaceBy != nil && len(names.MatchInterfaceBy) == 0 {
		v.error(match, "an empty list matches no interface", "remove it, or write [name, interfaceName]")
	}
	duplicates(v, match, names.MatchInterfaceBy)
	v.domain(names)
	v.convention(names)
	v.allowedDomains(names)
	v.limits(&names.Limits)
}

func (v *validator) domain(names *Names) {
	const domain, clusterLabel = "spec.names.domain.default", "spec.names.domain.clusterLabel"
	if names.Domain.Default != "" {
		if message, hint := domainFault(names.Domain.Default); message != "" {
			v.error(domain, message, hint)
		} else if !isAllowed(names.Domain.Default, names.AllowedDomains) {
			v.warning(domain, fmt.Sprintf("%s is in none of allowedDomains: names in it are refused", names.Domain.Default), "add it there")
		}
	}
	if names.Domain.ClusterLabel != "" {
		v.labelKey(clusterLabel, names.Domain.ClusterLabel)
	}
	if names.Domain.ConfigMap != "" {
		v.objectName("spec.names.domain.configMap", names.Domain.ConfigMap)
	}
}

// isAllowed tells whether names in a domain are allowed, in some namespace at least.
func isAllowed(domain string, allowed []AllowedDomain) bool {
	for _, a := range allowed {
		if isWithin(domain, a.Domain) || isWithin(a.Domain, domain) {
			return true
		}
	}
	return len(allowed) == 0
}

func (v *validator) allowedDomains(names *Names) {
	const field = "spec.names.allowedDomains"
	for i, allowed := range names.AllowedDomains {
		item := index(field, i)
		if allowed.Domain == "" {
			v.error(item+".domain", "the domain is missing", "")
		} else if message, hint := domainFault(allowed.Domain); message != "" {
			v.error(item+".domain", message, hint)
		}
		if allowed.Namespaces != nil && len(allowed.Namespaces) == 0 {
			v.error(item+".namespaces", "an empty list allows the domain in no namespace", "remove it to allow the domain in all")
		}
		v.namespaceGlobs(item+".namespaces", allowed.Namespaces)
	}
}

// limits warns of lengths that are valid in DNS, but whose ownership record, a TXT record with a longer name, is not.
func (v *validator) limits(limits *Limits) {
	const firstLabel, total = "spec.names.limits.firstLabel", "spec.names.limits.total"
	const message = "above %d external-dns cannot keep the ownership record, and never removes the name"
	if n := limits.FirstLabel; n != nil && *n > defaultFirstLabel && *n <= maxLabelLength {
		v.warning(firstLabel, fmt.Sprintf(message, defaultFirstLabel), "")
	}
	if n := limits.Total; n != nil && *n > defaultTotal && *n <= maxNameLength {
		v.warning(total, fmt.Sprintf(message, defaultTotal), "")
	}
}
