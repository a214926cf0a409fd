package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/plugin"
)

// doctorOptions are the flags of doctor.
type doctorOptions struct {
	kustomizations []string
	enableExec     bool
	output         string
}

func newDoctor(streams Streams) *cobra.Command {
	var options doctorOptions
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Check the kustomize plugins, and kustomizations that would silently do nothing",
		Long: `Check whether kustomize can use the program as a plugin: the plugin home, the plugin in it, and the programs that
work with it.

With --kustomize, check kustomizations and all that they include, too: for resources that kustomize would pass over
without a word (KRM functions without --enable-exec, resources and validators in place of generators), for a
namePrefix or nameSuffix that separates policies from their placements, and for generators that merge.

Exit status 1 says that something was found.`,
		Example: `  policyloom doctor
  policyloom doctor -k policies/vm-dns
  policyloom doctor -k overlays/prod --enable-exec -o json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return options.run(cmd, streams) },
	}
	flags := command.Flags()
	flags.StringArrayVarP(&options.kustomizations, "kustomize", "k", nil, "a directory with a kustomization to check")
	flags.BoolVar(&options.enableExec, "enable-exec", false, "kustomize runs with --enable-exec, so KRM functions are fine")
	flags.StringVarP(&options.output, "output", "o", "text", "output format: text or json")
	completeDirectory(command, "kustomize")
	completeValues(command, "output", doctorFormats)
	return command
}

func (o doctorOptions) run(cmd *cobra.Command, streams Streams) error {
	if !slices.Contains(doctorFormats, o.output) {
		return withHint(fmt.Sprintf("unknown output format %q", o.output), cmp.Or(diag.DidYouMean(o.output, doctorFormats), "text or json"), cmd)
	}
	source := policySource{kustomizations: o.kustomizations}
	if err := source.check(); err != nil {
		return err
	}
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	result := diagnosis{Checks: plugin.CheckSetup(cmd.Context(), executable), Findings: diag.Findings{}, Flags: flagsFor(o.enableExec)}
	for _, directory := range o.kustomizations {
		found, err := plugin.Diagnose(cmd.Context(), plugin.Options{Dir: directory}, o.enableExec)
		if err != nil {
			return err
		}
		result.Findings = append(result.Findings, found...)
	}
	if err := result.print(streams.Out, o.output, isVerbose(cmd)); err != nil {
		return err
	}
	isBad := func(c plugin.Check) bool { return c.Status == plugin.Problem }
	isFinding := func(f diag.Finding) bool { return f.Severity != diag.Info }
	if slices.ContainsFunc(result.Checks, isBad) || slices.ContainsFunc(result.Findings, isFinding) {
		return errFindings
	}
	return cmd.Context().Err()
}
