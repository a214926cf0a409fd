package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planGuideCases are the cases of testdata/plan that docs/plan.md shows.
var planGuideCases = []struct{ title, directory, note string }{
	{"One cluster, same type, same TTL", "same-cluster-merges", "The targets are joined. The zone does not show that this happened."},
	{"One cluster, same type, another TTL", "same-cluster-other-ttl", "One of the two wins."},
	{"One cluster, A and AAAA", "same-cluster-a-and-aaaa", "Both are kept."},
	{"One cluster, CNAME and A", "same-cluster-cname-and-a", "The address wins."},
	{"Two clusters with owner ids of their own", "two-owners", "Whoever comes first keeps the name."},
	{"Two clusters with one owner id, sync", "one-owner-sync", "They change the record in turn, for ever."},
	{"Two clusters with one owner id and different names", "one-owner-other-names", "Each deletes what the other one made."},
	{"Two clusters with one owner id, upsert-only", "one-owner-upsert-only", "The last writer has it, in turn."},
	{"A machine moves to another cluster", "moved", "The record is away until the new cluster's next interval."},
	{"A machine moved, and only its ownership record was left behind", "moved-with-old-ownership", "The old cluster deletes the new record."},
	{"A machine moves away from a cluster that never deletes", "moved-and-never-deleted", "The new cluster does not get the name."},
	{"A name that was taken by hand", "made-by-hand", "external-dns does not touch it."},
	{"The registry noop with sync", "noop-sync", "It deletes what was made by hand."},
	{"A label that hands a record to another owner", "spoofed-owner", ""},
	{"A Service of type LoadBalancer", "article-service", "A CNAME for the host name of the load balancer."},
}

// TestPlanIsQuiet checks that nothing that external-dns logs gets to standard error.
func TestPlanIsQuiet(t *testing.T) {
	for _, name := range []string{"reasons", "deployment", "one-owner-sync", "services"} {
		directory := filepath.Join("testdata", "plan", name)
		command := program(t, append([]string{"plan"}, strings.Fields(optional(t, filepath.Join(directory, "args")))...)...)
		command.Dir = directory
		command.Env = append(command.Env, "EXTERNAL_DNS_LOG_LEVEL=debug")
		var stderr strings.Builder
		command.Stderr = &stderr
		_ = command.Run()
		if want := optional(t, filepath.Join(directory, "stderr")); stderr.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, stderr.String(), want)
		}
	}
}

// planGuide compares the cases in docs/plan.md with what the program prints for them.
func planGuide(t *testing.T) {
	const file, begin, end = "../../docs/plan.md", "<!-- cases -->\n", "<!-- end of cases -->"
	var b strings.Builder
	for _, c := range planGuideCases {
		directory := filepath.Join("testdata", "plan", c.directory)
		fmt.Fprintf(&b, "\n### %s\n\n", c.title)
		if c.note != "" {
			b.WriteString(c.note + "\n\n")
		}
		b.WriteString("```\n" + optional(t, filepath.Join(directory, "stdout")))
		if messages := optional(t, filepath.Join(directory, "stderr")); messages != "" {
			b.WriteString("\n" + messages)
		}
		b.WriteString("```\n")
	}
	text := optional(t, file)
	before, rest, found := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the cases", file)
	}
	want := before + begin + b.String() + "\n" + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != want {
		t.Errorf("%s is out of date: run go test ./pkg/cli -update", file)
	}
}
