package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// With a fleet, generate warns of clusters that are too large for the policy, and prints the same.
func TestGenerateForAFleet(t *testing.T) {
	t.Parallel()
	resource := filepath.Join(files{"dns.yaml": dnsForAll}.write(t, tempDir(t)), "dns.yaml")
	alone := run(t.Context(), "", "generate", resource)
	for machines, want := range map[int]string{10: "", 250: " asks for 250 objects on cluster-000"} {
		got := run(t.Context(), "", "generate", "--fleet", fleetOf(1, machines).write(t, tempDir(t)), resource)
		if got.code != ExitFine || got.stdout != alone.stdout || !strings.Contains(got.stderr, want) || (want == "") != (got.stderr == "") {
			t.Errorf("%d machines: code %d, stderr %q", machines, got.code, got.stderr)
		}
	}
}

// An empty name after --check, as an unset variable leaves it, must not pass as a check.
func TestGenerateCheckOfNothing(t *testing.T) {
	t.Parallel()
	resource := filepath.Join(files{"dns.yaml": dnsForAll}.write(t, t.TempDir()), "dns.yaml")
	for _, file := range []string{"", resource} {
		if got := run(t.Context(), "", "generate", "--check", file, resource); got.code != ExitUsage || got.stdout != "" || got.stderr == "" {
			t.Errorf("%q: %+v", file, got)
		}
	}
}
