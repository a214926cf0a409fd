package evaluate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// world is a cluster whose machines live at random. All of its copies go through the same events.
type world struct {
	t      *testing.T
	random *rand.Rand
	states []*cluster.State
	// wanted are the records of the running machines, by namespace and name.
	wanted map[string]string
	// definition is the one of DNSEndpoint while it is missing.
	definition *unstructured.Unstructured
	action     string
	log        []string
}

var (
	testNamespaces = []string{"bank", "shop"}
	testNames      = []string{"a", "b", "c"}
	crdKind        = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
	namespaceKind  = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
)

const dnsEndpoints = "dnsendpoints.externaldns.k8s.io"

// each does something to all copies of the cluster.
func (w *world) each(do func(*cluster.State)) {
	for _, state := range w.states {
		do(state)
	}
}

// populate starts all machines.
func (w *world) populate() {
	for i, namespace := range testNamespaces {
		for j, name := range testNames {
			address := fmt.Sprintf("198.51.100.%d", 10*i+j)
			w.wanted[namespace+"/"+name] = fmt.Sprintf("%s.%s.example.com A %s", name, namespace, address)
			w.each(func(s *cluster.State) {
				if _, found, _ := s.Get(namespaceKind, "", namespace); !found {
					s.Put(parse(w.t, "{apiVersion: v1, kind: Namespace, metadata: {name: "+namespace+"}}"))
				}
				s.Put(vmi(w.t, namespace, name, address))
			})
		}
	}
}

// event lets one thing happen.
func (w *world) event() {
	namespace, name := testNamespaces[w.random.IntN(2)], testNames[w.random.IntN(3)]
	key := namespace + "/" + name
	address := fmt.Sprintf("192.0.2.%d", 1+w.random.IntN(200))
	record := fmt.Sprintf("%s.%s.example.com A %s", name, namespace, address)
	put := func(machine *unstructured.Unstructured) {
		w.each(func(s *cluster.State) {
			if _, found, _ := s.Get(namespaceKind, "", namespace); !found {
				s.Put(parse(w.t, "{apiVersion: v1, kind: Namespace, metadata: {name: "+namespace+"}}"))
			}
			s.Put(machine.DeepCopy())
		})
	}
	happened := ""
	switch w.random.IntN(12) {
	case 0, 1, 2:
		happened = "runs with " + address
		put(vmi(w.t, namespace, name, address))
		w.wanted[key] = record
	case 3:
		happened = "loses its address"
		put(vmi(w.t, namespace, name))
		delete(w.wanted, key)
	case 4:
		happened = "loses its label"
		machine := vmi(w.t, namespace, name, address)
		machine.SetLabels(nil)
		put(machine)
		delete(w.wanted, key)
	case 5:
		happened = "stops"
		machine := vmi(w.t, namespace, name, address)
		machine.Object["status"].(map[string]any)["phase"] = "Succeeded"
		put(machine)
		delete(w.wanted, key)
	case 6:
		happened = "is deleted"
		w.each(func(s *cluster.State) { s.Remove(machineKind, namespace, name) })
		delete(w.wanted, key)
	case 7:
		key, happened = namespace, "goes with all that is in it"
		w.each(func(s *cluster.State) {
			if _, found, _ := s.Get(namespaceKind, "", namespace); found {
				remove(w.t, s, namespaceKind, "", namespace)
			}
		})
		for _, name := range testNames {
			delete(w.wanted, namespace+"/"+name)
		}
	case 8, 9:
		key, happened = w.touchEndpoint()
	case 10:
		key, happened = dnsEndpoints, w.toggleDefinition()
	case 11:
		w.action = map[string]string{"enforce": "inform", "inform": "enforce"}[w.action]
		key, happened = "policy", "is to "+w.action
	}
	w.log = append(w.log, key+" "+happened)
}

