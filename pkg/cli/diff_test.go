package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestDiff runs the cases in testdata/diff, which are as those of TestRender.
func TestDiff(t *testing.T) {
	directories, err := filepath.Glob("testdata/diff/*")
	if err != nil || len(directories) == 0 {
		t.Fatal(directories, err)
	}
	for _, directory := range directories {
		t.Run(filepath.Base(directory), func(t *testing.T) {
			t.Chdir(directory)
			got := run(t.Context(), "", append([]string{"diff"}, lines(t, "args")...)...)
			golden(t, "stdout", got.stdout)
			golden(t, "stderr", got.stderr)
			code := ""
			if got.code != ExitFine {
				code = strconv.Itoa(got.code) + "\n"
			}
			golden(t, "exit", code)
		})
	}
}

const dnsWith = `apiVersion: policyloom.dev/v1alpha1
kind: VirtualMachineDNS
metadata: {name: vm-dns}
spec:
  policy: {namespace: policies}
  placement: {labelSelector: {matchLabels: {vm-dns: "true"}}}
  records: {ttl: %d}
`

// TestDiffRevisions compares revisions of git, one another and with the files as they are.
func TestDiffRevisions(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	fleet, err := filepath.Abs("../../testdata/fleets/demo")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	git := func(args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.email=a@example.com", "-c", "user.name=a"}, args...)...)
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, output)
		}
	}
	write := func(ttl int) {
		t.Helper()
		if err := os.MkdirAll("policies", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("policies/dns.yaml", fmt.Appendf(nil, dnsWith, ttl), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "nothing")
	write(180)
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	write(60)
	git("commit", "-q", "-a", "-m", "two")
	write(30)
	for _, test := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{[]string{"HEAD~1..HEAD"}, ExitFindings, "recordTTL: 180 -> 60\n", ""},
		{[]string{"HEAD~1.."}, ExitFindings, "recordTTL: 180 -> 60\n", ""},
		{[]string{"--base", "main"}, ExitFindings, "recordTTL: 60 -> 30\n", ""},
		{[]string{"main..main"}, ExitFine, "No differences.\n", ""},
		{[]string{"HEAD~2..HEAD~1"}, ExitFindings, "+ create  db01.example.com  A  180", ""},
		{[]string{"--base", "no-such"}, ExitUsage, "", `git knows no revision "no-such"`},
		{[]string{"--base=--output=x"}, ExitUsage, "", "is no revision"},
		{[]string{"--base", "main", "-f", "/"}, ExitUsage, "", "is not in the repository"},
	} {
		got := run(t.Context(), "", append([]string{"diff", "-f", "policies", "--fleet", fleet}, test.args...)...)
		if got.code != test.code || !strings.Contains(got.stdout, test.stdout) || !strings.Contains(got.stderr, test.stderr) {
			t.Errorf("%q: %+v", test.args, got)
		}
	}
	if err := os.WriteFile("policies/dns.yaml", []byte("kind: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	git("commit", "-q", "-a", "-m", "broken")
	if got := run(t.Context(), "", "diff", "HEAD~1..HEAD", "-f", "policies", "--fleet", fleet); got.code != ExitUsage || !strings.HasPrefix(got.stderr, "error: HEAD:policies/dns.yaml:") {
		t.Errorf("%+v", got)
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestDiffDemo writes what diff says of another domain for the demo fleet into the documentation.
func TestDiffDemo(t *testing.T) {
	fleet, err := filepath.Abs("../../testdata/fleets/demo")
	if err != nil {
		t.Fatal(err)
	}
	page, err := filepath.Abs("../../docs/diff.md")
	if err != nil {
		t.Fatal(err)
	}
	const resource = `apiVersion: policyloom.dev/v1alpha1
kind: VirtualMachineDNS
metadata:
  name: vm-dns
spec:
  names:
    annotationPrefix: dns.example.com
    convention: "{vm}.{namespace}.{domain}"
    domain: {default: %s}
  policy:
    namespace: policies
  placement:
    labelSelector: {}
`
	t.Chdir(t.TempDir())
	for name, domain := range map[string]string{"before": "example.com", "after": "corp.example.org"} {
		if err := os.WriteFile(name+".yaml", fmt.Appendf(nil, resource, domain), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := run(t.Context(), "", "diff", "before.yaml", "after.yaml", "--fleet", fleet, "-o", "markdown")
	if got.code != ExitFindings || !strings.Contains(got.stdout, "corp.example.org") {
		t.Fatalf("%+v", got)
	}
	text := optional(t, page)
	for mark, part := range map[string]string{
		"change":  "```diff\n     domain:\n-      default: example.com\n+      default: corp.example.org\n```\n",
		"comment": strings.TrimSpace(got.stdout) + "\n",
	} {
		begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->"
		before, rest, found := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("no place for the %s", mark)
		}
		text = before + begin + part + end + after
	}
	golden(t, page, text)
}
