package evaluate

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	"open-cluster-management.io/config-policy-controller/controllers"
	configpolicycommon "open-cluster-management.io/config-policy-controller/pkg/common"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// evaluation is one run of the controller over one policy.
type evaluation struct {
	// policy has the status that the controller left.
	policy *configpolicyv1.ConfigurationPolicy
	// messages are those for the root policy, the oldest first.
	messages []string
	// err is what made the controller try again later.
	err error
	// retry tells that the controller asked to be called again since an API is missing.
	retry bool
}

// controller is the config-policy-controller of a cluster.
type controller struct {
	state *cluster.State
	// key is what the hub encrypts values for the cluster with, or nil.
	key []byte
	// fullDiffs keeps the controller from cutting long diffs.
	fullDiffs bool
}

// reconcile lets the real config-policy-controller evaluate a policy once, and changes the cluster as it does. Each call is a
// controller that has just started: it trusts nothing that an earlier one saw.
func (c controller) reconcile(ctx context.Context, policy *configpolicyv1.ConfigurationPolicy) (result evaluation) {
	quiet.TemplateEngine()
	quiet.Controller()
	store := &policyStore{policy: policy, namespaces: namespaceLister{cluster: c.state}, key: c.key}
	defer func() {
		result.policy, result.messages = store.policy, store.messages
		if cause := recover(); cause != nil {
			result.err = fmt.Errorf("the config-policy-controller failed: %v", cause)
		}
	}()
	selector, err := configpolicycommon.NewNamespaceSelectorReconciler(store, nil, "IfMatch")
	if err != nil {
		return evaluation{err: err}
	}
	reconciler := &controllers.ConfigurationPolicyReconciler{
		Client:                 store,
		DecryptionConcurrency:  1,
		DynamicWatcher:         c.state.Watcher(),
		Recorder:               noEvents{},
		InstanceName:           "policyloom",
		TargetK8sClient:        clientset{discovery: c.state.Discovery()},
		TargetK8sDynamicClient: c.state.Client(),
		SelectorReconciler:     &selector,
		FullDiffs:              c.fullDiffs,
		TemplateFuncDenylist:   dialling,
	}
	ctx = logr.NewContext(quiet.Context(ctx), logr.Discard())
	request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(policy)}
	outcome, err := reconciler.Reconcile(ctx, request)
	return evaluation{err: err, retry: outcome.RequeueAfter == retryAfter}
}

// forget makes the controller drop the metrics that it keeps for each object of a policy.
func (c controller) forget(ctx context.Context, policy *configpolicyv1.ConfigurationPolicy) {
	store := &policyStore{namespaces: namespaceLister{cluster: c.state}}
	reconciler := &controllers.ConfigurationPolicyReconciler{Client: store, DynamicWatcher: c.state.Watcher(), SelectorReconciler: noSelections{}}
	// Nothing can fail: there is no such policy any more.
	_, _ = reconciler.Reconcile(logr.NewContext(quiet.Context(ctx), logr.Discard()), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(policy)})
}

// clientset is what the controller uses of a client set: discovery.
type clientset struct {
	kubernetes.Interface
	discovery discovery.DiscoveryInterface
}

func (c clientset) Discovery() discovery.DiscoveryInterface { return c.discovery }

// noEvents drops the events that are meant for people who look at the policy.
type noEvents struct{}

func (noEvents) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}

// noSelections is a selector that was never used.
type noSelections struct {
	configpolicycommon.SelectorReconciler
}

func (noSelections) Stop(string, string) {}