// touchEndpoint changes or deletes a DNSEndpoint by hand.
func (w *world) touchEndpoint() (key, happened string) {
	list, err := w.states[0].List(endpointKind, "", nil)
	if err != nil || len(list) == 0 {
		return "nobody", "touches a DNSEndpoint"
	}
	one := list[w.random.IntN(len(list))]
	namespace, name := one.GetNamespace(), one.GetName()
	if w.random.IntN(2) == 0 {
		w.each(func(s *cluster.State) { remove(w.t, s, endpointKind, namespace, name) })
		return namespace + "/" + name, "is deleted by hand"
	}
	patch := `{"spec":{"endpoints":[{"dnsName":"by.hand.example.com","recordType":"A","targets":["198.51.100.1"]}]}}`
	w.each(func(s *cluster.State) {
		resource, err := s.Cluster().Resource(endpointKind)
		if err == nil {
			_, err = s.Client().Resource(resource.GroupVersionResource).Namespace(namespace).Patch(
				context.Background(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		}
		if err != nil {
			w.t.Fatal(err)
		}
	})
	return namespace + "/" + name, "is changed by hand"
}

// toggleDefinition takes the definition of DNSEndpoint away, or brings it back.
func (w *world) toggleDefinition() string {
	if w.definition != nil {
		w.each(func(s *cluster.State) {
			resource, err := s.Cluster().Resource(crdKind)
			if err == nil {
				_, err = s.Client().Resource(resource.GroupVersionResource).Create(context.Background(), w.definition.DeepCopy(), metav1.CreateOptions{})
			}
			if err != nil {
				w.t.Fatal(err)
			}
		})
		w.definition = nil
		return "comes back"
	}
	definition, _, err := w.states[0].Get(crdKind, "", dnsEndpoints)
	if err != nil {
		w.t.Fatal(err)
	}
	w.definition = definition.DeepCopy()
	for _, field := range []string{"resourceVersion", "uid", "creationTimestamp", "generation"} {
		unstructured.RemoveNestedField(w.definition.Object, "metadata", field)
	}
	w.each(func(s *cluster.State) { remove(w.t, s, crdKind, "", dnsEndpoints) })
	return "goes"
}

func (w *world) records() []string {
	var list []string
	for _, record := range w.wanted {
		list = append(list, record)
	}
	slices.Sort(list)
	return list
}

// The layouts of the policies, and how the real controller gets them: at once, as usual, and in slices of few.
var layouts = map[string]struct {
	policy string
	spec   []string
	// plain is the pruneObjectBehavior of a policy that does not remove by itself what nobody wants.
	plain string
}{
	"a plain policy, DeleteIfCreated": {plain: "DeleteIfCreated"},
	"a plain policy, DeleteAll":       {plain: "DeleteAll"},
	"a plain policy, None":            {plain: "None"},
	"one object for each interface":   {},
	"one object for each machine":     {spec: []string{"endpoint: {per: VirtualMachine}"}},
	"one object for each namespace":   {spec: []string{"endpoint: {per: Namespace}"}},
	"three shards":                    {policy: "shards: 3"},
	"three shards of namespaces":      {policy: "shards: 3", spec: []string{"endpoint: {per: Namespace}"}},
	"polling":                         {policy: "evaluationInterval: {compliant: 10s, noncompliant: 10s}"},
	"nothing is pruned":               {policy: "pruneObjectBehavior: None"},
	"all is pruned":                   {policy: "pruneObjectBehavior: DeleteAll"},
}

// plainPolicy ranges over the machines as one would write it by hand, and leaves the rest to pruneObjectBehavior.
func plainPolicy(t *testing.T, action, prune string) []evaluate.Template {
	t.Helper()
	return []evaluate.Template{policy(t, "plain", "  remediationAction: "+action+"\n  pruneObjectBehavior: "+prune+`
  object-templates-raw: |
    {{- range (lookup "kubevirt.io/v1" "VirtualMachineInstance" "" "" "vm.redhat-cop.dns-name=true").items }}
    {{- $vm := . }}
    {{- range .status.interfaces }}
    {{- if .ipAddresses }}
    - complianceType: mustonlyhave
      metadataComplianceType: musthave
      objectDefinition:
        apiVersion: externaldns.k8s.io/v1alpha1
        kind: DNSEndpoint
        metadata: {name: {{ $vm.metadata.name }}, namespace: {{ $vm.metadata.namespace }}}
        spec: {endpoints: [{dnsName: {{ $vm.metadata.name }}.example.com, recordType: A, targets: [{{ index .ipAddresses 0 }}]}]}
    {{- end }}
    {{- end }}
    {{- end }}
`)}
}

// The controller that gets whole policies, and the one that gets them in slices, make the same of random lives: the next state, the
// compliance, the messages, and what the policies own. Where a policy enforces, the records are those of the running machines.
func TestSlicesAreTheWhole(t *testing.T) {
	t.Parallel()
	for name, layout := range layouts {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				t.Parallel()
				w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), wanted: map[string]string{}, action: "enforce"}
				options := [][]evaluate.SessionOption{{evaluate.WholePolicies()}, nil, {evaluate.SliceSize(1 + int(seed%2))}}
				var sessions []*evaluate.Session
				for _, o := range options {
					state := newState(t)
					w.states = append(w.states, state)
					sessions = append(sessions, evaluate.NewSession(state, o...))
				}
				w.populate()
				for range 14 {
					w.event()
					policy := "remediationAction: " + w.action
					if layout.policy != "" {
						policy += ", " + layout.policy
					}
					templates := vmDNS(t, policy, layout.spec...)
					if layout.plain != "" {
						templates = plainPolicy(t, w.action, layout.plain)
					}
					var first string
					for i, session := range sessions {
						got := summary(t, w.states[i], run(t, session, templates))
						if i == 0 {
							first = got
						} else if got != first {
							t.Fatalf("way %d differs after\n%s\n(-whole +slices)\n%s", i, strings.Join(w.log, "\n"), cmp.Diff(first, got))
						}
					}
					if w.action != "enforce" || w.definition != nil || layout.plain != "" {
						continue
					}
					if diff := cmp.Diff(w.records(), records(t, w.states[0])); diff != "" {
						t.Fatalf("records (-want +got) after\n%s\n%s", strings.Join(w.log, "\n"), diff)
					}
				}
			})
		}
	}
}

