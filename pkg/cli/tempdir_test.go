package cli

import (
	"os"
	"testing"
)

// temporaryRoot is where temporary directories are made, from before any test. A build in process sets TMPDIR for its plugins, so that
// t.TempDir of a test beside it may get a directory that goes with the build.
var temporaryRoot = os.TempDir()

// tempDir is t.TempDir for tests that run beside builds.
func tempDir(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp(temporaryRoot, "policyloom-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(directory); err != nil {
			t.Error(err)
		}
	})
	return directory
}
