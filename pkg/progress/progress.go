// Package progress shows on a terminal how far a long work is. It uses no colours and no escape sequences: a carriage return takes
// it back to the beginning of its line, and blanks clear it.
package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	// Delay is how long a work may take before a bar is shown.
	Delay = time.Second
	// interval is the time between two looks at what is done.
	interval = 100 * time.Millisecond
	cells    = 20
)

// Bar is a line such as "[#####---------------] 25/100 clusters". A nil Bar shows nothing. It is safe for concurrent use.
type Bar struct {
	lock  sync.Mutex
	w     io.Writer
	unit  string
	shown string
	// from is when the bar may be shown for the first time.
	from        time.Time
	drawn       time.Time
	done, total int
	// within says that something else was written that did not end its line.
	within bool
	stop   chan struct{}
}

// Start makes a bar that counts in the unit and shows itself on the terminal w after the delay. It has to be stopped.
func Start(w io.Writer, unit string, delay time.Duration) *Bar {
	b := &Bar{w: w, unit: unit, from: time.Now().Add(delay), stop: make(chan struct{})}
	go b.run(b.stop)
	return b
}

func (b *Bar) run(stop <-chan struct{}) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			b.lock.Lock()
			b.draw()
			b.lock.Unlock()
		case <-stop:
			return
		}
	}
}

// Set says how much is done of how much in all.
func (b *Bar) Set(done, total int) {
	if b == nil {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.done, b.total = done, total
	if time.Since(b.drawn) >= interval {
		b.draw()
	}
}

// Writer gives a writer that takes the bar away before it writes, for a w that may be the same terminal.
func (b *Bar) Writer(w io.Writer) io.Writer {
	if b == nil {
		return w
	}
	return writer{b, w}
}

type writer struct {
	bar *Bar
	w   io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	w.bar.lock.Lock()
	defer w.bar.lock.Unlock()
	w.bar.clear()
	if len(p) > 0 {
		w.bar.within = !bytes.HasSuffix(p, []byte("\n"))
	}
	return w.w.Write(p)
}

// Stop takes the bar away for good.
func (b *Bar) Stop() {
	if b == nil {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.stop != nil {
		close(b.stop)
		b.stop = nil
	}
	b.clear()
}

func (b *Bar) draw() {
	if b.stop == nil || b.total == 0 || b.within || time.Now().Before(b.from) {
		return
	}
	full := cells * b.done / b.total
	line := fmt.Sprintf("[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat("-", cells-full), b.done, b.total, b.unit)
	b.drawn = time.Now()
	if line == b.shown {
		return
	}
	if len(line) < len(b.shown) {
		b.clear()
	}
	b.shown = line
	// What a terminal does with it does not matter to the work.
	_, _ = io.WriteString(b.w, "\r"+line)
}

func (b *Bar) clear() {
	if b.shown == "" {
		return
	}
	_, _ = io.WriteString(b.w, "\r"+strings.Repeat(" ", len(b.shown))+"\r")
	b.shown = ""
}
