package cli

import "github.com/spf13/cobra"

// completeValues lets shells complete the values of a flag.
func completeValues(command *cobra.Command, flag string, values []string) {
	// The error says that there is no such flag.
	_ = command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func completeDirectory(command *cobra.Command, flag string) { _ = command.MarkFlagDirname(flag) }

func completeManifests(command *cobra.Command, flag string) {
	_ = command.MarkFlagFilename(flag, "yaml", "yml", "json")
}
