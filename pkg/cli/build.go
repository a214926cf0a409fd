package cli

import (
	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/plugin"
	"github.com/policyloom/policyloom/pkg/report"
)

func newBuild(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "build DIR",
		Short: "Print what kustomize builds, without any plugin set-up",
		Long: `Print what "kustomize build --enable-alpha-plugins DIR" prints when policyloom is in the plugin home.

kustomize runs inside the program, with policyloom, with PolicyGenerator if it is in the plugin home or on PATH, and
with all other plugins of the plugin home. Remote resources and Helm charts are refused: nothing is downloaded.

A VirtualMachineDNS that would have no effect is an error. One that is a KRM function is run by the program itself.`,
		Example: `  policyloom build policies/vm-dns
  policyloom build . | kubectl apply -f -`,
		ValidArgsFunction: directoryArgument,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHint("name one directory with a kustomization", "", cmd)
			}
			return exists(args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			output, findings, err := plugin.Build(cmd.Context(), plugin.Options{Dir: args[0]})
			if err != nil {
				return err
			}
			if err := report.Findings(streams.Err, findings, isVerbose(cmd)); err != nil {
				return err
			}
			if findings.HasErrors() {
				return errFindings
			}
			_, err = streams.Out.Write(output)
			return err
		},
	}
}
