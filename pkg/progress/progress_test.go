package progress

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// screen is a terminal: it gives the lines that a user would see.
type screen struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.text.Write(p)
}

func (s *screen) lines() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	var seen []string
	for line := range strings.SplitSeq(s.text.String(), "\n") {
		var cells []byte
		for part := range strings.SplitSeq(line, "\r") {
			cells = append([]byte(part), cells[min(len(part), len(cells)):]...)
		}
		seen = append(seen, strings.TrimRight(string(cells), " "))
	}
	return strings.Join(seen, "\n")
}

func (s *screen) want(t *testing.T, want string) {
	t.Helper()
	synctest.Wait()
	if got := s.lines(); got != want {
		t.Errorf("the screen shows\n%q, want\n%q", got, want)
	}
}

func TestBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		bar := Start(s, "clusters", time.Second)
		bar.Set(0, 200)
		time.Sleep(950 * time.Millisecond)
		s.want(t, "")
		time.Sleep(100 * time.Millisecond)
		s.want(t, "[--------------------] 0/200 clusters")
		bar.Set(110, 200)
		time.Sleep(2 * interval)
		s.want(t, "[###########---------] 110/200 clusters")
		bar.Set(7, 200)
		time.Sleep(2 * interval)
		s.want(t, "[--------------------] 7/200 clusters")
		bar.Stop()
		s.want(t, "")
		bar.Set(200, 200)
		bar.Stop()
		time.Sleep(2 * interval)
		s.want(t, "")
	})
}

func TestBarOfShortWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		bar := Start(s, "clusters", time.Second)
		bar.Set(1, 2)
		time.Sleep(900 * time.Millisecond)
		bar.Stop()
		if s.text.Len() > 0 {
			t.Errorf("written: %q", s.text.String())
		}
	})
}

// TestBarAndData writes data on the terminal that shows the bar.
func TestBarAndData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		bar := Start(s, "clusters", 0)
		out := bar.Writer(s)
		bar.Set(1, 4)
		time.Sleep(2 * interval)
		s.want(t, "[#####---------------] 1/4 clusters")
		_, _ = io.WriteString(out, "one\ntw")
		s.want(t, "one\ntw")
		bar.Set(2, 4)
		time.Sleep(2 * interval)
		s.want(t, "one\ntw") // a bar would hide what the line holds
		_, _ = io.WriteString(out, "o\n")
		time.Sleep(2 * interval)
		s.want(t, "one\ntwo\n[##########----------] 2/4 clusters")
		bar.Stop()
		s.want(t, "one\ntwo\n")
	})
}

func TestNoBar(t *testing.T) {
	var bar *Bar
	var b bytes.Buffer
	bar.Set(1, 2)
	_, _ = io.WriteString(bar.Writer(&b), "data")
	bar.Stop()
	if b.String() != "data" {
		t.Error(b.String())
	}
}
