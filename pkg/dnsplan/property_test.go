package dnsplan

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/external-dns/endpoint"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// randomInput gives a small fleet whose clusters get into each other's way.
func randomInput(r *rand.Rand) Input {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	names := []string{
		"a.example.com", "b.example.com", "c.example.com", "*.example.com", "example.com", "d.sub.example.com", "x.example.net",
		"a-b.example.com", strings.Repeat("l", 62) + ".example.com",
	}
	in := Input{MaxDeletePercent: 100, Zones: []StartZone{{Name: "example.com"}, {Name: "sub.example.com"}}}
	for n := range 1 + r.IntN(3) {
		cluster := fmt.Sprintf("c%d", n)
		args := []string{"--txt-owner-id=" + pick(cluster, cluster, cluster, "shared"), "--policy=" + pick("sync", "sync", "upsert-only", "create-only")}
		if r.IntN(8) == 0 {
			args = append(args, "--registry=noop")
		}
		if r.IntN(6) == 0 {
			args = append(args, "--txt-prefix="+pick("p-", "%{record_type}.", "x."))
		}
		if r.IntN(6) == 0 {
			args = append(args, "--migrate-from-txt-owner=c0")
		}
		c := Cluster{Name: cluster, Settings: []Settings{{Cluster: cluster, Args: args}}}
		for m := range r.IntN(4) {
			var endpoints []any
			for range 1 + r.IntN(2) {
				recordType, target := "A", fmt.Sprintf("192.0.2.%d", r.IntN(5))
				switch r.IntN(6) {
				case 0:
					recordType, target = "CNAME", pick("one.example.net", "two.example.net")
				case 1:
					recordType, target = "AAAA", fmt.Sprintf("2001:db8::%d", r.IntN(5))
				}
				labels := map[string]any{}
				if r.IntN(20) == 0 {
					labels["z"] = "1,external-dns/owner=c1"
				}
				endpoints = append(endpoints, map[string]any{
					"dnsName": pick(names...), "recordType": recordType, "recordTTL": int64(60 * r.IntN(3)), "targets": []any{target}, "labels": labels,
				})
			}
			c.Endpoints = append(c.Endpoints, manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "externaldns.k8s.io/v1alpha1", "kind": "DNSEndpoint",
				"metadata": map[string]any{"name": fmt.Sprintf("e%d", m), "namespace": "shop"}, "spec": map[string]any{"endpoints": endpoints},
			}}})
		}
		in.Clusters = append(in.Clusters, c)
	}
	for _, name := range names {
		if r.IntN(3) > 0 || !strings.HasSuffix(name, ".example.com") || strings.HasSuffix(name, "sub.example.com") {
			continue
		}
		list, problem := recordYAML{
			Name: name, Type: "A", TTL: 60, Targets: []string{"192.0.2.1"}, Owner: pick("", "c0", "c1", "gone"), Resource: "",
		}.startRecords()
		if problem == "" {
			in.Zones[0].Records = append(in.Zones[0].Records, list[r.IntN(len(list)):]...)
		}
	}
	return in
}

// TestPlansOfRandomFleets checks what is true of every plan: the same input gives the same bytes; a plan that comes to rest leaves
// nothing to do; no zone breaks the rules of DNS; the order matters only where names are contended; and each wanted record is either
// there or listed with a reason.
func TestPlansOfRandomFleets(t *testing.T) {
	t.Parallel()
	settled, contested := 0, 0
	for seed := range uint64(500) {
		in := randomInput(rand.New(rand.NewPCG(seed, 1)))
		text := planText(t, in)
		if again := planText(t, randomInput(rand.New(rand.NewPCG(seed, 1)))); again != text {
			t.Fatalf("seed %d: two plans differ:\n%s\n%s", seed, text, again)
		}
		r := runner{in: in}
		r.prepare()
		start := r.startZones()
		if r.faulty {
			t.Fatal(seed, r.findings)
		}
		forward, err := simulate(context.Background(), start, r.instances)
		if err != nil {
			t.Fatal(err)
		}
		checkRules(t, seed, forward.world)
		everyWant(t, seed, &r, start, forward)
		if !forward.settled {
			continue
		}
		settled++
		again, err := simulate(context.Background(), forward.world, r.instances)
		if err != nil || again.rounds != 1 || !again.settled {
			t.Errorf("seed %d: there is more to do: %+v", seed, again.log)
		}
		backward := slices.Clone(r.instances)
		slices.Reverse(backward)
		other, err := simulate(context.Background(), start, backward)
		if err != nil {
			t.Fatal(err)
		}
		if same := sameWorlds(forward.world, other.world); !same && !contended(start, r.instances) {
			t.Errorf("seed %d: the order matters though nothing is contended", seed)
		} else if !same {
			contested++
		}
	}
	if settled < 150 || contested < 8 {
		t.Errorf("the fleets are too dull: %d come to rest, in %d the order matters", settled, contested)
	}
}

func planText(t *testing.T, in Input) string {
	t.Helper()
	plan, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(plan, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sameWorlds(a, b world) bool {
	for name, z := range a {
		if len(z.records) != len(b[name].records) {
			return false
		}
		for key, e := range z.records {
			if !equalRecords(e, b[name].records[key]) {
				return false
			}
		}
	}
	return true
}

// checkRules looks for CNAMEs beside other records, records outside of their zone, and empty record sets.
func checkRules(t *testing.T, seed uint64, w world) {
	t.Helper()
	for name, z := range w {
		for key, e := range z.records {
			if w.zoneOf(key.name, func(string) bool { return true }) != name {
				t.Errorf("seed %d: %v is in the zone %s", seed, key, name)
			}
			if len(e.Targets) == 0 {
				t.Errorf("seed %d: %v is empty", seed, key)
			}
			if key.recordType != endpoint.RecordTypeCNAME {
				continue
			}
			for other := range z.records {
				if other.name == key.name && other != key {
					t.Errorf("seed %d: %v is beside %v", seed, other, key)
				}
			}
		}
	}
}

// everyWant checks that each wanted record is in its zone with its targets, or has a reason.
func everyWant(t *testing.T, seed uint64, r *runner, start world, o outcome) {
	t.Helper()
	r.plan(start, o)
	for _, i := range r.instances {
		for _, w := range i.wants {
			if w.detail == notWritten {
				t.Errorf("seed %d: no reason for %s %s of %s", seed, w.name, w.recordType, i.name())
			}
			if w.lost != "" {
				continue
			}
			final := o.world.find(recordKey{canonical(w.name), w.recordType, w.setIdentifier})
			if final == nil || slices.ContainsFunc(w.targets, func(target string) bool { return !slices.Contains(final.Targets, target) }) {
				t.Errorf("seed %d: %s %s of %s is not there, and nothing says why", seed, w.name, w.recordType, i.name())
			}
		}
	}
}
