package dnsplan

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
)

// process takes endpoints from the sources to the planner, as the wrappers of external-dns do, in their order.
func (i *instance) process(list []tracked) ([]tracked, error) {
	list = i.check(i.defaultTargets(list))
	list, err := i.nat64(list)
	if err != nil {
		return nil, err
	}
	return i.finish(i.reverse(i.filterTargets(list))), nil
}

// defaultTargets puts --default-targets into the place of targets.
func (i *instance) defaultTargets(list []tracked) []tracked {
	if len(i.config.DefaultTargets) == 0 {
		return list
	}
	var result []tracked
	for _, t := range list {
		if len(t.Targets) > 0 && !i.config.ForceDefaultTargets {
			result = append(result, t)
			continue
		}
		made := endpoint.EndpointsForHostname(t.DNSName, slices.Clone(i.config.DefaultTargets), t.RecordTTL, t.ProviderSpecific, t.SetIdentifier, "")
		if len(made) == 0 {
			t.lose(Rejected, "a label of the name has more than 63 characters")
		}
		for _, e := range made {
			e = clone(e)
			e.Labels = t.Labels
			for _, w := range t.wants {
				w.recordType, w.targets = e.RecordType, e.Targets
			}
			result = append(result, tracked{e, t.wants})
		}
	}
	return result
}

// check leaves out what is malformed, and what is there twice.
func (i *instance) check(list []tracked) []tracked {
	var result []tracked
	seen := map[string]int{}
	for _, t := range list {
		if !t.CheckEndpoint() {
			t.lose(Rejected, fmt.Sprintf("external-dns skips it: %s is no target of a record of type %s",
				quoteAll(t.Targets), t.RecordType))
			continue
		}
		if len(t.Targets) > 1 {
			t.Targets = endpoint.NewTargets(t.Targets...)
		}
		key := strings.Join([]string{t.RecordType, t.DNSName, t.SetIdentifier, t.Targets.String()}, "/")
		if at, twice := seen[key]; twice {
			// The first is published for all of them.
			result[at].wants = append(result[at].wants, t.wants...)
			continue
		}
		seen[key] = len(result)
		result = append(result, t)
	}
	return result
}

func quoteAll(targets []string) string {
	var quoted []string
	for _, target := range targets {
		quoted = append(quoted, fmt.Sprintf("%q", target))
	}
	return strings.Join(quoted, ", ")
}

// nat64 adds an A record for each AAAA record with a translated address.
func (i *instance) nat64(list []tracked) ([]tracked, error) {
	var prefixes []netip.Prefix
	for _, text := range i.config.NAT64Networks {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--nat64-networks: %w", err)
		}
		if prefix.Bits() != 96 {
			return nil, errors.New("--nat64-networks: a NAT64 prefix has 96 bits")
		}
		prefixes = append(prefixes, prefix)
	}
	for _, t := range slices.Clone(list) {
		if t.RecordType != endpoint.RecordTypeAAAA {
			continue
		}
		var targets []string
		for _, target := range t.Targets {
			address, err := netip.ParseAddr(target)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.DNSName, err)
			}
			if slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) }) {
				bytes := address.As16()
				targets = append(targets, netip.AddrFrom4([4]byte(bytes[12:])).String())
			}
		}
		if len(targets) > 0 {
			made := clone(t.Endpoint)
			made.RecordType, made.Targets = endpoint.RecordTypeA, targets
			list = append(list, tracked{made, nil})
		}
	}
	return list, nil
}

// filterTargets leaves out targets that --target-net-filter and --exclude-target-net exclude.
func (i *instance) filterTargets(list []tracked) []tracked {
	filter := endpoint.NewTargetNetFilterWithExclusions(i.config.TargetNetFilter, i.config.ExcludeTargetNets)
	if !filter.IsEnabled() {
		return list
	}
	var result []tracked
	for _, t := range list {
		left := []string{}
		for _, target := range t.Targets {
			if filter.Match(target) {
				left = append(left, target)
			}
		}
		if len(left) == 0 {
			t.lose(Filtered, "--target-net-filter or --exclude-target-net leaves all of its targets out")
			continue
		}
		t.Targets = left
		result = append(result, t)
	}
	return result
}

// reverse adds PTR records where --managed-record-types has them.
func (i *instance) reverse(list []tracked) []tracked {
	if !i.config.IsPTRSupported() {
		return list
	}
	made := map[string]*endpoint.Endpoint{}
	var order []string
	for _, t := range list {
		requested, asks := t.RequestedRecordType()
		t.DeleteProviderSpecificProperty(endpoint.ProviderSpecificRecordType)
		if t.RecordType != endpoint.RecordTypeA && t.RecordType != endpoint.RecordTypeAAAA || strings.HasPrefix(t.DNSName, "*.") {
			continue
		}
		if asks && !strings.EqualFold(requested, endpoint.RecordTypePTR) || !asks && !i.config.CreatePTR {
			continue
		}
		for _, target := range t.Targets {
			if e, there := made[target]; there {
				e.RecordTTL = min(e.RecordTTL, t.RecordTTL)
				e.Targets = append(e.Targets, strings.TrimSuffix(t.DNSName, "."))
				continue
			}
			if e, err := endpoint.NewPTREndpoint(target, t.RecordTTL, t.DNSName); err == nil && e != nil {
				made[target] = e
				order = append(order, target)
			}
		}
	}
	for _, target := range order {
		list = append(list, tracked{made[target], nil})
	}
	return list
}

// finish sets TTLs that are not set, and leaves out the properties of other providers.
func (i *instance) finish(list []tracked) []tracked {
	for _, t := range list {
		t.WithMinTTL(int64(i.config.MinTTL.Seconds()))
		t.RetainProviderProperties(strings.TrimSpace(i.config.Provider))
		// external-dns looks for the name of the annotation, not for that of the property.
		_, set := t.GetProviderSpecificProperty(i.config.AnnotationPrefix + "alias")
		if i.config.PreferAlias && t.RecordType == endpoint.RecordTypeCNAME && !set {
			t.WithProviderSpecific("alias", "true")
		}
	}
	return list
}
