package evaluate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// gaps watches the DNSEndpoints of a cluster, and gives the records that were absent at any time.
func gaps(t *testing.T, state *cluster.State, wanted []string) (absent func() map[string]bool) {
	t.Helper()
	holders, lost := map[string]int{}, map[string]bool{}
	count := func(object *unstructured.Unstructured, by int) {
		if object == nil || object.GetKind() != "DNSEndpoint" {
			return
		}
		endpoints, _, _ := unstructured.NestedSlice(object.Object, "spec", "endpoints")
		for _, item := range endpoints {
			endpoint := item.(map[string]any)
			for _, target := range endpoint["targets"].([]any) {
				holders[fmt.Sprint(endpoint["dnsName"], " ", endpoint["recordType"], " ", target)] += by
			}
		}
	}
	objects, err := state.List(endpointKind, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		count(object.Unstructured, 1)
	}
	stop := state.Watch(func(c cluster.Change) {
		count(c.After, 1)
		count(c.Before, -1)
		for _, record := range wanted {
			if holders[record] <= 0 {
				lost[record] = true
			}
		}
	})
	return func() map[string]bool { stop(); return lost }
}

func machines(t *testing.T) (fixtures []*unstructured.Unstructured, wanted []string) {
	t.Helper()
	for _, namespace := range []string{"bank", "shop", "zoo"} {
		for n := range 5 {
			name := fmt.Sprintf("vm%d", n)
			address := fmt.Sprintf("192.0.2.%d", len(wanted)+1)
			fixtures = append(fixtures, vmi(t, namespace, name, address))
			wanted = append(wanted, fmt.Sprintf("%s.%s.example.com A %s", name, namespace, address))
		}
	}
	slices.Sort(wanted)
	return fixtures, wanted
}

// switched goes through sets of settings one after the other. The policies of each reach the cluster in a random order, and it may
// look at them before all of them are there.
func switched(t *testing.T, seed uint64, settings [][]string) (lost map[string]bool, state *cluster.State, wanted []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	fixtures, wanted := machines(t)
	state = newState(t, fixtures...)
	session := evaluate.NewSession(state)
	var before []evaluate.Template
	var absent func() map[string]bool
	for i, s := range settings {
		templates := vmDNS(t, s[0], s[1:]...)
		random.Shuffle(len(templates), func(a, b int) { templates[a], templates[b] = templates[b], templates[a] })
		// Policies that go may go first or last.
		if both := append(append([]evaluate.Template{}, before...), templates...); i > 0 && random.IntN(2) == 0 {
			run(t, session, unique(both))
		}
		run(t, session, templates)
		before = templates
		if i == 0 {
			absent = gaps(t, state, wanted)
		}
	}
	return absent(), state, wanted
}

// unique keeps the last template of each name.
func unique(templates []evaluate.Template) []evaluate.Template {
	last := map[string]int{}
	for i, t := range templates {
		last[t.Object.GetName()] = i
	}
	var kept []evaluate.Template
	for i, t := range templates {
		if last[t.Object.GetName()] == i {
			kept = append(kept, t)
		}
	}
	return kept
}

// The documented ways from one layout to another leave no wanted record absent at any time, and nothing behind. See
// docs/many-machines.md.
func TestSwitchingWithoutGap(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][][]string{
		"to a layout by namespace":   {{""}, {"", "endpoint: {per: Namespace}"}},
		"from a layout by namespace": {{"", "endpoint: {per: Namespace}"}, {"", "endpoint: {per: VirtualMachine}"}},
		"to more shards":             {{"shards: 2"}, {"shards: 2, pruneObjectBehavior: None"}, {"shards: 5, pruneObjectBehavior: None"}, {"shards: 5"}},
		"to one shard":               {{"shards: 3"}, {"shards: 3, pruneObjectBehavior: None"}, {"pruneObjectBehavior: None"}, {""}},
		"to shards":                  {{""}, {"pruneObjectBehavior: None"}, {"shards: 3, pruneObjectBehavior: None"}, {"shards: 3"}},
		"both, one after the other": {
			{"shards: 2"},
			{"shards: 2, pruneObjectBehavior: None"},
			{"pruneObjectBehavior: None"},
			{""},
			{"", "endpoint: {per: Namespace}"},
			{"pruneObjectBehavior: None", "endpoint: {per: Namespace}"},
			{"shards: 3, pruneObjectBehavior: None", "endpoint: {per: Namespace}"},
			{"shards: 3", "endpoint: {per: Namespace}"},
		},
	} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				t.Parallel()
				lost, state, wanted := switched(t, seed, settings)
				if len(lost) > 0 {
					t.Errorf("absent for a while: %v", lost)
				}
				if diff := cmp.Diff(wanted, records(t, state)); diff != "" {
					t.Errorf("records in the end (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// The way that the document warns of does leave a gap: the test above would see one.
func TestSwitchingShardsAtOnceLeavesGap(t *testing.T) {
	t.Parallel()
	gap := false
	for seed := range uint64(8) {
		lost, state, wanted := switched(t, seed, [][]string{{"shards: 2"}, {"shards: 5"}})
		gap = gap || len(lost) > 0
		if diff := cmp.Diff(wanted, records(t, state)); diff != "" {
			t.Errorf("records in the end (-want +got):\n%s", diff)
		}
	}
	if !gap {
		t.Error("no record was ever absent")
	}
}
