package evaluate_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// policy gives a ConfigurationPolicy that stands in the policy policies/NAME.
func policy(t testing.TB, name, spec string) evaluate.Template {
	t.Helper()
	object := parse(t, "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nmetadata: {name: "+name+", namespace: prod}\nspec:\n"+spec)
	return evaluate.Template{Policy: "policies/" + name, Object: manifest.Object{Unstructured: object}}
}

// outcome says what each policy came to and what it changed.
func outcome(result evaluate.Evaluated) string {
	var lines []string
	for _, p := range result.Policies {
		for _, t := range p.Templates {
			lines = append(lines, t.Template+": "+t.Message)
			for _, c := range t.Changes {
				line := fmt.Sprintf("  %s %s %s/%s", c.Verb, c.Kind, c.Namespace, c.Name)
				if c.Would {
					line = strings.Replace(line, "  ", "  would be ", 1)
				}
				for _, f := range c.Fields {
					line += fmt.Sprintf(" %s: %v -> %v", f.Path, f.Before, f.After)
				}
				if c.Cause != "" {
					line += ", " + c.Cause
				}
				lines = append(lines, line)
			}
		}
	}
	for _, f := range result.Findings {
		if f.Severity != diag.Info {
			lines = append(lines, string(f.Severity)+" "+f.String())
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

const configMap = `
    objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: east}}`

// What the options of ConfigurationPolicies do.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fixtures []string
		policies []string
		want     string
	}{
		"musthave keeps what is there": {
			fixtures: []string{"{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: west, more: x}}"},
			policies: []string{"  remediationAction: enforce\n  object-templates:\n  - complianceType: musthave" + configMap},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [zones] found as specified in namespace shop\n" +
				"  updated ConfigMap shop/zones data.zone: west -> east\n",
		},
		"mustonlyhave removes it, and metadataComplianceType keeps the labels": {
			fixtures: []string{"{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop, labels: {a: b}}, data: {zone: west, more: x}}"},
			policies: []string{"  remediationAction: enforce\n  object-templates:\n  - complianceType: mustonlyhave\n    metadataComplianceType: musthave" + configMap},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [zones] found as specified in namespace shop\n" +
				"  updated ConfigMap shop/zones data.more: x -> <nil> data.zone: west -> east\n",
		},
		"namespaceSelector and objectSelector": {
			fixtures: []string{
				"{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}", "{apiVersion: v1, kind: Namespace, metadata: {name: bank}}",
				"{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: shop, labels: {dns: wanted}}}",
				"{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: shop}}",
				"{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: bank, labels: {dns: wanted}}}",
			},
			policies: []string{`
  remediationAction: enforce
  namespaceSelector: {matchLabels: {team: a}}
  object-templates:
  - complianceType: musthave
    objectSelector: {matchLabels: {dns: wanted}}
    objectDefinition: {apiVersion: v1, kind: ConfigMap, data: {name: '{{ .ObjectName }}'}}`},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [one] found as specified in namespace shop\n" +
				"  updated ConfigMap shop/one data: <nil> -> map[name:one]\n",
		},
		"skipObject": {
			policies: []string{`
  remediationAction: enforce
  object-templates:
  - complianceType: musthave
    objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: '{{ skipObject }}'}}`},
			want: "ConfigurationPolicy p0: Compliant; notification - All objects of kind ConfigMap were skipped by the `skipObject` template function\n",
		},
		"recreateOption": {
			fixtures: []string{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, uid: old}, spec: {replicas: 1, selector: {matchLabels: {app: a}}}}"},
			policies: []string{`
  remediationAction: enforce
  object-templates:
  - complianceType: musthave
    recreateOption: IfRequired
    objectDefinition: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: b}}}}`},
			want: "ConfigurationPolicy p0: Compliant; notification - deployments [web] found as specified in namespace shop\n" +
				"  recreated Deployment shop/web spec.replicas: 1 -> <nil> spec.selector.matchLabels.app: a -> b\n",
		},
		"an immutable field without recreateOption": {
			fixtures: []string{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: a}}}}"},
			policies: []string{`
  remediationAction: enforce
  object-templates:
  - complianceType: musthave
    objectDefinition: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: b}}}}`},
			want: "ConfigurationPolicy p0: NonCompliant; violation - deployments [web] in namespace shop cannot be updated, likely due to immutable fields " +
				"not matching, you may set spec[\"object-templates\"][].recreateOption to recreate the object\n",
		},
		"customMessage": {
			policies: []string{"  remediationAction: inform\n  customMessage: {noncompliant: 'no {{ (index .Policy.status.relatedObjects 0).object.metadata.name }}'}\n" +
				"  object-templates:\n  - complianceType: musthave" + configMap},
			want: "ConfigurationPolicy p0: NonCompliant; no zones\n  would be created ConfigMap shop/zones\n",
		},
		"InformOnly is to inform": {
			policies: []string{"  remediationAction: InformOnly\n  object-templates:\n  - complianceType: mustnothave" + configMap},
			fixtures: []string{"{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: east}}"},
			want:     "ConfigurationPolicy p0: NonCompliant; violation - configmaps [zones] found in namespace shop\n  would be deleted ConfigMap shop/zones\n",
		},
		"a namespace that does not exist": {
			policies: []string{"  remediationAction: enforce\n  object-templates:\n  - complianceType: musthave" + strings.ReplaceAll(configMap, "shop", "none")},
			want: "ConfigurationPolicy p0: NonCompliant; violation - configmaps [zones] in namespace none is missing, and cannot be created, reason: " +
				"`namespaces \"none\" not found`\n",
		},
		"one policy makes the namespace of the next": {
			policies: []string{
				"  remediationAction: enforce\n  object-templates:\n  - complianceType: musthave" + strings.ReplaceAll(configMap, "shop", "new"),
				"  remediationAction: enforce\n  object-templates:\n  - complianceType: musthave\n    objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: new}}",
			},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [zones] found as specified in namespace new\n" +
				"  created ConfigMap new/zones\n" +
				"ConfigurationPolicy p1: Compliant; notification - namespaces [new] found as specified\n  created Namespace /new\n",
		},
		"what belongs to a deleted object goes with it": {
			fixtures: []string{
				"{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop, uid: u1}, data: {zone: east}}",
				"{apiVersion: v1, kind: Secret, metadata: {name: child, namespace: shop, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: zones, uid: u1}]}}",
			},
			policies: []string{"  remediationAction: enforce\n  object-templates:\n  - complianceType: mustnothave" + configMap},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [zones] missing as expected in namespace shop\n" +
				"  deleted ConfigMap shop/zones\n  deleted Secret shop/child, its owner ConfigMap shop/zones is gone\n",
		},
		"two policies fight": {
			policies: []string{
				"  remediationAction: enforce\n  object-templates:\n  - complianceType: musthave" + configMap,
				"  remediationAction: enforce\n  object-templates:\n  - complianceType: mustnothave" + configMap,
			},
			want: "ConfigurationPolicy p0: Compliant; notification - configmaps [zones] was created successfully in namespace shop\n" +
				"  created ConfigMap shop/zones\n" +
				"ConfigurationPolicy p1: Compliant; notification - configmaps [zones] was deleted successfully in namespace shop\n" +
				"  deleted ConfigMap shop/zones\n" +
				"error Policy policies/p0: still changes the cluster after 10 evaluations: ConfigMap shop/zones (two entries or policies want the same " +
				"object to be different, or a template gives another result each time)\n" +
				"error Policy policies/p1: still changes the cluster after 10 evaluations: ConfigMap shop/zones (two entries or policies want the same " +
				"object to be different, or a template gives another result each time)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for way, options := range map[string][]evaluate.SessionOption{
				"whole": {evaluate.WholePolicies(), evaluate.Would()}, "as usual": {evaluate.Would()}, "one by one": {evaluate.SliceSize(1), evaluate.Would()},
			} {
				fixtures := []*unstructured.Unstructured{parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}")}
				if len(c.fixtures) > 0 && strings.Contains(c.fixtures[0], "kind: Namespace") {
					fixtures = nil
				}
				for _, text := range c.fixtures {
					fixtures = append(fixtures, parse(t, text))
				}
				var templates []evaluate.Template
				for i, spec := range c.policies {
					templates = append(templates, policy(t, fmt.Sprintf("p%d", i), spec))
				}
				got := outcome(run(t, evaluate.NewSession(newState(t, fixtures...), options...), templates))
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
		})
	}
}

