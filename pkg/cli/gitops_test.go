package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/plugin"
)

const gitOpsGuide = "../../docs/gitops.md"

// snippet is a block of code in the guide.
type snippet struct{ heading, language, text string }

func snippetsOf(t *testing.T) []snippet {
	t.Helper()
	guide, err := os.ReadFile(gitOpsGuide)
	if err != nil {
		t.Fatal(err)
	}
	var snippets []snippet
	heading := ""
	for _, m := range regexp.MustCompile("(?ms)^## ([^\n]*)$|^```([a-z]+)\n(.*?)^```$").FindAllSubmatch(guide, -1) {
		if len(m[1]) > 0 {
			heading = string(m[1])
			continue
		}
		snippets = append(snippets, snippet{heading, string(m[2]), string(m[3])})
	}
	return snippets
}

var fileOfSnippet = regexp.MustCompile(`^# ([a-z./-]+\.yaml)\n`)

// filesOfGuide gives the snippets that are files of the example repository.
func filesOfGuide(t *testing.T) files {
	t.Helper()
	example := files{}
	for _, s := range snippetsOf(t) {
		if m := fileOfSnippet.FindStringSubmatch(s.text); m != nil && s.language == "yaml" {
			example[m[1]] = s.text
		}
	}
	return example
}

// decodeAll gives the documents of a YAML text.
func decodeAll(t *testing.T, text string) []map[string]any {
	t.Helper()
	var documents []map[string]any
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var document map[string]any
		if err := decoder.Decode(&document); err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%v in\n%s", err, text)
			}
			return documents
		}
		documents = append(documents, document)
	}
}

// valuesOf collects the values of all fields of a name.
func valuesOf(value any, name string) []any {
	var found []any
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			if key == name {
				found = append(found, child)
			}
			found = append(found, valuesOf(child, name)...)
		}
	case []any:
		for _, child := range value {
			found = append(found, valuesOf(child, name)...)
		}
	}
	return found
}

