package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/policyloom/policyloom/pkg/progress"
)

// TestProgressOnTerminal lets a user wait for a fleet: the policies come late, so that the work takes longer than the delay.
func TestProgressOnTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		terminal bool
		env      string
		want     bool
	}{
		"terminal": {terminal: true, want: true},
		"dumb":     {terminal: true, env: "TERM=dumb"},
		"pipe":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			master, slave := terminal(t)
			command := program(t, "render", "-f", "-", "--fleet", fleetOf(40, 10).write(t, tempDir(t)), "-o", "name")
			command.Env = append(command.Env, "TERM=xterm", c.env)
			var stdout, piped bytes.Buffer
			command.Stdout, command.Stderr = &stdout, slave
			if !c.terminal {
				command.Stderr = &piped
			}
			stdin, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			_ = slave.Close()
			time.Sleep(progress.Delay + 100*time.Millisecond)
			_, _ = io.WriteString(stdin, dnsForAll)
			_ = stdin.Close()
			seen := make(chan string)
			go func() {
				text, _ := io.ReadAll(master) // ends with an error when the program does
				seen <- string(text)
			}()
			if err := command.Wait(); err != nil {
				t.Error(err)
			}
			screen := <-seen + piped.String()
			if got := strings.Contains(screen, "/40 clusters"); got != c.want {
				t.Errorf("a bar was shown: %v, want %v\n%q", got, c.want, screen)
			}
			lines := strings.Split(screen, "\r")
			if last := lines[len(lines)-1]; strings.Contains(last, "clusters") {
				t.Errorf("the bar was left: %q", last)
			}
			if strings.Contains(screen, "\x1b") || !c.want && strings.Contains(screen, "\r") {
				t.Errorf("the terminal was told more than text: %q", screen)
			}
			if lines := strings.Count(stdout.String(), "\n"); lines < 40 || strings.Contains(stdout.String(), "\r") {
				t.Errorf("the data: %d lines, %.200q", lines, stdout.String())
			}
		})
	}
}

// terminal gives the two ends of a pseudo terminal.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	var unlocked, number int32
	for request, argument := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(argument))); code != 0 {
			t.Skip("no pseudo terminals here:", code)
		}
	}
	slave, err = os.OpenFile(filepath.Join("/dev/pts", fmt.Sprint(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	return master, slave
}
