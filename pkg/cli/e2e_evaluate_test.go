package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// The built program prints for the cases of --evaluate what the command prints in process: the controller, which logs to the standard
// error of the process, adds nothing.
func TestE2EEvaluate(t *testing.T) {
	binary := os.Getenv("POLICYLOOM_BINARY")
	if binary == "" {
		if os.Getenv("POLICYLOOM_E2E") != "" {
			t.Fatal("POLICYLOOM_BINARY is not set")
		}
		t.Skip("POLICYLOOM_BINARY is not set, run make e2e")
	}
	cases, err := filepath.Glob("testdata/render/evaluate-*")
	if err != nil || len(cases) < 5 {
		t.Fatal(cases, err)
	}
	for _, directory := range cases {
		t.Run(filepath.Base(directory), func(t *testing.T) {
			t.Chdir(directory)
			command := exec.Command(binary, append([]string{"render"}, lines(t, "args")...)...)
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			code := ""
			if err := command.Run(); err != nil {
				code = strconv.Itoa(command.ProcessState.ExitCode()) + "\n"
			}
			for file, got := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "exit": code} {
				if want := optional(t, file); got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
				}
			}
		})
	}
}
