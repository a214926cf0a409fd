package cli

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestUsage has what users type wrongly. Nothing is printed on standard output then, and the exit code is 2.
func TestUsage(t *testing.T) {
	t.Parallel()
	const one = "render -f testdata/usage/policy.yaml --cluster testdata/usage "
	for line, want := range map[string]string{
		"rendr":                           `unknown command "rendr" (did you mean "render"?)`,
		"xyzzyxyzzy":                      `unknown command "xyzzyxyzzy" (see policyloom --help)`,
		"help rendr":                      `unknown command "rendr" (did you mean "render"?)`,
		"help completion bsh":             `unknown command "bsh" (see policyloom --help)`,
		"completion bsh":                  `unknown command "bsh" (did you mean "bash"?)`,
		"completion bash x":               `unexpected argument "x" (see policyloom completion bash --help)`,
		"--verbos":                        `unknown flag: --verbos (did you mean --verbose?)`,
		"version extra":                   `unexpected argument "extra" (see policyloom version --help)`,
		"generate":                        `name a file, or - for standard input (see policyloom generate --help)`,
		"generate nope.yaml":              `nope.yaml: no such file or directory`,
		"generate testdata":               `testdata is a directory: name the files in it`,
		"build":                           `name one directory with a kustomization (see policyloom build --help)`,
		"install-plugin x":                `unexpected argument "x" (see policyloom install-plugin --help)`,
		"install-plugin --home=":          `--home names no directory (see policyloom install-plugin --help)`,
		"doctor x":                        `unexpected argument "x" (see policyloom doctor --help)`,
		"doctor -k nope":                  `nope: no such file or directory`,
		"doctor -o jsn":                   `unknown output format "jsn" (did you mean "json"?)`,
		"doctor -o xyzzy":                 `unknown output format "xyzzy" (text or json)`,
		"generate --check":                `flag needs an argument: --check`,
		"build a b":                       `name one directory with a kustomization (see policyloom build --help)`,
		"build nope":                      `nope: no such file or directory`,
		"render":                          `name policies with --filename or --kustomize`,
		"render -f -":                     `name fixtures with --fleet, or the manifests of one cluster with --cluster`,
		"render --cluster testdata/usage": `name policies with --filename or --kustomize`,
		"render -f - -f - --cluster testdata/usage":      `standard input can be read only once`,
		"render --fleet . --cluster-name x":              `--cluster-name is for one cluster alone: with --fleet, write a ManagedCluster into hub/`,
		"render --fleet . --cluster-labels a=b":          `--cluster-labels is for one cluster alone: with --fleet, write a ManagedCluster into hub/`,
		"render --fleet nope":                            `nope: no such file or directory`,
		one + "extra":                                    `unexpected argument "extra" (see policyloom render --help)`,
		one + "--outptu json":                            `unknown flag: --outptu (did you mean --output?)`,
		one + "-x":                                       `unknown shorthand flag: 'x' in -x (see policyloom render --help)`,
		one + "-o tabel":                                 `unknown output format "tabel" (did you mean "table"?)`,
		one + "-o xyzzy":                                 `unknown output format "xyzzy" (one of yaml, json, table, name)`,
		one + "--show polices":                           `unknown value "polices" for --show (did you mean "policies"?)`,
		one + "-o json --output-dir nope":                `--output is for what is printed, and with --output-dir nothing is: choose one of them`,
		one + "--policy nope":                            `there is no policy "nope"`,
		one + "--output-dir testdata":                    `testdata is not empty and not the output of an earlier run: name another directory`,
		"render -f nope -k nowhere --cluster testdata":   "nope: no such file or directory\nnowhere: no such file or directory",
		one + "--output-dir testdata/usage/policy.yaml/": `open testdata/usage/policy.yaml/: not a directory`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			got := run(t.Context(), "", strings.Fields(line)...)
			stderr := "error: " + strings.ReplaceAll(want, "\n", "\nerror: ") + "\n"
			if got.code != ExitUsage || got.stdout != "" || got.stderr != stderr {
				t.Errorf("code %d, stdout %q, stderr\n%swant\n%s", got.code, got.stdout, got.stderr, stderr)
			}
		})
	}
}

// TestHostileArguments checks that nothing of the command line reaches the terminal as it is.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[31m\u202e"
	for _, args := range [][]string{
		{evil},
		{"--" + evil},
		{"render", "--show", evil},
		{"render", "-o", evil},
		{"render", evil},
		{"generate", evil},
		{"build", evil},
		{"doctor", evil},
		{"doctor", "-k", evil},
		{"doctor", "-o", evil},
		{"install-plugin", evil},
		{"install-plugin", "--home", "testdata/usage/policy.yaml/" + evil},
		{"generate", "--check", evil, "../../policies/vm-dns/vm-dns.yaml"},
		{"render", "-f", evil, "--cluster", evil},
		{"render", "--fleet", "testdata/usage", "--" + evil},
		{"render", "-f", "testdata/usage/policy.yaml", "--cluster", "testdata/usage", "--policy", evil},
		{"render", "-f", "testdata/usage/policy.yaml", "--cluster", "testdata/usage", "--cluster-name", evil},
		{"render", "-f", "testdata/usage/policy.yaml", "--cluster", "testdata/usage", "--cluster-labels", evil + "=" + evil},
		{"help", evil},
		{"completion", evil},
	} {
		got := run(t.Context(), "", args...)
		if strings.ContainsAny(got.stdout+got.stderr, "\x1b\u202e") {
			t.Errorf("%q prints %q %q", args, got.stdout, got.stderr)
		}
		if got.code == ExitFine {
			t.Errorf("%q is fine", args)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := run(t.Context(), "", "version")
	if got.code != ExitFine || got.stderr != "" || !strings.HasPrefix(got.stdout, "policyloom ") || !strings.Contains(got.stdout, "\ngo ") {
		t.Errorf("%+v", got)
	}
}

// TestE2EVersion asks the built program, since test programs do not know their modules.
func TestE2EVersion(t *testing.T) {
	binary := os.Getenv("POLICYLOOM_BINARY")
	if binary == "" {
		if os.Getenv("POLICYLOOM_E2E") != "" {
			t.Fatal("POLICYLOOM_BINARY is not set")
		}
		t.Skip("needs the built program: make e2e")
	}
	output, err := exec.Command(binary, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(engine) + ` +v\d+\.`).Match(output) {
			t.Errorf("no version of %s in\n%s", engine, output)
		}
	}
}

// README shows what the demo prints.
func TestReadmeShowsTheDemo(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile("testdata/render/demo-table/stdout")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```\n"+string(printed)+"```\n") {
		t.Errorf("README.md does not show\n%s", printed)
	}
}
