package v1alpha1

import (
	"fmt"
	"net/netip"
	"slices"
)

func (v *validator) records(records *Records) {
	const types = "spec.records.types"
	if records.Types != nil && len(records.Types) == 0 {
		v.error(types, "an empty list publishes nothing", "remove it, or write [A, AAAA]")
	}
	duplicates(v, types, records.Types)
	const field = "spec.records.addresses"
	include := v.networks(field+".include", records.Addresses.Include)
	exclude := v.networks(field+".exclude", records.Addresses.Exclude)
	valid := len(include) == len(records.Addresses.Include) && len(exclude) == len(records.Addresses.Exclude)
	for _, t := range records.Types {
		valid = valid && slices.Contains(enumOf(types+"[]").values, string(t))
	}
	if valid {
		v.reach(field, records.Types, include, exclude)
	}
}

// reach warns if no address at all can be published.
func (v *validator) reach(field string, types []RecordType, include, exclude []netip.Prefix) {
	if len(include) == 0 {
		include = []netip.Prefix{netip.PrefixFrom(netip.IPv4Unspecified(), 0), netip.PrefixFrom(netip.IPv6Unspecified(), 0)}
	}
	wanted := slices.DeleteFunc(include, func(p netip.Prefix) bool {
		family := RecordAAAA
		if p.Addr().Is4() {
			family = RecordA
		}
		return len(types) > 0 && !slices.Contains(types, family)
	})
	if len(wanted) == 0 {
		v.warning(field+".include", "no address is published: the networks are not of the family that types asks for", "")
		return
	}
	for _, network := range wanted {
		if !slices.ContainsFunc(exclude, func(p netip.Prefix) bool { return covers(p, network) }) {
			return
		}
	}
	v.warning(field+".exclude", "no address is published: every network that is included is also excluded", "")
}

// covers tells whether every address of the network is in p.
func covers(p, network netip.Prefix) bool {
	return p.Bits() <= network.Bits() && p.Contains(network.Addr())
}

// networks checks networks in CIDR notation, and gives those that are valid.
func (v *validator) networks(field string, list []string) []netip.Prefix {
	var networks []netip.Prefix
	for i, text := range list {
		if network, message, hint := parseNetwork(text); message != "" {
			v.error(index(field, i), message, hint)
		} else {
			networks = append(networks, network)
		}
	}
	return networks
}

// parseNetwork reads a network in CIDR notation, or says what is wrong with it and what to write instead.
func parseNetwork(text string) (network netip.Prefix, message, hint string) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		return network, fmt.Sprintf("%q is an address, not a network", text), fmt.Sprintf("write %s/%d", text, address.BitLen())
	}
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return network, fmt.Sprintf("%q is not a network in CIDR notation", shorten(text)), "for example 192.0.2.0/24 or 2001:db8::/32"
	case network.Addr().Is4In6():
		if bits := network.Bits() - 96; bits >= 0 {
			hint = fmt.Sprintf("write %s", netip.PrefixFrom(network.Addr().Unmap(), bits).Masked())
		}
		return network, fmt.Sprintf("%q is an IPv4 network written as IPv6", text), hint
	case network != network.Masked():
		return network, fmt.Sprintf("%q is an address in a network, not the network", text), fmt.Sprintf("write %s", network.Masked())
	}
	return network, "", ""
}
