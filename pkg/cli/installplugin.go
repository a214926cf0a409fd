package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/plugin"
	"github.com/policyloom/policyloom/pkg/report"
)

func newInstallPlugin(streams Streams) *cobra.Command {
	var options plugin.InstallOptions
	command := &cobra.Command{
		Use:   "install-plugin",
		Short: "Put the program where kustomize looks for plugins",
		Long: `Link the program into the plugin home, so that "kustomize build --enable-alpha-plugins" can run it, and print the
path of the link.

The plugin home is $KUSTOMIZE_PLUGIN_HOME, or else kustomize/plugin in $XDG_CONFIG_HOME or ~/.config. It is made if
there is none. What was installed before is replaced at once, also while kustomize runs it. Running the command again
changes nothing.

With --copy the program is copied: for init containers and shared volumes, where the program itself goes away. It is
a static binary, so the copy needs nothing else.`,
		Example: `  policyloom install-plugin
  policyloom install-plugin --copy --home /plugins
  KUSTOMIZE_PLUGIN_HOME=/plugins kustomize build --enable-alpha-plugins my-vm-dns`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("home") && options.Home == "" {
				return withHint("--home names no directory", "", cmd)
			}
			done, err := plugin.Install(options)
			if err != nil {
				return fmt.Errorf("%w (--home names another plugin home; let KUSTOMIZE_PLUGIN_HOME name it for kustomize, too)", err)
			}
			return printInstallation(streams, done, options.Copy)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.Home, "home", "", "the plugin home, if not the one that kustomize uses by default")
	flags.BoolVar(&options.Copy, "copy", false, "copy the program instead of linking it")
	completeDirectory(command, "home")
	return command
}

func printInstallation(streams Streams, done plugin.Installation, asCopy bool) error {
	message := "linked to " + done.Executable
	switch {
	case !done.Changed:
		message = "was up to date"
	case asCopy:
		message = "copied from " + done.Executable
	}
	if _, err := fmt.Fprintln(streams.Err, diag.Printable(done.Path+": "+message)); err != nil {
		return err
	}
	if done.HiddenHome != "" {
		warning := diag.Finding{
			Severity: diag.Warning, Position: diag.Position{File: done.HiddenHome},
			Message: "kustomize does not look for plugins here any more, since there is a plugin home that it prefers",
			Hint:    "install the plugins that are here into the new one, too",
		}
		if err := report.Findings(streams.Err, diag.Findings{warning}, false); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(streams.Out, diag.Printable(done.Path))
	return err
}
