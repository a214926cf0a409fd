package generate

import (
	"net/netip"
	"slices"
	"strings"
)

// neverPublished are the networks whose addresses say nothing to anyone outside the virtual machine: "this network",
// loopback, link-local, multicast and reserved addresses, IPv4 in IPv6, and the networks behind KubeVirt's NAT.
var neverPublished = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("10.0.2.0/24"),
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("224.0.0.0/3"),
	netip.MustParsePrefix("::/127"),
	netip.MustParsePrefix("::ffff:0:0/96"),
	netip.MustParsePrefix("fd10:0:2::/120"),
	netip.MustParsePrefix("fe80::/10"),
	netip.MustParsePrefix("ff00::/8"),
}

// parseNetworks reads networks in CIDR notation.
func parseNetworks(cidrs []string) ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, 0, len(cidrs))
	for _, cidr := range cidrs {
		network, err := netip.ParsePrefix(cidr)
		if err != nil {
			return nil, err
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// family keeps the networks of IPv4 or of IPv6, sorted and without doubles.
func family(networks []netip.Prefix, v4 bool) []netip.Prefix {
	var kept []netip.Prefix
	for _, network := range networks {
		if network.Addr().Is4() == v4 {
			kept = append(kept, network)
		}
	}
	slices.SortFunc(kept, netip.Prefix.Compare)
	return slices.Compact(kept)
}

// networkPattern gives a regular expression for the addresses of the networks, as text. Those of IPv6 are written with eight
// groups and without leading zeros. Without any network it matches no address.
func networkPattern(networks []netip.Prefix) string {
	if len(networks) == 0 {
		return "^$"
	}
	alternatives := make([]string, 0, len(networks))
	for _, network := range networks {
		if network.Addr().Is4() {
			alternatives = append(alternatives, prefixPattern(network, 8, `\.`, decimals))
		} else {
			alternatives = append(alternatives, prefixPattern(network, 16, ":", hexadecimals))
		}
	}
	return "^(" + strings.Join(alternatives, "|") + ")"
}

// prefixPattern matches how the addresses of a network begin. Addresses are numbers of so many bits with a separator between
// them; numbers matches those in a range.
func prefixPattern(network netip.Prefix, bits int, separator string, numbers func(low, high int) string) string {
	address, length := network.Addr().AsSlice(), network.Bits()
	var b strings.Builder
	for at := 0; at < length; at += bits {
		low := int(address[at/8])
		if bits == 16 {
			low = low<<8 | int(address[at/8+1])
		}
		free := max(0, at+bits-length)
		b.WriteString(numbers(low, low+1<<free-1))
		if at+bits < len(address)*8 {
			b.WriteString(separator)
		} else {
			b.WriteString("$")
		}
	}
	return b.String()
}
