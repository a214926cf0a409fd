package templates_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// sharded gives what each of the shards renders, and all of their findings.
func sharded(t *testing.T, dns *v1alpha1.VirtualMachineDNS, shards int, objects []map[string]any) (byShard [][]evaluate.Object, findings diag.Findings) {
	t.Helper()
	copied := *dns
	copied.Spec.Policy.Shards = &shards
	for _, policy := range generated(t, &copied, "vm-dns") {
		rendered, found := render(t, policy, decoded(t, objects...))
		byShard, findings = append(byShard, rendered), append(findings, found...)
	}
	if len(byShard) != shards {
		t.Fatalf("%d policies for %d shards", len(byShard), shards)
	}
	return byShard, findings
}

// lines gives each object as one text, by its key.
func lines(t *testing.T, objects []evaluate.Object) map[string]string {
	t.Helper()
	byKey := map[string]string{}
	for _, object := range objects {
		key := object.Object.GetNamespace() + "/" + object.Object.GetName()
		if _, twice := byKey[key]; twice {
			t.Errorf("%s comes twice", key)
		}
		byKey[key] = show(t, []evaluate.Object{object}, nil)
	}
	return byKey
}

func TestShardsGiveTogetherWhatOnePolicyGives(t *testing.T) {
	t.Parallel()
	wanted, gone := 0, 0
	for seed := range uint64(150) {
		c := chance{rand.New(rand.NewPCG(seed, 1))}
		dns, objects := resource(t, c.text(t)), c.objects()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			whole, found := sharded(t, dns, 1, objects)
			shards := 2 + c.IntN(6)
			parts, foundInParts := sharded(t, dns, shards, objects)
			want, got := lines(t, whole[0]), lines(t, slices.Concat(parts...))
			if !maps.Equal(got, want) {
				t.Errorf("%d shards give\n%v\nwant\n%v", shards, got, want)
			}
			if got, want := messages(foundInParts), messages(found); !slices.Equal(got, want) {
				t.Errorf("%d shards warn\n%s\nwant\n%s", shards, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for _, object := range whole[0] {
				if object.ComplianceType == "mustnothave" {
					gone++
				} else {
					wanted++
				}
			}
		})
	}
	if wanted < 50 || gone < 20 {
		t.Errorf("%d objects and %d to go are too few to show anything", wanted, gone)
	}
}

func messages(findings diag.Findings) []string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Field+": "+f.Message)
	}
	slices.Sort(list)
	return list
}

// While the number of shards changes, policies of the old and of the new number are there at a time. None of them may ask for the
// removal of what a machine wants, and those that want an object want the same.
func TestShardsOfTwoNumbersAgree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		c := chance{rand.New(rand.NewPCG(seed, 2))}
		dns, objects := resource(t, c.text(t)), c.objects()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			before, _ := sharded(t, dns, 1+c.IntN(4), objects)
			after, _ := sharded(t, dns, 1+c.IntN(8), objects)
			want := map[string]string{}
			for _, part := range slices.Concat(before, after) {
				for key, text := range lines(t, part) {
					if other, known := want[key]; known && other != text {
						t.Errorf("%s is\n%s\nand\n%s", key, other, text)
					}
					want[key] = text
				}
			}
		})
	}
}

// Which shard an object belongs to depends on nothing but its namespace and name.
func TestShardsAreStable(t *testing.T) {
	t.Parallel()
	const shards = 5
	for _, per := range []string{"Interface", "VirtualMachine", "Namespace"} {
		t.Run(per, func(t *testing.T) {
			t.Parallel()
			dns := resource(t, "endpoint: {per: "+per+"}")
			var machines []map[string]any
			for i := range 300 {
				key := fmt.Sprintf("team-%03d/vm%03d", i%100, i)
				machines = append(machines, machine(key, asked{"corp": fmt.Sprintf("vm%d.example.com", i)}, nic("corp", "192.0.2.1")))
			}
			all := shardOf(t, dns, shards, machines)
			few := shardOf(t, dns, shards, machines[:150])
			for key, shard := range few {
				if all[key] != shard {
					t.Errorf("%s moves from shard %d to %d when machines come", key, shard, all[key])
				}
			}
			sizes := make([]int, shards)
			for _, shard := range all {
				sizes[shard]++
			}
			if fair := len(all) / shards; slices.Min(sizes) < fair/2 || slices.Max(sizes) > 2*fair {
				t.Errorf("sizes %v", sizes)
			}
		})
	}
}

func shardOf(t *testing.T, dns *v1alpha1.VirtualMachineDNS, shards int, machines []map[string]any) map[string]int {
	t.Helper()
	parts, _ := sharded(t, dns, shards, machines)
	byKey := map[string]int{}
	for shard, part := range parts {
		for key := range lines(t, part) {
			byKey[key] = shard
		}
	}
	return byKey
}
