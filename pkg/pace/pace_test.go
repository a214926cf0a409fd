package pace

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 300, 1 << 20: 300, 40 << 20: 300, 64 << 20: 200, 100 << 20: 128, 128 << 20: 100, 1 << 30: 100, 1 << 40: 100} {
		if got := Percent(live); got != want {
			t.Errorf("%d MiB in use: %d, want %d", live>>20, got, want)
		}
	}
}

var kept [][]byte

// TestStart runs in a process of its own, since what it changes is the whole program's.
func TestStart(t *testing.T) {
	if os.Getenv("PACE_TEST") == "" {
		for _, user := range []string{"", "GOGC=50", "GOMEMLIMIT=1GiB"} {
			command := exec.Command(os.Args[0], "-test.run", "^TestStart$")
			command.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=", "PACE_TEST=1", user)
			if output, err := command.CombinedOutput(); err != nil {
				t.Errorf("%q: %v\n%s", user, err, output)
			}
		}
		return
	}
	before := debug.SetGCPercent(100)
	debug.SetGCPercent(before)
	Start()
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		waitFor(t, before)
		return
	}
	waitFor(t, most)
	kept = [][]byte{make([]byte, 256<<20)}
	waitFor(t, least)
	kept = nil
	waitFor(t, most)
}

// waitFor collects garbage until the percentage is the one that is wanted.
func waitFor(t *testing.T, want int) {
	t.Helper()
	got := 0
	for range 200 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
		got = debug.SetGCPercent(want)
		debug.SetGCPercent(got)
		if got == want {
			return
		}
	}
	t.Fatalf("the percentage is %d, want %d", got, want)
}