func TestGitOpsGuide(t *testing.T) {
	t.Parallel()
	var kinds []string
	var buildOptions, commands []any
	for _, s := range snippetsOf(t) {
		if s.language != "yaml" {
			continue
		}
		documents := decodeAll(t, s.text)
		if len(documents) == 0 {
			t.Errorf("%s: an empty snippet", s.heading)
		}
		for _, document := range documents {
			kind, _ := document["kind"].(string)
			kinds = append(kinds, kind)
			for _, name := range []string{"kustomizeBuildOptions", "kustomize.buildOptions"} {
				buildOptions = append(buildOptions, valuesOf(document, name)...)
			}
			commands = append(commands, valuesOf(document, "command")...)
			mounts, volumes := namesOf(valuesOf(document, "volumeMounts")), namesOf(valuesOf(document, "volumes"))
			for _, mount := range mounts {
				// Those of Argo CD itself.
				if mount != "var-files" && mount != "plugins" && !slices.Contains(volumes, mount) {
					t.Errorf("%s: there is no volume %s", s.heading, mount)
				}
			}
		}
	}
	for _, want := range []string{"ArgoCD", "ConfigMap", "Deployment", "Application", "Channel", "Subscription", "VirtualMachineDNS"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if len(buildOptions) != 2 {
		t.Errorf("the build options are %v", buildOptions)
	}
	for _, options := range buildOptions {
		if options != "--enable-alpha-plugins" {
			t.Errorf("build options %v", options)
		}
	}
	if len(commands) != 3 {
		t.Errorf("the commands are %v", commands)
	}
	// What a reader copies builds without a finding, and nothing else lists a resource of ours.
	directory := filesOfGuide(t).write(t, tempDir(t))
	got := run(t.Context(), "", "build", filepath.Join(directory, "my-vm-dns"))
	if got.code != ExitFine || got.stderr != "" || !strings.Contains(got.stdout, "\nkind: Policy\n") {
		t.Errorf("%+v", got)
	}
}

func namesOf(lists []any) []string {
	var names []string
	for _, list := range lists {
		items, _ := list.([]any)
		for _, item := range items {
			if fields, ok := item.(map[string]any); ok {
				name, _ := fields["name"].(string)
				names = append(names, name)
			}
		}
	}
	return names
}

// e2eTool gives the program that an environment variable names, as in the tests of the plugin.
func e2eTool(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	switch {
	case path != "":
		return path
	case os.Getenv("POLICYLOOM_E2E") != "":
		t.Fatalf("%s is not set", variable)
	}
	t.Skipf("%s is not set; make e2e sets it", variable)
	return ""
}

// guideEnvironment is the computer of a reader: the programs on PATH, an empty home with PolicyGenerator, and the files.
func guideEnvironment(t *testing.T) (directory, home string, environment []string) {
	t.Helper()
	directory = filesOfGuide(t).write(t, tempDir(t))
	user, bin := tempDir(t), tempDir(t)
	home = filepath.Join(user, ".config", "kustomize", "plugin")
	for name, variable := range map[string]string{"policyloom": "POLICYLOOM_BINARY", "kustomize": "POLICYLOOM_KUSTOMIZE"} {
		if err := os.Symlink(e2eTool(t, variable), filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if kubectl, err := exec.LookPath("kubectl"); err == nil {
		if err := os.Symlink(kubectl, filepath.Join(bin, "kubectl")); err != nil {
			t.Fatal(err)
		}
	}
	generator := filepath.Join(home, "policy.open-cluster-management.io", "v1", "policygenerator", "PolicyGenerator")
	if err := os.MkdirAll(filepath.Dir(generator), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(e2eTool(t, "POLICYLOOM_POLICYGENERATOR"), generator); err != nil {
		t.Fatal(err)
	}
	return directory, home, []string{"HOME=" + user, "PATH=" + bin + ":/usr/bin:/bin", "TMPDIR=" + tempDir(t)}
}

// TestE2EGitOpsGuide runs the commands of the guide, section by section.
func TestE2EGitOpsGuide(t *testing.T) {
	directory, home, environment := guideEnvironment(t)
	outputs := map[string]string{}
	for _, s := range snippetsOf(t) {
		if s.language != "sh" {
			continue
		}
		script := s.text
		if _, err := exec.LookPath("kubectl"); err != nil {
			script = regexp.MustCompile(`(?m)^kubectl .*\n`).ReplaceAllString(script, "")
		}
		var stdout, stderr bytes.Buffer
		command := exec.CommandContext(t.Context(), "sh", "-euc", script)
		command.Dir, command.Env, command.Stdout, command.Stderr = directory, environment, &stdout, &stderr
		if err := command.Run(); err != nil || strings.Contains(stderr.String(), "error") || strings.Contains(stderr.String(), "warning") {
			t.Errorf("%s: %v\n%s%s", s.heading, err, stderr.String(), stdout.String())
		}
		outputs[s.heading] = stdout.String()
	}
	for heading, want := range map[string]string{
		"policyloom build":                        `$policy := "policies.vm-dns"`,
		"kustomize":                               `$policy := "policies.vm-dns"`,
		"A file for PolicyGenerator":              `$policy := "policies.dns"`,
		"Filled into a policy of PolicyGenerator": `$policy := "policies.dns"`,
		"KRM function":                            `$policy := "policies.vm-dns"`,
	} {
		if got := outputs[heading]; !strings.Contains(got, want) || !strings.Contains(got, "\nkind: Policy\n") {
			t.Errorf("%s: no %s in\n%s", heading, want, got)
		}
	}
	// The template works where it was put, and its objects are those of the policy around it.
	for _, source := range []string{"generator", "injected"} {
		command := exec.CommandContext(t.Context(), e2eTool(t, "POLICYLOOM_BINARY"),
			"render", "-k", filepath.Join(directory, source), "--fleet", "../../testdata/fleets/demo", "-o", "yaml")
		command.Env = environment
		output, err := command.Output()
		if err != nil || !strings.Contains(string(output), "kind: DNSEndpoint\n") ||
			strings.Count(string(output), "kind: DNSEndpoint\n") != strings.Count(string(output), "policyloom.dev/policy: policies.dns\n") {
			t.Errorf("%s: %v\n%s", source, err, output)
		}
	}
	committed, err := os.ReadFile(filepath.Join(directory, "deploy", "vm-dns.yaml"))
	if err != nil || !strings.Contains(string(committed), "\nkind: Policy\n") {
		t.Errorf("%v\n%s", err, committed)
	}
	if _, err := os.Stat(plugin.Path(home)); err != nil {
		t.Error(err)
	}
}

// TestE2EGitOpsGuideContainers runs the commands of the containers in the guide.
func TestE2EGitOpsGuideContainers(t *testing.T) {
	directory, _, environment := guideEnvironment(t)
	repository := filepath.Join(directory, "my-vm-dns")
	want := run(t.Context(), "", "build", repository).stdout
	binary := e2eTool(t, "POLICYLOOM_BINARY")
	ran := 0
	for _, s := range snippetsOf(t) {
		if s.language != "yaml" {
			continue
		}
		for _, document := range decodeAll(t, s.text) {
			for _, list := range append(valuesOf(document, "command"), commandsInText(t, document)...) {
				var words []string
				for _, word := range list.([]any) {
					words = append(words, word.(string))
				}
				if filepath.Base(words[0]) != "policyloom" {
					continue
				}
				ran++
				volume := filepath.Join(tempDir(t), "volume")
				for i, word := range words {
					if word == "/etc/kustomize/plugin" {
						words[i] = volume
					}
				}
				command := exec.CommandContext(t.Context(), binary, words[1:]...)
				command.Dir, command.Env = repository, environment
				output, err := command.Output()
				if err != nil {
					t.Fatalf("%s: %q: %v", s.heading, words, err)
				}
				if slices.Contains(words, volume) {
					info, err := os.Lstat(plugin.Path(volume))
					if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o755 {
						t.Fatalf("%s: %v %v", s.heading, info, err)
					}
					build := exec.CommandContext(t.Context(), e2eTool(t, "POLICYLOOM_KUSTOMIZE"), "build", "--enable-alpha-plugins", ".")
					build.Dir, build.Env = repository, append(environment, "KUSTOMIZE_PLUGIN_HOME="+volume)
					if output, err = build.Output(); err != nil {
						t.Fatalf("%s: %v", s.heading, err)
					}
				}
				if string(output) != want {
					t.Errorf("%s: %q gives\n%s", s.heading, words, output)
				}
			}
		}
	}
	if ran != 3 {
		t.Errorf("%d commands", ran)
	}
}

// commandsInText gives the commands of documents that are the values of a ConfigMap.
func commandsInText(t *testing.T, document map[string]any) []any {
	t.Helper()
	var commands []any
	for _, data := range valuesOf(document, "plugin.yaml") {
		for _, inner := range decodeAll(t, data.(string)) {
			commands = append(commands, valuesOf(inner, "command")...)
		}
	}
	return commands
}
