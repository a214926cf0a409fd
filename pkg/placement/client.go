package placement

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterv1beta1client "open-cluster-management.io/api/client/cluster/clientset/versioned/typed/cluster/v1beta1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
)

// recorder is the cluster client of the scheduling controller: it keeps what the controller would write to the hub. The
// embedded interfaces stay nil, for the controller calls none of their other methods.
type recorder struct {
	clusterclient.Interface
	decisions []*clusterv1beta1.PlacementDecision
	status    clusterv1beta1.PlacementStatus
}

func (r *recorder) reset() {
	r.decisions, r.status = nil, clusterv1beta1.PlacementStatus{}
}

// ClusterV1beta1 gives the part of the client that the controller writes through.
func (r *recorder) ClusterV1beta1() clusterv1beta1client.ClusterV1beta1Interface {
	return recordingAPI{recorder: r}
}

type recordingAPI struct {
	clusterv1beta1client.ClusterV1beta1Interface
	recorder *recorder
}

func (a recordingAPI) PlacementDecisions(string) clusterv1beta1client.PlacementDecisionInterface {
	return decisionRecorder{recorder: a.recorder}
}

func (a recordingAPI) Placements(string) clusterv1beta1client.PlacementInterface {
	return statusRecorder{recorder: a.recorder}
}

type decisionRecorder struct {
	clusterv1beta1client.PlacementDecisionInterface
	recorder *recorder
}

// Create records the decision. Unlike a real API server it keeps the status, so the controller sends no patch for it.
func (d decisionRecorder) Create(
	_ context.Context, decision *clusterv1beta1.PlacementDecision, _ metav1.CreateOptions,
) (*clusterv1beta1.PlacementDecision, error) {
	d.recorder.decisions = append(d.recorder.decisions, decision)
	return decision, nil
}

type statusRecorder struct {
	clusterv1beta1client.PlacementInterface
	recorder *recorder
}

// Patch records the status. The controller is given placements without one, so the merge patch holds all of it.
func (s statusRecorder) Patch(
	_ context.Context, _ string, _ types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string,
) (*clusterv1beta1.Placement, error) {
	var patched clusterv1beta1.Placement
	if err := json.Unmarshal(data, &patched); err != nil {
		return nil, err
	}
	s.recorder.status = patched.Status
	return &patched, nil
}
