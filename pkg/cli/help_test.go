package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp compares the help of every command with testdata/help.
func TestHelp(t *testing.T) {
	t.Parallel()
	root := newRoot(Streams{})
	for _, command := range append([]*cobra.Command{root}, root.Commands()...) {
		path := strings.Fields(command.CommandPath())
		t.Run(command.Name(), func(t *testing.T) {
			t.Parallel()
			got := run(t.Context(), "", append(path[1:], "--help")...)
			if got.code != ExitFine || got.stderr != "" {
				t.Errorf("exit code %d, stderr %q", got.code, got.stderr)
			}
			for line := range strings.Lines(got.stdout) {
				// Descriptions of flags are wrapped by the terminal.
				if len(line) > 121 && !strings.Contains(line, "--") {
					t.Errorf("a line of %d characters: %s", len(line), line)
				}
			}
			golden(t, filepath.Join("testdata", "help", strings.Join(path, "-")+".txt"), got.stdout)
			if other := run(t.Context(), "", append([]string{"help"}, path[1:]...)...); other.stdout != got.stdout {
				t.Errorf("the command help prints something else:\n%s", other.stdout)
			}
		})
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"__complete render --show ":    "objects\npolicies\n:4\n",
		"__complete render -o ":        "yaml\njson\ntable\nname\ntext\n:4\n",
		"__complete render --fleet ":   ":16\n",
		"__complete render --policy ":  ":4\n",
		"__complete render --cluster ": ":0\n",
		"__complete build ":            ":16\n",
		"__complete generate ":         "yaml\nyml\njson\n:8\n",
		"__complete render --fleet ../../testdata/fleets/demo --cluster ": "prod-eu-1\nprod-us-1\ntest-eu-1\n:4\n",
		"__complete render --kustomize ":                                  ":16\n",
		"__complete render --filename ":                                   "yaml\nyml\njson\n:8\n",
		"__complete render --allow-no":                                    "--allow-no-value\tpermit \"<no value>\" in objects, which templates print for what is not there\n:4\n",
		"__complete completion po":                                        "powershell\tGenerate the autocompletion script for powershell\n:4\n",
		"__completeNoDesc completion --ver":                               "--verbose\n:4\n",
	} {
		if got := run(t.Context(), "", strings.Split(line, " ")...); got.code != ExitFine || got.stdout != want {
			t.Errorf("%s: code %d, got %q, want %q", line, got.code, got.stdout, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := run(t.Context(), "", "completion", shell)
		if got.code != ExitFine || got.stderr != "" || !strings.Contains(got.stdout, "policyloom") {
			t.Errorf("%s: code %d, %s", shell, got.code, got.stderr)
		}
	}
}
