package quiet

import (
	"sync"

	"github.com/go-logr/logr"
	klogv2 "k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

var silenceControllerOnce sync.Once

// Controller silences the process-wide loggers of controller-runtime and of klog v2, which the config-policy-controller and its
// engine use where they have no context.
func Controller() {
	silenceControllerOnce.Do(func() {
		ctrllog.SetLogger(logr.Discard())
		klogv2.SetLogger(logr.Discard())
	})
}
