package generate

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strings"
	"testing"
)

// spelled writes an address as networkPattern expects it.
func spelled(address netip.Addr) string {
	if address.Is4() {
		return address.String()
	}
	bytes := address.As16()
	groups := make([]string, 8)
	for i := range groups {
		groups[i] = fmt.Sprintf("%x", int(bytes[2*i])<<8|int(bytes[2*i+1]))
	}
	return strings.Join(groups, ":")
}

// near gives an address that shares so many bits with the network, or a few less or more.
func near(random *rand.Rand, network netip.Prefix) netip.Addr {
	bytes := network.Addr().AsSlice()
	keep := min(max(network.Bits()-3+random.IntN(8), 0), len(bytes)*8)
	for bit := keep; bit < len(bytes)*8; bit++ {
		if random.IntN(2) == 1 {
			bytes[bit/8] ^= 1 << (7 - bit%8)
		}
	}
	address, _ := netip.AddrFromSlice(bytes)
	return address
}

func TestNetworkPatternIsNetip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		bytes := make([]byte, 4+12*random.IntN(2))
		for i := range bytes {
			// Zeros are where a pattern for numbers without leading zeros can go wrong.
			if random.IntN(3) > 0 {
				bytes[i] = byte(random.IntN(256) >> random.IntN(8))
			}
		}
		address, _ := netip.AddrFromSlice(bytes)
		network := netip.PrefixFrom(address, random.IntN(len(bytes)*8+1)).Masked()
		pattern := regexp.MustCompile(networkPattern([]netip.Prefix{network}))
		for range 20 {
			candidate := near(random, network)
			if got, want := pattern.MatchString(spelled(candidate)), network.Contains(candidate); got != want {
				t.Fatalf("%s in %s: got %v, want %v: %s", spelled(candidate), network, got, want, pattern)
			}
		}
	}
}

func TestNetworkPatternOfNeverPublished(t *testing.T) {
	t.Parallel()
	for _, v4 := range []bool{true, false} {
		networks := family(neverPublished, v4)
		pattern := regexp.MustCompile(networkPattern(networks))
		for _, network := range networks {
			if !pattern.MatchString(spelled(network.Addr())) {
				t.Errorf("%s does not match %s", network, pattern)
			}
		}
	}
	if regexp.MustCompile(networkPattern(nil)).MatchString("192.0.2.1") {
		t.Error("no network matches an address")
	}
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	for low := range 256 {
		for high := low; high < 256; high++ {
			pattern := regexp.MustCompile("^" + decimals(low, high) + "$")
			for number := range 256 {
				if got, want := pattern.MatchString(fmt.Sprint(number)), low <= number && number <= high; got != want {
					t.Fatalf("%d in %d-%d: got %v: %s", number, low, high, got, pattern)
				}
			}
		}
	}
}

func TestNetworkPatternText(t *testing.T) {
	t.Parallel()
	for cidr, want := range map[string]string{
		"0.0.0.0/0":          `^()`,
		"10.0.0.0/8":         `^(10\.)`,
		"172.16.0.0/12":      `^(172\.(1[6-9]|2[0-9]|3[01])\.)`,
		"192.0.2.1/32":       `^(192\.0\.2\.1$)`,
		"192.0.2.128/25":     `^(192\.0\.2\.(12[89]|1[3-9][0-9]|2[0-4][0-9]|25[0-5])$)`,
		"::/0":               `^()`,
		"2001:db8::/32":      `^(2001:db8:)`,
		"2001:db8:0:40::/58": `^(2001:db8:0:[4567][0-9a-f]:)`,
		"fd00::/8":           `^(fd[0-9a-f][0-9a-f]:)`,
		"2001:db8::/33":      `^(2001:db8:[1234567]?[0-9a-f]?[0-9a-f]?[0-9a-f]:)`,
		"2001:db8::1/128":    `^(2001:db8:0:0:0:0:0:1$)`,
	} {
		if got := networkPattern([]netip.Prefix{netip.MustParsePrefix(cidr)}); got != want {
			t.Errorf("%s: got %s, want %s", cidr, got, want)
		}
	}
}
