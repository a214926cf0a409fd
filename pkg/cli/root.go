package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyloom/policyloom/pkg/diag"
)

const verboseFlag = "verbose"

func newRoot(streams Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "policyloom",
		Short: "DNS names for virtual machines by policy, and any OCM policy offline",
		Long: `policyloom gives every virtual machine of an OpenShift Virtualization fleet its DNS name by policy, and shows
what a policy does before it ships.

It generates Open Cluster Management (RHACM) policies from a VirtualMachineDNS resource, and renders, evaluates and
tests any OCM policy for a fleet of fixture clusters, with the engines of the hub and of the managed clusters. Nothing
needs a cluster or a network.

Data goes to standard output, messages to standard error. Exit status 0: fine; 1: something in the input is wrong;
2: wrong usage, or the program failed.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	root.PersistentFlags().BoolP(verboseFlag, "v", false, "also print what is only good to know")
	root.SetFlagErrorFunc(suggestFlag)
	root.SetHelpCommand(newHelp())
	root.AddCommand(newGenerate(streams), newBuild(streams), newRender(streams), newTest(streams), newPlan(streams), newDiff(streams), newInit(streams),
		newInstallPlugin(streams), newDoctor(streams), newVersion(streams))
	root.InitDefaultCompletionCmd()
	suggestCommand(root)
	for _, command := range root.Commands() {
		suggestCommand(command)
		for _, shell := range command.Commands() {
			shell.Args = noArguments
		}
	}
	return root
}

// suggestCommand makes unknown commands errors that name the one that was meant.
func suggestCommand(command *cobra.Command) {
	if !command.HasSubCommands() {
		return
	}
	command.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	// Only what can run looks at its arguments.
	command.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// unknownCommand is the error for a command that a parent does not have.
func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, sub := range parent.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return withHint(fmt.Sprintf("unknown command %q", name), diag.DidYouMean(name, names), parent)
}

// noArguments is for commands that take flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return withHint(fmt.Sprintf("unexpected argument %q", args[0]), "", cmd)
}

// suggestFlag adds the flag that was meant to an error about an unknown one.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	hint := ""
	if name := unknown.GetSpecifiedName(); len(name) > 1 {
		if suggestion := diag.Suggest(name, names); suggestion != "" {
			hint = fmt.Sprintf("did you mean --%s?", suggestion)
		}
	}
	return withHint(err.Error(), hint, cmd)
}

// withHint gives an error with what was meant, or else with where to find out.
func withHint(message, hint string, cmd *cobra.Command) error {
	if hint == "" {
		hint = fmt.Sprintf("see %s --help", cmd.CommandPath())
	}
	return errors.New(message + " (" + strings.TrimSpace(hint) + ")")
}

func isVerbose(cmd *cobra.Command) bool {
	verbose, err := cmd.Root().PersistentFlags().GetBool(verboseFlag)
	return err == nil && verbose
}
