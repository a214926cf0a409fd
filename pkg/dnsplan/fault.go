package dnsplan

import (
	"fmt"
	"math"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
)

// Reasons that other code asks for.
const (
	noZone    = "no zone takes the name"
	noTargets = "it has no targets"
)

// Limits of DNS.
const (
	longestLabel = 63
	longestName  = 253
)

// fault says why a DNS server refuses a record set of a good name, whatever else is in the zone; empty if it does not.
func (p *zones) fault(e *endpoint.Endpoint, zone string) string {
	switch {
	case len(e.Targets) == 0:
		return noTargets
	case e.RecordTTL > math.MaxInt32:
		return fmt.Sprintf("the TTL %d is too large", e.RecordTTL)
	case e.RecordType == endpoint.RecordTypeCNAME && len(e.Targets) > 1:
		return "a CNAME has one target only"
	case e.RecordType == endpoint.RecordTypeCNAME && canonical(e.DNSName) == zone && !isAlias(e) &&
		p.instance.config.Provider != externaldns.ProviderAWS:
		return "the name of the zone itself cannot be a CNAME"
	}
	return ""
}

func isAlias(e *endpoint.Endpoint) bool {
	alias, set := e.GetBoolProviderSpecificProperty("alias")
	return set && alias
}

// nameFault says what is wrong with the name of a record.
func nameFault(name, recordType, provider string) string {
	trimmed := strings.TrimSuffix(name, ".")
	switch {
	case trimmed == "":
		return "the name is empty"
	case len(trimmed) > longestName:
		return fmt.Sprintf("the name has more than %d characters", longestName)
	}
	for n, label := range strings.Split(trimmed, ".") {
		switch {
		case label == "":
			return "a label of the name is empty"
		case len(label) > longestLabel:
			return fmt.Sprintf("a label of the name has more than %d characters", longestLabel)
		case label == "*" && n == 0:
			continue
		}
		for _, r := range label {
			if !nameRune(r, recordType) {
				return fmt.Sprintf("the character %q is not for names", r)
			}
		}
	}
	switch {
	case provider == externaldns.ProviderRFC2136 && trimmed != name:
		return "the name ends with a dot, so that the update goes to the root zone"
	case provider == externaldns.ProviderRFC2136 && strings.ToLower(name) != name:
		return "the name has upper case letters, so that the update goes to the root zone"
	}
	return ""
}

// nameRune tells whether a character may stand in a name. Reverse zones have slashes.
func nameRune(r rune, recordType string) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
		return true
	}
	return r == '/' && recordType == endpoint.RecordTypePTR
}

// conflict says which record set of the zone keeps another one out.
func (z *zone) conflict(key recordKey, replace bool) string {
	_, there := z.records[key]
	switch {
	case there && !replace:
		return "it exists already"
	case key.recordType == endpoint.RecordTypeCNAME && z.hasOthers(key.name):
		return "the name has records of other types, beside which there can be no CNAME"
	case key.recordType != endpoint.RecordTypeCNAME && z.cnames[key.name] > 0:
		return "the name has a CNAME, beside which there can be no other record"
	}
	return ""
}