// The same on the machines of the corpus, with each set of settings.
func TestSlicesAreTheWholeOnCorpus(t *testing.T) {
	t.Parallel()
	var fixtures []*unstructured.Unstructured
	directory := os.DirFS(filepath.Join("..", "..", "testdata", "vmi"))
	objects, findings := manifest.LoadFS(directory, ".")
	if findings.HasErrors() {
		t.Log(findings)
	}
	for _, object := range objects {
		// What the cases expect lies beside their machines.
		if object.GetKind() != "DNSEndpoint" {
			fixtures = append(fixtures, object.Unstructured)
		}
	}
	if len(fixtures) < 25 {
		t.Fatalf("the corpus has %d objects", len(fixtures))
	}
	for name, layout := range layouts {
		if layout.plain != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			templates := vmDNS(t, layout.policy, layout.spec...)
			state := newState(t, fixtures...)
			whole := summary(t, state, run(t, evaluate.NewSession(state, evaluate.WholePolicies()), templates))
			if !strings.Contains(whole, "created DNSEndpoint") {
				t.Errorf("nothing is created:\n%s", whole)
			}
			for _, size := range []int{1, 3, 32} {
				state := newState(t, fixtures...)
				slices := summary(t, state, run(t, evaluate.NewSession(state, evaluate.SliceSize(size)), templates))
				if diff := cmp.Diff(whole, slices); diff != "" {
					t.Errorf("slices of %d (-whole +slices):\n%s", size, diff)
				}
			}
		})
	}
}
