// Package quiet keeps the engines from writing to standard error. Their errors reach the user as findings; what they log
// besides repeats the whole template, twice.
package quiet

import (
	"context"
	"flag"
	"io"
	"sync"

	"github.com/go-logr/logr"
	klogv1 "k8s.io/klog"
	klogv2 "k8s.io/klog/v2"
)

// silenceOnce makes sure that the process-wide logger of the template engine is set up only once: its settings are
// plain variables, which must not change while templates are resolved.
var silenceOnce sync.Once

// TemplateEngine silences klog v1, which go-template-utils logs through, for the whole process.
func TemplateEngine() {
	silenceOnce.Do(func() {
		flags := flag.NewFlagSet("klog", flag.ContinueOnError)
		klogv1.InitFlags(flags)
		// Both names and values are klog's own, so they cannot be refused.
		_ = flags.Set("logtostderr", "false")
		_ = flags.Set("stderrthreshold", "FATAL")
		klogv1.SetOutput(io.Discard)
	})
}

// Context gives a context whose logger discards everything, for engines that log through klog v2.
func Context(ctx context.Context) context.Context {
	return klogv2.NewContext(ctx, logr.Discard())
}
