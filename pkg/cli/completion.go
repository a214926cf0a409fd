package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// completeValues lets shells complete the values of a flag.
func completeValues(command *cobra.Command, flag string, values []string) {
	// The error says that there is no such flag.
	_ = command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func completeDirectory(command *cobra.Command, flag string) { _ = command.MarkFlagDirname(flag) }

func completeManifests(command *cobra.Command, flag string) {
	_ = command.MarkFlagFilename(flag, "yaml", "yml", "json")
}

// directoryArgument and manifestArguments complete what stands after a command without a flag.
func directoryArgument(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func manifestArguments(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeClusters completes the clusters of the fleet, or files where there is none.
func completeClusters(command *cobra.Command, flag string, fleet *string) {
	_ = command.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if *fleet == "" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		entries, err := os.ReadDir(filepath.Join(*fleet, "clusters"))
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeCommands completes the names of commands.
func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, command := range cmd.Root().Commands() {
			if command.IsAvailableCommand() {
				names = append(names, command.Name()+"\t"+command.Short)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
