package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRender runs the cases in testdata/render, and TestPlan those in testdata/plan. Each has the arguments in args, one a line,
// and what the program prints in stdout and stderr, which are not there where it prints nothing; exit holds the exit code if it is
// not 0.
func TestRender(t *testing.T) { commandCases(t, "render") }

func TestPlan(t *testing.T) {
	commandCases(t, "plan")
	t.Run("docs", planGuide)
}

func commandCases(t *testing.T, command string) {
	t.Helper()
	directories, err := filepath.Glob(filepath.Join("testdata", command, "*"))
	if err != nil || len(directories) == 0 {
		t.Fatal(directories, err)
	}
	for _, directory := range directories {
		t.Run(filepath.Base(directory), func(t *testing.T) {
			t.Chdir(directory)
			got := run(t.Context(), optional(t, "stdin"), append([]string{command}, lines(t, "args")...)...)
			golden(t, "stdout", got.stdout)
			golden(t, "stderr", got.stderr)
			code := ""
			if got.code != ExitFine {
				code = strconv.Itoa(got.code) + "\n"
			}
			golden(t, "exit", code)
			if got.code == ExitUsage && got.stdout != "" && !strings.Contains(optional(t, "args"), "--"+detailedFlag) {
				t.Errorf("fails before there is a result, and still prints %q", got.stdout)
			}
		})
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(optional(t, file), "\n"), "\n")
}

// optional reads a file that may not be there.
func optional(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