// A template waits for its dependencies, and is taken back when they are not met any more.
func TestDependencies(t *testing.T) {
	t.Parallel()
	state := newState(t, parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"), parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: later}}"))
	first := policy(t, "first", "  remediationAction: inform\n  object-templates:\n  - complianceType: musthave"+configMap)
	second := policy(t, "second", "  remediationAction: enforce\n  pruneObjectBehavior: DeleteIfCreated\n  object-templates:\n  - complianceType: musthave"+
		strings.ReplaceAll(configMap, "shop", "later"))
	second.Dependencies = []evaluate.Dependency{{
		GroupVersionKind: schema.GroupVersionKind{Group: "policy.open-cluster-management.io", Version: "v1", Kind: "Policy"},
		Name:             "policies.first", Compliance: "Compliant",
	}}
	ignoring := second
	ignoring.Object.Unstructured = second.Object.DeepCopy()
	ignoring.Object.SetName("ignoring")
	ignoring.Policy, ignoring.IgnorePending = "policies/ignoring", true
	session := evaluate.NewSession(state)
	// The templates that wait come first: what they wait for is known in the second round only.
	templates := []evaluate.Template{second, ignoring, first}
	step := func(want string) {
		t.Helper()
		if diff := cmp.Diff(want, outcome(run(t, session, templates))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	pending := "ConfigurationPolicy second: Pending; Dependencies were not satisfied: 1 is still pending (Policy policies.first)\n%s" +
		"ConfigurationPolicy ignoring: Compliant; Dependencies were not satisfied: 1 is still pending (Policy policies.first) but ignorePending is true\n" +
		"ConfigurationPolicy first: NonCompliant; violation - configmaps [zones] not found in namespace shop\n"
	step(fmt.Sprintf(pending, ""))
	state.Put(parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: east}}"))
	step("ConfigurationPolicy second: Compliant; notification - configmaps [zones] found as specified in namespace later\n  created ConfigMap later/zones\n" +
		"ConfigurationPolicy ignoring: Compliant; notification - configmaps [zones] found as specified in namespace later\n" +
		"ConfigurationPolicy first: Compliant; notification - configmaps [zones] found as specified in namespace shop\n")
	remove(t, state, schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "shop", "zones")
	step(fmt.Sprintf(pending, "  deleted ConfigMap later/zones\n"))
}

