package propagate

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	policiesv1beta1 "open-cluster-management.io/governance-policy-propagator/api/v1beta1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"
	placementrulev1 "open-cluster-management.io/multicloud-operators-subscription/pkg/apis/apps/placementrule/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/placement"
)

// crossDecisions are the placements of testdata/hub.yaml.
var crossDecisions = []placement.Result{
	selects("ns", "all", "c1", "c2", "c3"),
	selects("ns", "europe", "c1"),
	{Kind: "PlacementRule", Namespace: "ns", Name: "old", Groups: []placement.Group{{Clusters: []string{"c2"}}}},
}

// TestEqualsThePropagator replicates each policy of testdata to each cluster with the propagator's own reconciler and with
// ours, and compares what comes out.
func TestEqualsThePropagator(t *testing.T) {
	objects := append(readFile(t, "testdata/hub.yaml"), readFile(t, "testdata/policies.yaml")...)
	p, _ := New(objects, crossDecisions, memoryWatcher{objects})
	ours := map[types.NamespacedName]*policiesv1.Policy{}
	for _, cluster := range []string{"c1", "c2", "c3"} {
		list, _ := p.Cluster(cluster)
		for _, replicated := range list {
			ours[types.NamespacedName{Namespace: cluster, Name: replicated.Policy.Name}] = replicated.Policy
		}
	}
	reconciler := newReconciler(t, objects)
	replicated := 0
	for _, object := range objects {
		if object.GetKind() != "Policy" {
			continue
		}
		for _, cluster := range []string{"c1", "c2", "c3"} {
			name := types.NamespacedName{Namespace: cluster, Name: object.GetNamespace() + "." + object.GetName()}
			// An error means that the propagator would try again; what counts is whether it replicated the policy.
			_, _ = reconciler.Reconcile(context.Background(), ctrl.Request{NamespacedName: name})
			theirs := &policiesv1.Policy{}
			if err := reconciler.Get(context.Background(), name, theirs); client.IgnoreNotFound(err) != nil {
				t.Fatal(err)
			}
			mine := ours[name]
			switch {
			case (mine == nil) != (theirs.Name == ""):
				t.Errorf("%s: replicated by the propagator: %v, by us: %v", name, theirs.Name != "", mine != nil)
			case mine != nil:
				replicated++
				if got, want := comparable(t, mine), comparable(t, theirs); got != want {
					t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
				}
			}
		}
	}
	if replicated < 35 {
		t.Errorf("only %d policies were replicated", replicated)
	}
}

