package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// durations are what may differ between two runs of a test.
var durations = regexp.MustCompile(`\b\d+\.\d\ds\b|time="[0-9.]+"`)

// TestTest runs the cases in testdata/test. Each has a directory in, where the program runs, and the arguments in args, one a line.
// What it prints is in stdout and stderr, and exit has the exit code if it is not 0. The files that it changed are in out.
func TestTest(t *testing.T) {
	directories, err := filepath.Glob("testdata/test/*")
	if err != nil || len(directories) == 0 {
		t.Fatal(directories, err)
	}
	for _, directory := range directories {
		t.Run(filepath.Base(directory), func(t *testing.T) {
			t.Chdir(directory)
			here, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			work := t.TempDir()
			if err := os.CopyFS(work, os.DirFS("in")); err != nil {
				t.Fatal(err)
			}
			args := lines(t, "args")
			t.Chdir(work)
			got := run(t.Context(), "", args...)
			t.Chdir(here)
			golden(t, "stdout", durations.ReplaceAllString(got.stdout, "TIME"))
			golden(t, "stderr", got.stderr)
			code := ""
			if got.code != ExitFine {
				code = strconv.Itoa(got.code) + "\n"
			}
			golden(t, "exit", code)
			compareChanged(t, work)
		})
	}
}

// compareChanged compares the files that differ from those in the directory in with those in the directory out.
func compareChanged(t *testing.T, work string) {
	t.Helper()
	expected := map[string]bool{}
	_ = filepath.WalkDir("out", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			expected[file] = true
		}
		return nil
	})
	err := filepath.WalkDir(work, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(work, file)
		if err != nil {
			return err
		}
		if now := optional(t, file); now != optional(t, filepath.Join("in", name)) {
			delete(expected, filepath.Join("out", name))
			golden(t, filepath.Join("out", name), now)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range expected {
		t.Errorf("%s was expected to be written", file)
	}
}
