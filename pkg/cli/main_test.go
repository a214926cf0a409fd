package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/plugin"
)

var update = flag.Bool("update", false, "write the expected files")

// runEnv makes the test binary the program itself.
const runEnv = "POLICYLOOM_TEST_RUN"

// TestMain lets the test binary be the program, and a plugin where the tests run kustomize. The tests see none of the user's
// plugins.
func TestMain(m *testing.M) {
	streams := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	call := plugin.Call{Args: os.Args, Getenv: os.Getenv}
	if call.IsPlugin() || os.Getenv(runEnv) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		code := Main(ctx, os.Args, streams)
		stop()
		os.Exit(code)
	}
	nowhere := filepath.Join(os.TempDir(), "policyloom-no-such-home")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "KUSTOMIZE_PLUGIN_HOME"} {
		if err := os.Setenv(name, nowhere); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// result is what a user sees of a run.
type result struct {
	stdout, stderr string
	code           int
}

// run runs the program inside of the test.
func run(ctx context.Context, stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := Main(ctx, append([]string{"policyloom"}, args...), Streams{In: strings.NewReader(stdin), Out: &stdout, Err: &stderr})
	return result{stdout.String(), stderr.String(), code}
}

// program gives a command that runs the program as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), executable, args...)
	command.Env = append(os.Environ(), runEnv+"=1")
	return command
}

// golden compares a text with a file, which is not there if the text is empty.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if got == "" {
			_ = os.Remove(file)
			return
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", filepath.Base(file), got, want)
	}
}
