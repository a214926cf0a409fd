package cli

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestSameBytes renders a fleet again and again, also with its objects in other files in another order.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	const machines = 12
	build := func(order func(n int) int) files {
		f := files{"dns.yaml": dnsForAll}
		for c := range 3 {
			cluster := fmt.Sprintf("cluster-%d", c)
			f[fmt.Sprintf("fleet/hub/%02d.yaml", order(c))] = fmt.Sprintf(
				"apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: %s\n"+
					"  labels: {cluster.open-cluster-management.io/clusterset: default}\nspec: {hubAcceptsClient: true}\n", cluster)
			for m := range machines {
				// Two machines of a namespace ask for the same names, so that one of them must give way.
				text := machine(cluster, fmt.Sprintf("ns-%d", m%2), fmt.Sprintf("vm-%d", m), m) + "---\n"
				f[fmt.Sprintf("fleet/clusters/%s/%02d.yaml", cluster, order(m))] = text
			}
		}
		f[fmt.Sprintf("fleet/hub/%02d.yaml", order(90))] = hubOfAll
		return f
	}
	directories := []string{
		build(func(n int) int { return n }).write(t, tempDir(t)),
		build(func(n int) int { return 99 - n }).write(t, tempDir(t)),
		build(func(n int) int { return n * 37 % 101 }).write(t, tempDir(t)),
	}
	policy := filepath.Join(directories[0], "dns.yaml")
	for _, format := range []string{"yaml", "json", "table", "name"} {
		for _, show := range showValues {
			var first result
			for i, directory := range append(directories, directories...) {
				got := run(t.Context(), "", "render", "-f", policy, "--fleet", filepath.Join(directory, "fleet"), "-o", format, "--show", show)
				if i == 0 {
					first = got
					if got.code != ExitFine || got.stdout == "" || got.stderr != "" {
						t.Fatalf("%+v", got)
					}
				}
				if got != first {
					t.Errorf("%s of %s, run %d: got\n%s%s\nwant\n%s", show, format, i, got.stdout, got.stderr, first.stdout)
				}
			}
		}
	}
}
