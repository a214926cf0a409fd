package cli

//go:generate go test . -run "^TestHelp$" -update

import "github.com/spf13/cobra"

// newHelp is the command for those who write "policyloom help render". Unlike cobra's own it fails for what does not exist.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",

		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[len(args)-max(len(rest), 1)])
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}
