package generate

import (
	"encoding/hex"
	"fmt"
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

// hexPattern gives a regular expression for the addresses of the networks, written as hexadecimal digits without
// punctuation. Without any network it matches no address.
func hexPattern(networks []netip.Prefix) string {
	if len(networks) == 0 {
		return "^$"
	}
	alternatives := make([]string, 0, len(networks))
	for _, network := range networks {
		alternatives = append(alternatives, hexPrefix(network))
	}
	return "^(" + strings.Join(alternatives, "|") + ")"
}

// hexPrefix gives the first digits of a network's addresses, the last as a class where the prefix ends inside a digit.
func hexPrefix(network netip.Prefix) string {
	digits := hex.EncodeToString(network.Addr().AsSlice())
	whole, rest := network.Bits()/4, network.Bits()%4
	if rest == 0 {
		return digits[:whole]
	}
	first := strings.IndexByte("0123456789abcdef", digits[whole])
	return fmt.Sprintf("%s[%s]", digits[:whole], "0123456789abcdef"[first:first+1<<(4-rest)])
}