// comparable gives what a replicated policy consists of: labels, annotations and spec.
func comparable(t *testing.T, policy *policiesv1.Policy) string {
	data, err := json.MarshalIndent([]any{policy.Labels, policy.Annotations, policy.Spec}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func newReconciler(t *testing.T, objects []manifest.Object) *propagator.ReplicatedPolicyReconciler {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, clusterv1.Install, clusterv1beta1.Install, policiesv1.AddToScheme, policiesv1beta1.AddToScheme, placementrulev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	builder := fake.NewClientBuilder().WithScheme(scheme).WithInterceptorFuncs(interceptor.Funcs{
		// The propagator takes the kind of the replica from the root policy; a cached client keeps it, the fake one does not.
		Get: func(ctx context.Context, inner client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
			err := inner.Get(ctx, key, object, options...)
			if policy, ok := object.(*policiesv1.Policy); ok && err == nil {
				policy.SetGroupVersionKind(policiesv1.GroupVersion.WithKind("Policy"))
			}
			return err
		},
	})
	for _, object := range objects {
		builder.WithObjects(object.DeepCopy())
	}
	for _, result := range crossDecisions {
		if result.Kind == "PlacementRule" {
			rule := &placementrulev1.PlacementRule{}
			rule.Namespace, rule.Name = result.Namespace, result.Name
			for _, cluster := range result.Clusters() {
				rule.Status.Decisions = append(rule.Status.Decisions, placementrulev1.PlacementDecision{ClusterName: cluster})
			}
			builder.WithObjects(rule)
			continue
		}
		spec := &clusterv1beta1.Placement{}
		spec.Namespace, spec.Name = result.Namespace, result.Name
		decision := &clusterv1beta1.PlacementDecision{}
		decision.Namespace, decision.Name = result.Namespace, result.Name+"-decision-1"
		decision.Labels = map[string]string{clusterv1beta1.PlacementLabel: result.Name}
		for _, cluster := range result.Clusters() {
			decision.Status.Decisions = append(decision.Status.Decisions, clusterv1beta1.ClusterDecision{ClusterName: cluster})
		}
		builder.WithObjects(spec, decision)
	}
	watcher := memoryWatcher{objects}
	resolver, err := templates.NewResolverWithDynamicWatcher(watcher, templates.Config{
		AdditionalIndentation: 8, StartDelim: propagator.TemplateStartDelim, StopDelim: propagator.TemplateStopDelim, SkipBatchManagement: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	kubeClient := builder.Build()
	updates := make(chan event.GenericEvent, 100)
	resolvers, _ := propagator.NewTemplateResolvers(t.Context(), &rest.Config{}, kubeClient, resolver, updates)
	return &propagator.ReplicatedPolicyReconciler{
		Propagator: propagator.Propagator{
			Client: kubeClient, Scheme: scheme, Recorder: &events.FakeRecorder{},
			RootPolicyLocks: &sync.Map{}, ReplicatedPolicyUpdates: updates,
		},
		ResourceVersions:  &sync.Map{},
		DynamicWatcher:    watcher,
		TemplateResolvers: resolvers,
	}
}

// TestCrossCheckCovers makes sure that the cross-check's inputs still lead to the errors that they are there for.
func TestCrossCheckCovers(t *testing.T) {
	objects := append(readFile(t, "testdata/hub.yaml"), readFile(t, "testdata/policies.yaml")...)
	p, findings := New(objects, crossDecisions, memoryWatcher{objects})
	text := findings.Error()
	for _, cluster := range p.Clusters() {
		_, findings := p.Cluster(cluster)
		text += "\n" + findings.Error()
	}
	for _, want := range []string{
		"PolicySet ns/virtualization: spec.policies[2]: there is no Policy ns/missing",
		"PlacementBinding ns/nowhere: placementRef.name: there is no Placement ns/gone",
		"Policy ns/unplaced: no PlacementBinding places the policy, so it reaches no cluster (create a PlacementBinding in namespace ns)",
		"Policy ns/only-restricted: only bindings with subFilter: restricted name the policy; they override, but place nothing",
		"Policy ns/nowhere: the placements of the policy select no cluster",
		"Policy ns/disabled: spec.disabled: the policy is disabled, so it reaches no cluster",
		`cluster c2: Policy ns/stops: spec.policy-templates[1].objectDefinition.spec.zone: hub template of policy-templates[1] ConfigurationPolicy/stops-1: <fromConfigMap "" .ManagedClusterName "zone">: error calling fromConfigMap: failed getting the ConfigMap c2 from : configmaps "c2" not found`,
		`cluster c3: Policy ns/cluster-lookup: spec.policy-templates[0].objectDefinition.spec.object-templates-raw: hub template of policy-templates[0] ConfigurationPolicy/cluster-lookup-0, line 2: `,
		"cluster c1: Policy ns/syntax: spec.policy-templates[0].objectDefinition.spec.object-templates-raw: hub template of policy-templates[0] ConfigurationPolicy/syntax-0, line 2: missing value for if",
		"cluster c1: Policy ns/missing-api: spec.policy-templates[0].objectDefinition.spec.object-templates-raw: hub template of policy-templates[0] ConfigurationPolicy/missing-api-0, line 1: ",
		"; the hub retries and does not replicate the policy (the hub's fixtures know no such API)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no finding says\n%s\nbut:\n%s", want, text)
		}
	}
	for _, fine := range []string{"ns/configmaps:", "ns/labels:", "ns/context:", "ns/encrypted:"} {
		if strings.Contains(text, fine) {
			t.Errorf("there is a finding about %s\n%s", fine, text)
		}
	}
	if strings.Contains(text, "c2VjcmV0") {
		t.Error("a finding shows a secret")
	}
}
