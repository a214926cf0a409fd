package evaluate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyloom/policyloom/pkg/evaluate"
)

// The life of a machine: its record comes, follows the address, and goes.
func TestSessionFollowsMachine(t *testing.T) {
	t.Parallel()
	templates := vmDNS(t, "")
	state := newState(t, vmi(t, "shop", "web"))
	session := evaluate.NewSession(state)
	step := func(name string, want []string, wantChanges ...string) {
		t.Helper()
		result := run(t, session, templates)
		if len(result.Findings) > 0 || result.Policies[0].Compliance != evaluate.Compliant {
			t.Errorf("%s: %s %v", name, result.Policies[0].Compliance, result.Findings)
		}
		if diff := cmp.Diff(want, records(t, state)); diff != "" {
			t.Errorf("%s: records (-want +got):\n%s", name, diff)
		}
		var changes []string
		for _, c := range result.Policies[0].Templates[0].Changes {
			changes = append(changes, string(c.Verb)+" "+c.Kind+" "+c.Namespace+"/"+c.Name)
		}
		if diff := cmp.Diff(wantChanges, changes); diff != "" {
			t.Errorf("%s: changes (-want +got):\n%s", name, diff)
		}
	}
	step("no address", nil)
	state.Put(vmi(t, "shop", "web", "192.0.2.1"))
	step("address", []string{"web.shop.example.com A 192.0.2.1"}, "created DNSEndpoint shop/web-corp")
	step("again", []string{"web.shop.example.com A 192.0.2.1"})
	state.Put(vmi(t, "shop", "web", "192.0.2.2"))
	step("other address", []string{"web.shop.example.com A 192.0.2.2"}, "updated DNSEndpoint shop/web-corp")
	remove(t, state, endpointKind, "shop", "web-corp")
	step("record deleted by hand", []string{"web.shop.example.com A 192.0.2.2"}, "created DNSEndpoint shop/web-corp")
	remove(t, state, machineKind, "shop", "web")
	step("machine gone", nil, "deleted DNSEndpoint shop/web-corp")
}

// A policy that leaves the cluster takes what it created along.
func TestSessionRemovesPolicies(t *testing.T) {
	t.Parallel()
	state := newState(t, vmi(t, "shop", "web", "192.0.2.1"))
	session := evaluate.NewSession(state)
	run(t, session, vmDNS(t, ""))
	result := run(t, session, nil)
	if got := records(t, state); got != nil {
		t.Errorf("records stay: %v", got)
	}
	if len(result.Policies) != 1 || len(result.Policies[0].Templates[0].Changes) != 1 {
		t.Errorf("the removal is not told: %+v", result.Policies)
	}
}

// What a policy that informs would do is told, and not done.
func TestSessionWould(t *testing.T) {
	t.Parallel()
	state := newState(t, vmi(t, "shop", "web", "192.0.2.1"))
	before := state.Version()
	result := run(t, evaluate.NewSession(state, evaluate.Would()), vmDNS(t, "remediationAction: inform"))
	template := result.Policies[0].Templates[0]
	if template.Compliance != evaluate.NonCompliant || !strings.Contains(template.Message, "dnsendpoints [web-corp] not found in namespace shop") {
		t.Errorf("got %s: %s", template.Compliance, template.Message)
	}
	if len(template.Changes) != 1 || !template.Changes[0].Would || template.Changes[0].Verb != evaluate.Created {
		t.Errorf("got %+v", template.Changes)
	}
	if got := records(t, state); got != nil {
		t.Errorf("the policy that informs made %v, version %d -> %d", got, before, state.Version())
	}
}
