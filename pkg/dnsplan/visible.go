package dnsplan

import (
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
)

// sees tells whether an external-dns finds a zone: the domain filter must let it through, or a name below it. On AWS the latter
// takes a flag.
func (i *instance) sees(zone string) bool {
	switch i.config.Provider {
	case externaldns.ProviderRFC2136:
		return len(i.config.RFC2136Zone) == 0 || slices.ContainsFunc(i.config.RFC2136Zone, func(z string) bool { return canonical(z) == zone })
	case externaldns.ProviderAWS:
		return i.filter.Match(zone) || i.config.AWSZoneMatchParent && i.filter.MatchParent(zone)
	default:
		return i.filter.Match(zone) || i.filter.MatchParent(zone)
	}
}

// meets tells whether two external-dns can have to do with one name: they see a common zone, and their domain filters do not keep
// them apart.
func (i *instance) meets(other *instance, w world) bool {
	if !slices.ContainsFunc(w.names(), func(zone string) bool { return i.sees(zone) && other.sees(zone) }) {
		return false
	}
	if len(i.config.DomainFilter) == 0 || len(other.config.DomainFilter) == 0 || i.hasRegex() || other.hasRegex() {
		return true
	}
	for _, a := range i.config.DomainFilter {
		for _, b := range other.config.DomainFilter {
			a, b := "."+strings.Trim(canonical(a), "."), "."+strings.Trim(canonical(b), ".")
			if strings.HasSuffix(a, b) || strings.HasSuffix(b, a) {
				return true
			}
		}
	}
	return false
}

func (i *instance) hasRegex() bool {
	return i.config.RegexDomainFilter.String() != "" || i.config.RegexDomainExclude.String() != ""
}