// Objects that exist before, or that someone else makes again, are not the policy's to prune.
func TestOwnership(t *testing.T) {
	t.Parallel()
	configMaps := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	kind := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	spec := "  remediationAction: enforce\n  pruneObjectBehavior: DeleteIfCreated\n  object-templates:\n  - complianceType: musthave" + configMap
	for name, c := range map[string]struct {
		before string
		after  func(*testing.T, *cluster.State)
		left   bool
	}{
		"created by the policy": {},
		"there before":          {before: "{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop, uid: u}}", left: true},
		"made again by others": {after: func(t *testing.T, s *cluster.State) {
			t.Helper()
			remove(t, s, kind, "shop", "zones")
			object := parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: zones, namespace: shop}, data: {zone: east}}")
			if _, err := s.Client().Resource(configMaps).Namespace("shop").Create(context.Background(), object, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}, left: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := newState(t, parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"))
			if c.before != "" {
				state.Put(parse(t, c.before))
			}
			session := evaluate.NewSession(state)
			run(t, session, []evaluate.Template{policy(t, "p", spec)})
			if c.after != nil {
				c.after(t, state)
			}
			run(t, session, nil)
			if _, found, err := state.Get(kind, "shop", "zones"); err != nil || found != c.left {
				t.Errorf("is there: %t, want %t (%v)", found, c.left, err)
			}
		})
	}
}

// A template error prunes nothing, and an evaluation leaves no goroutine behind.
func TestTemplateErrorPrunesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	state := newState(t, parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"))
	session := evaluate.NewSession(state, evaluate.SliceSize(1))
	text := func(second string) evaluate.Template {
		return policy(t, "p", "  remediationAction: enforce\n  pruneObjectBehavior: DeleteIfCreated\n  object-templates:\n  - complianceType: musthave"+configMap+
			"\n  - complianceType: musthave\n    objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: shop}, data: {a: '"+second+"'}}")
	}
	run(t, session, []evaluate.Template{text("x")})
	result := run(t, session, []evaluate.Template{text(`{{ fail "no" }}`)})
	if result.Policies[0].Compliance != evaluate.NonCompliant || len(result.Policies[0].Templates[0].Changes) > 0 {
		t.Errorf("got %s", outcome(result))
	}
	for range 50 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}
