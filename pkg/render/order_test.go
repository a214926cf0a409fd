package render

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// TestInOrder checks the order, and how many results there are at a time: what bounds the memory.
func TestInOrder(t *testing.T) {
	t.Parallel()
	const workers = 3
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprint(i))
	}
	var inFlight, most atomic.Int32
	var got []string
	err := inOrder(t.Context(), workers, names, func(name string) string {
		now := inFlight.Add(1)
		for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
		}
		if name == "0" || name == "50" {
			// The others must not run away while one is slow.
			for range 1000 {
				runtime.Gosched()
			}
		}
		return name
	}, func(name string) error {
		inFlight.Add(-1)
		got = append(got, name)
		return nil
	})
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("%v: got %v", err, got)
	}
	if most.Load() > 2*workers+1 {
		t.Errorf("%d results at a time with %d workers", most.Load(), workers)
	}
}

func TestInOrderEndsEarly(t *testing.T) {
	t.Parallel()
	names := make([]string, 1000)
	var worked atomic.Int32
	work := func(string) int { return int(worked.Add(1)) }
	errFull := errors.New("no space left")
	emitted := 0
	err := inOrder(t.Context(), 2, names, work, func(int) error {
		if emitted++; emitted == 3 {
			return errFull
		}
		return nil
	})
	if !errors.Is(err, errFull) || emitted != 3 || worked.Load() > 20 {
		t.Errorf("%v after %d results and %d pieces of work", err, emitted, worked.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	worked.Store(0)
	emitted = 0
	err = inOrder(ctx, 2, names, work, func(int) error {
		if emitted++; emitted == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || emitted != 3 || worked.Load() > 20 {
		t.Errorf("%v after %d results and %d pieces of work", err, emitted, worked.Load())
	}
	if err := inOrder(t.Context(), 2, nil, work, func(int) error { return errFull }); err != nil {
		t.Error(err)
	}
}
