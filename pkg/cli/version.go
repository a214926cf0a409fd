package cli

import (
	"fmt"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// engines are the modules whose behaviour the program shows, in the order of the chain.
var engines = []string{
	"open-cluster-management.io/ocm",
	"open-cluster-management.io/governance-policy-propagator",
	"open-cluster-management.io/config-policy-controller",
	"github.com/stolostron/go-template-utils/v7",
	"sigs.k8s.io/kustomize/api",
}

func newVersion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and of the engines in it",
		Example: `  policyloom version`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return fmt.Errorf("the program holds no build information")
			}
			table := tabwriter.NewWriter(streams.Out, 0, 8, 2, ' ', 0)
			fmt.Fprintf(table, "policyloom\t%s\n", programVersion(info))
			for _, path := range engines {
				for _, module := range info.Deps {
					if module.Path == path {
						fmt.Fprintf(table, "%s\t%s\n", path, module.Version)
					}
				}
			}
			fmt.Fprintf(table, "go\t%s\n", info.GoVersion)
			return table.Flush()
		},
	}
}

// programVersion gives the version of the main module, or the commit that it was built from.
func programVersion(info *debug.BuildInfo) string {
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return "commit " + setting.Value
		}
	}
	return "unreleased"
}
