package fleet_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/policyloom/policyloom/pkg/fleet"
)

// TestExternalDNS reads how external-dns runs on clusters: one of them, or several.
func TestExternalDNS(t *testing.T) {
	t.Parallel()
	loaded, findings := fleet.Load(fstest.MapFS{
		"fleet/clusters/one/cluster.yaml":  {Data: []byte("missingAPIs: [kubevirt.io]\nexternalDNS: {version: \"0.22\", args: [--policy=sync]}\n")},
		"fleet/clusters/two/cluster.yaml":  {Data: []byte("externalDNS:\n- {name: a, args: [--txt-owner-id=a]}\n- {name: b, args: [--txt-owner-id=b, --policy=sync]}\n")},
		"fleet/clusters/none/cluster.yaml": {Data: []byte("externalDNS:\n")},
	}, "fleet")
	if findings.HasErrors() || len(loaded.Clusters) != 3 {
		t.Fatal(findings)
	}
	var got []string
	for _, cluster := range loaded.Clusters {
		for _, e := range cluster.ExternalDNS {
			got = append(got, strings.Join([]string{cluster.Name, e.Name, e.Version, strings.Join(e.Args, " "), e.Position.String()}, "|"))
		}
	}
	want := []string{
		"one||0.22|--policy=sync|fleet/clusters/one/cluster.yaml:2:1",
		"two|a||--txt-owner-id=a|fleet/clusters/two/cluster.yaml:2:3",
		"two|b||--txt-owner-id=b --policy=sync|fleet/clusters/two/cluster.yaml:3:3",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
