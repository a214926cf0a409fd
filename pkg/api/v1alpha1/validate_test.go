package v1alpha1

import "testing"

// TestValidateWithoutFile validates a resource that a program made.
func TestValidateWithoutFile(t *testing.T) {
	resource := &VirtualMachineDNS{Metadata: Metadata{Name: "vm-dns"}}
	resource.Spec.Policy = Policy{
		Namespace: "policies", Description: "\xff", RemediationAction: "inform", PruneObjectBehavior: "DeleteAll",
	}
	const want = `error VirtualMachineDNS vm-dns: spec.policy.description: the text is not valid UTF-8
warning VirtualMachineDNS vm-dns: spec.policy.pruneObjectBehavior: with the remediationAction inform nothing is pruned
`
	if got := list(resource.Validate()); got != want {
		t.Errorf("want:\n%sgot:\n%s", want, got)
	}
}

func TestIsOneEdit(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"", "a", true},
		{"ttl", "ttl", true},
		{"tl", "ttl", true},
		{"ttll", "ttl", true},
		{"tel", "ttl", true},
		{"", "ab", false},
		{"ttl", "ltt", false},
		{"name", "namespaces", false},
		{"ab", "ba", false},
	}
	for _, test := range tests {
		if got := isOneEdit(test.a, test.b); got != test.want {
			t.Errorf("%q and %q: want %t, got %t", test.a, test.b, test.want, got)
		}
	}
}
