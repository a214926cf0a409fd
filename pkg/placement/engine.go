package placement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	"open-cluster-management.io/ocm/pkg/placement/controllers/framework"
	"open-cluster-management.io/ocm/pkg/placement/controllers/metrics"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
	"open-cluster-management.io/sdk-go/pkg/basecontroller/factory"
)

// engine is OCM's scheduling controller over stores that are filled once and never change.
type engine struct {
	controller factory.Controller
	scheduler  *orderedScheduler
	recorder   *recorder
}

// newEngine fills the stores of informers that are never started. The caller must close the engine.
func newEngine(ctx context.Context, hub *Hub, clock fixedClock) *engine {
	recorder := &recorder{}
	informers := clusterinformers.NewSharedInformerFactory(recorder, 0)
	// The controller itself sees no earlier decisions, so it writes each decision in full; the scheduler, which gives
	// clusters that were chosen before a bonus, sees those of the fixtures.
	noDecisions := clusterinformers.NewSharedInformerFactory(recorder, 0).Cluster().V1beta1().PlacementDecisions()

	fill(informers.Cluster().V1().ManagedClusters().Informer(), hub.clusters)
	fill(informers.Cluster().V1beta2().ManagedClusterSets().Informer(), hub.sets)
	fill(informers.Cluster().V1beta2().ManagedClusterSetBindings().Informer(), hub.bindings)
	fill(informers.Cluster().V1beta1().Placements().Informer(), withoutStatus(hub.placements))
	fill(informers.Cluster().V1beta1().PlacementDecisions().Informer(), hub.decisions)
	fill(informers.Cluster().V1alpha1().AddOnPlacementScores().Informer(), hub.scores)

	events := &events.FakeRecorder{}
	scheduleMetrics := metrics.NewScheduleMetrics(clock)
	scheduler := &orderedScheduler{inner: scheduling.NewPluginScheduler(scheduling.NewSchedulerHandler(
		recorder,
		informers.Cluster().V1beta1().PlacementDecisions().Lister(),
		informers.Cluster().V1alpha1().AddOnPlacementScores().Lister(),
		informers.Cluster().V1().ManagedClusters().Lister(),
		events, scheduleMetrics,
	))}
	controller := scheduling.NewSchedulingController(
		ctx, recorder,
		informers.Cluster().V1().ManagedClusters(),
		informers.Cluster().V1beta2().ManagedClusterSets(),
		informers.Cluster().V1beta2().ManagedClusterSetBindings(),
		informers.Cluster().V1beta1().Placements(),
		noDecisions,
		informers.Cluster().V1alpha1().AddOnPlacementScores(),
		scheduler, events, scheduleMetrics,
	)
	return &engine{controller: controller, scheduler: scheduler, recorder: recorder}
}

func fill[T any](informer cache.SharedIndexInformer, objects []T) {
	for _, object := range objects {
		// Adding fails only for objects without a key, and FromObjects requires names.
		_ = informer.GetStore().Add(object)
	}
}

func withoutStatus(placements []*clusterv1beta1.Placement) []*clusterv1beta1.Placement {
	list := make([]*clusterv1beta1.Placement, 0, len(placements))
	for _, placement := range placements {
		placement = placement.DeepCopy()
		placement.Status = clusterv1beta1.PlacementStatus{}
		list = append(list, placement)
	}
	return list
}

// close ends the goroutines of the controller's queue.
func (e *engine) close() { e.controller.SyncContext().Queue().ShutDown() }

// outcome is what the controller decided about one placement.
type outcome struct {
	decisions []*clusterv1beta1.PlacementDecision
	status    clusterv1beta1.PlacementStatus
	scores    map[string]int64
	warning   string
}

// decide schedules one placement. An error is a failure of the engine itself; a misconfigured placement is not an error
// here, for its conditions tell.
func (e *engine) decide(ctx context.Context, placement *clusterv1beta1.Placement) (result outcome, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the scheduling controller failed: %v", cause)
		}
	}()
	e.recorder.reset()
	e.scheduler.reset()
	err = e.controller.Sync(ctx, nil, placement.Namespace+"/"+placement.Name)
	status := e.scheduler.status
	switch status.Code() {
	case framework.Warning:
		result.warning, err = status.Message(), nil
	case framework.Misconfigured:
		err = nil
	}
	for _, condition := range e.recorder.status.Conditions {
		if condition.Type == clusterv1beta1.PlacementConditionMisconfigured && condition.Status == "True" {
			err = nil
		}
	}
	result.decisions, result.status = e.recorder.decisions, e.recorder.status
	if e.scheduler.result != nil {
		result.scores = e.scheduler.result.PrioritizerScores()
	}
	return result, err
}

// orderedScheduler hands the candidates to the real scheduler in the order of their names, since the controller collects
// them from a map, and keeps its result.
type orderedScheduler struct {
	inner  scheduling.Scheduler
	result scheduling.ScheduleResult
	status *framework.Status
}

func (s *orderedScheduler) reset() { s.result, s.status = nil, nil }

// Schedule implements scheduling.Scheduler.
func (s *orderedScheduler) Schedule(
	ctx context.Context, placement *clusterv1beta1.Placement, clusters []*clusterv1.ManagedCluster,
) (scheduling.ScheduleResult, *framework.Status) {
	slices.SortFunc(clusters, func(a, b *clusterv1.ManagedCluster) int { return strings.Compare(a.Name, b.Name) })
	s.result, s.status = s.inner.Schedule(ctx, placement, clusters)
	return s.result, s.status
}
