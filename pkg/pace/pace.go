// Package pace sets how far the heap may grow before it is searched for garbage, by how much of it is in use.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// most is for a small heap: a program that runs for seconds hardly needs to look for garbage at all.
	most = 300
	// least is what Go does by itself. Less would cost a large heap more and more time.
	least = 100
	// room is how many bytes a heap between the two may grow by.
	room = 128 << 20
)

// Percent gives the GC percentage for a heap with so many bytes in use.
func Percent(live uint64) int {
	if live == 0 {
		return most
	}
	return int(min(most, max(least, math.Round(room/float64(live)*100))))
}

// Start sets the percentage now and after each garbage collection, unless GOGC or GOMEMLIMIT say what the user wants.
func Start() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(most)
	p := &pacer{percent: most, sample: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	runtime.SetFinalizer(p, (*pacer).adjust)
}

// pacer is referred to by nobody, so each garbage collection runs its finalizer.
type pacer struct {
	percent int
	sample  []metrics.Sample
}

func (p *pacer) adjust() {
	metrics.Read(p.sample)
	if p.sample[0].Value.Kind() == metrics.KindUint64 {
		if percent := Percent(p.sample[0].Value.Uint64()); percent != p.percent {
			debug.SetGCPercent(percent)
			p.percent = percent
		}
	}
	runtime.SetFinalizer(p, (*pacer).adjust)
}
