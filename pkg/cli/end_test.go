package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// funcWriter is a writer that is a function.
type funcWriter func(p []byte) (int, error)

func (w funcWriter) Write(p []byte) (int, error) { return w(p) }

// renderArgs renders a fleet of many clusters.
func renderArgs(t *testing.T, clusters int) []string {
	t.Helper()
	directory := files{"dns.yaml": dnsForAll}.write(t, tempDir(t))
	fleet := fleetOf(clusters, 10).write(t, tempDir(t))
	return []string{"render", "-f", filepath.Join(directory, "dns.yaml"), "--fleet", fleet, "-o", "name"}
}

// TestInterruptedWithinTheProcess ends the context at the first output.
func TestInterruptedWithinTheProcess(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	out := funcWriter(func(p []byte) (int, error) {
		cancel()
		return stdout.Write(p)
	})
	code := Main(ctx, append([]string{"policyloom"}, renderArgs(t, 100)...), Streams{In: strings.NewReader(""), Out: out, Err: &stderr})
	if code != ExitUsage || stderr.String() != "error: interrupted\n" {
		t.Errorf("code %d, stderr %q", code, stderr.String())
	}
	if got := stdout.String(); !strings.HasPrefix(got, "cluster-000 ") || strings.Contains(got, "cluster-001") {
		t.Errorf("printed %q", got)
	}
}

func TestInterruptedBeforeItBegins(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{renderArgs(t, 3), {"build", "../../policies/vm-dns"}, {"plan", "--fleet", "../../testdata/fleets/demo"}, {"render", "-k", "../../policies/vm-dns", "--cluster", "testdata/usage"}} {
		if got := run(ctx, "", args...); got != (result{"", "error: interrupted\n", ExitUsage}) {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// TestInterruptedProcess sends a signal to the program while it renders.
func TestInterruptedProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	temporary := tempDir(t)
	command := program(t, renderArgs(t, 1000)...)
	command.Env = append(command.Env, "TMPDIR="+temporary)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(stdout)
	if _, err := reader.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != ExitUsage || stderr.String() != "error: interrupted\n" {
		t.Errorf("code %d, stderr %q", code, stderr.String())
	}
	if strings.Contains(string(rest), "cluster-999 ") {
		t.Error("went on to the last cluster")
	}
	if left := names(tree(t, temporary)); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestInterruptedWhileItWaitsForInput sends a signal to the program while it reads a pipe that no one writes to.
func TestInterruptedWhileItWaitsForInput(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	command := program(t, "generate", "-")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		// Until the program has begun to listen, a signal ends it in another way.
		select {
		case <-ended:
			if code := command.ProcessState.ExitCode(); code != ExitUsage && code != -1 || code == ExitUsage && stderr.String() != "error: interrupted\n" {
				t.Errorf("code %d, stderr %q", code, stderr.String())
			}
			return
		case <-time.After(500 * time.Millisecond):
			if err := command.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
		}
	}
}

// TestBrokenPipe closes the pipe that the program prints into, as head does.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	command := program(t, renderArgs(t, 300)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := stdout.Close(); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil || stderr.Len() > 0 {
		t.Errorf("ended with %v, stderr %q", err, stderr.String())
	}
}

// TestFullDisk fails with a message where output, help included, cannot be written.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"help", "render"}, {"render", "--help"}, {"version"}, {"completion", "bash"}, {"doctor"}} {
		var stderr bytes.Buffer
		out := funcWriter(func([]byte) (int, error) {
			return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
		})
		code := Main(t.Context(), append([]string{"policyloom"}, args...), Streams{In: strings.NewReader(""), Out: out, Err: &stderr})
		if code != ExitUsage || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%q: code %d, stderr %q", args, code, stderr.String())
		}
	}
}

func TestBrokenPipeWithinTheProcess(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	out := funcWriter(func([]byte) (int, error) {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	})
	code := Main(t.Context(), append([]string{"policyloom"}, renderArgs(t, 2)...), Streams{In: strings.NewReader(""), Out: out, Err: &stderr})
	if code != ExitUsage || stderr.Len() > 0 {
		t.Errorf("code %d, stderr %q", code, stderr.String())
	}
}
