package cluster

import (
	"context"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"github.com/stolostron/kubernetes-dependency-watches/client"
	klogv1 "k8s.io/klog"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// The engine logs each failing template.
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klogv1.InitFlags(flags)
	for _, setting := range []string{"-logtostderr=false", "-stderrthreshold=FATAL"} {
		if err := flags.Parse([]string{setting}); err != nil {
			panic(err)
		}
	}
	klogv1.SetOutput(io.Discard)
	klog.SetLogger(logr.Discard())
	m.Run()
}

var policyID = client.ObjectIdentifier{
	Group: "policy.open-cluster-management.io", Version: "v1", Kind: "ConfigurationPolicy", Namespace: "west", Name: "vm-dns",
}

// engine is the template engine over some source of objects.
type engine struct {
	resolver *templates.TemplateResolver
	watching bool
}

// resolve gives the JSON that a template renders to, or its error after the text of the template.
func (e engine) resolve(text string, options templates.ResolveOptions) string {
	options.InputIsYAML = true
	if e.watching {
		options.Watcher = &policyID
	}
	result, err := e.resolver.ResolveTemplate([]byte(text), nil, &options)
	if err != nil {
		_, message, _ := strings.Cut(err.Error(), text)
		return "error" + message
	}
	if result.HasSensitiveData {
		return "sensitive " + string(result.ResolvedJSON)
	}
	return string(result.ResolvedJSON)
}

func watchingEngine(t testing.TB, watcher client.DynamicWatcher) engine {
	t.Helper()
	resolver, err := templates.NewResolverWithDynamicWatcher(watcher, templates.Config{SkipBatchManagement: true})
	if err != nil {
		t.Fatal(err)
	}
	return engine{resolver, true}
}

// TestConformance renders templates with the engine over this package's watcher, over the watcher of a managed cluster's
// controller, and without a watcher, and wants the same results and errors.
func TestConformance(t *testing.T) {
	options := MissingAPIs("externaldns.k8s.io", "kubevirt.io/v1alpha3")
	c, untouched := clusterOf(t, sampleText(t), options), clusterOf(t, sampleText(t), options)
	dynamicClient, discoveryClient := fakeAPIServer(t, c)

	reconciler, _ := client.NewControllerRuntimeSource()
	real := client.NewWithClients(dynamicClient, discoveryClient, reconciler,
		&client.Options{DisableInitialReconcile: true, EnableCache: true})
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if err := real.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-stopped })
	<-real.Started()
	controller := watchingEngine(t, real)

	for _, test := range conformanceCases {
		t.Run(test.name, func(t *testing.T) {
			if err := real.StartQueryBatch(policyID); err != nil {
				t.Fatal(err)
			}
			want := controller.resolve(test.template, test.options)
			if err := real.EndQueryBatch(policyID); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(want, test.want) {
				t.Errorf("the controller's engine gives\n%s\nwithout %s", want, test.want)
			}
			if got := watchingEngine(t, c.Watcher()).resolve(test.template, test.options); got != want {
				t.Errorf("copies: got\n%s\nwant\n%s", got, want)
			}
			if !MutatesLookups(test.template, "", "") {
				if got := watchingEngine(t, c.Watcher(SharedObjects())).resolve(test.template, test.options); got != want {
					t.Errorf("shared objects: got\n%s\nwant\n%s", got, want)
				}
			}
			resolver, err := templates.NewResolverWithClients(dynamicClient, discoveryClient, templates.Config{})
			if err != nil {
				t.Fatal(err)
			}
			got := engine{resolver, false}.resolve(test.template, test.options)
			if same := got == want; same != (test.differs == "") {
				t.Errorf("without a watcher: got\n%s\nwith one\n%s\nexpected difference: %q", got, want, test.differs)
			}
		})
	}
	if !reflect.DeepEqual(contentOf(c), contentOf(untouched)) {
		t.Error("a template changed the cluster")
	}
}

// contentOf gives all objects of a cluster by kind and key.
func contentOf(c *Cluster) map[string]any {
	content := map[string]any{}
	for gk, table := range c.tables {
		for _, e := range table.entries {
			content[gk.String()+" "+e.key] = e.object.Object
		}
	}
	for _, e := range c.definitions().entries {
		content["definition "+e.key] = e.object.Object
	}
	return content
}
