package placement

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
	"open-cluster-management.io/ocm/pkg/placement/plugins/addon"
	"open-cluster-management.io/ocm/pkg/placement/plugins/tainttoleration"
)

// fixedClock is a clock that stands still.
type fixedClock struct {
	clock.RealClock
	now time.Time
}

// Now gives the time that the clock stands at.
func (c fixedClock) Now() time.Time { return c.now }

// Since gives the time that passed between t and the time that the clock stands at.
func (c fixedClock) Since(t time.Time) time.Duration { return c.now.Sub(t) }

// pluginClocks guards the clocks of OCM's plugins, which are variables of their packages.
var pluginClocks sync.Mutex

// withClock runs f while the plugins of the scheduler read the given clock. Calls wait for each other.
func withClock(c fixedClock, f func()) {
	pluginClocks.Lock()
	defer pluginClocks.Unlock()
	taints, scores := tainttoleration.TolerationClock, addon.AddOnClock
	tainttoleration.TolerationClock, addon.AddOnClock = c, c
	defer func() { tainttoleration.TolerationClock, addon.AddOnClock = taints, scores }()
	f()
}
