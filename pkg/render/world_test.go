package render_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

var endpointKind = schema.GroupVersionKind{Group: "externaldns.k8s.io", Version: "v1alpha1", Kind: "DNSEndpoint"}

// demo is the demo fleet under the policy that is made for it.
func demo(t *testing.T) render.Input {
	t.Helper()
	loaded, findings := fleet.Load(os.DirFS("../../testdata/fleets"), "demo")
	policies := dns(t, v1alpha1.EndpointPerInterface, 1)
	for _, object := range policies {
		if object.GetKind() == "Placement" {
			object.Object["spec"].(map[string]any)["predicates"] = []any{map[string]any{"requiredClusterSelector": map[string]any{
				"labelSelector": map[string]any{"matchLabels": map[string]any{"vm-dns": "true"}},
			}}}
		}
	}
	return render.Input{Fleet: loaded, FleetFindings: findings, Policies: policies, Evaluate: true, Now: time.Unix(1_767_225_600, 0)}
}

func asText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// evaluated leaves out the evaluations of nothing, which Run does not make.
func evaluated(clusters []render.Cluster) []render.Cluster {
	for i, c := range clusters {
		if c.Evaluation != nil && len(c.Evaluation.Policies) == 0 {
			clusters[i].Evaluation = nil
		}
	}
	return clusters
}

// TestWorldBeginsAsRunEnds compares the start of a world, and what it is like after a change that is undone, with the results of Run.
func TestWorldBeginsAsRunEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	in := demo(t)
	var want []render.Cluster
	if _, err := render.Run(ctx, in, func(c render.Cluster) error { want = append(want, c); return nil }); err != nil {
		t.Fatal(err)
	}
	scene, err := render.NewScene(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	world := scene.World()
	outcome, err := world.Settle(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(asText(t, want), asText(t, evaluated(outcome.Clusters))); difference != "" {
		t.Errorf("-run +world:\n%s", difference)
	}
	like := manifest.Object{}
	for _, object := range world.HubObjects() {
		if object.GetKind() == "ManagedCluster" && object.GetName() == "prod-eu-1" {
			like = object
		}
	}
	relabelled := like
	relabelled.Unstructured = like.DeepCopy()
	relabelled.SetLabels(map[string]string{"vm-dns": "no"})
	endpoints := func(count int) {
		t.Helper()
		if _, err := world.Settle(ctx); err != nil {
			t.Fatal(err)
		}
		state, _ := world.Cluster("prod-eu-1")
		if list, err := state.List(endpointKind, "", nil); err != nil || len(list) != count {
			t.Errorf("%d DNSEndpoints, want %d (%v)", len(list), count, err)
		}
	}
	endpoints(2)
	world.PutOnHub(relabelled)
	endpoints(0)
	world.PutOnHub(like)
	endpoints(2)
	// Another world knows nothing of it.
	other, err := scene.World().Settle(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(asText(t, want), asText(t, evaluated(other.Clusters))); difference != "" {
		t.Errorf("-run +another world:\n%s", difference)
	}
}

// TestCompareOfEqualPolicies finds that nothing changes.
func TestCompareOfEqualPolicies(t *testing.T) {
	t.Parallel()
	in := demo(t)
	count := 0
	before, after, err := render.Compare(context.Background(), in, in.Policies, func(transition render.Transition) error {
		count++
		if e := transition.After.Evaluation; e != nil {
			for _, policy := range e.Policies {
				for _, template := range policy.Templates {
					if len(template.Changes) > 0 {
						t.Errorf("%s: %s", transition.After.Name, asText(t, template.Changes))
					}
				}
			}
		}
		return nil
	})
	if err != nil || count != 5 || cmp.Diff(before, after) != "" {
		t.Errorf("%d clusters, %v, %v", count, err, cmp.Diff(before, after))
	}
}
