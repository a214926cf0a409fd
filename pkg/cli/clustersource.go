package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
)

// clusterSource is where the managed clusters come from: a fleet, or the manifests of one cluster.
type clusterSource struct {
	fleet    string
	clusters []string
	name     string
	labels   map[string]string
}

const (
	fleetFlag         = "fleet"
	clusterFlag       = "cluster"
	clusterNameFlag   = "cluster-name"
	clusterLabelsFlag = "cluster-labels"
)

func (s *clusterSource) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&s.fleet, fleetFlag, "", "directory with the fixtures: hub/ and clusters/NAME/")
	flags.StringArrayVar(&s.clusters, clusterFlag, nil,
		"with --fleet, only these managed clusters; without, files and directories with the manifests of one cluster")
	flags.StringVar(&s.name, clusterNameFlag, "cluster1", "without --fleet, the name of the cluster")
	flags.StringToStringVar(&s.labels, clusterLabelsFlag, nil, "without --fleet, labels of its ManagedCluster (key=value,...)")
	completeDirectory(command, fleetFlag)
	completeClusters(command, clusterFlag, &s.fleet)
}

// check refuses flags that contradict one another, and fixtures that are not there.
func (s *clusterSource) check(cmd *cobra.Command) error {
	if s.isSingle() {
		if len(s.clusters) == 0 {
			return errors.New("name fixtures with --fleet, or the manifests of one cluster with --cluster")
		}
		var errs []error
		for _, path := range s.clusters {
			errs = append(errs, exists(path))
		}
		return errors.Join(errs...)
	}
	for _, flag := range []string{clusterNameFlag, clusterLabelsFlag} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s is for one cluster alone: with --%s, write a ManagedCluster into hub/", flag, fleetFlag)
		}
	}
	return exists(s.fleet)
}

// isSingle tells whether there is one cluster, without a hub that could decide about placements.
func (s *clusterSource) isSingle() bool { return s.fleet == "" }

// filter gives the names of the only clusters that are asked for.
func (s *clusterSource) filter() []string {
	if s.isSingle() {
		return nil
	}
	var names []string
	for _, list := range s.clusters {
		names = append(names, strings.Split(list, ",")...)
	}
	return names
}

func (s *clusterSource) load() (*fleet.Fleet, diag.Findings) {
	if s.isSingle() {
		return fleet.LoadCluster(osFS{}, s.name, s.labels, s.clusters...)
	}
	return fleet.Load(osFS{}, s.fleet)
}
