package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/policies"
	"github.com/policyloom/policyloom/pkg/scaffold"
)

func newInit(streams Streams) *cobra.Command {
	var o scaffold.Options
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a first policy, a fleet and a test",
		Long: `Write a first policy into a directory, which is the working directory unless another one is named: a VirtualMachineDNS
and a kustomization that generates its policy, a fleet of two managed clusters, and a PolicyTest that passes.

No file is overwritten: if one of them exists, nothing is written at all. The names of the files go to standard output.`,
		Example: `  policyloom init vm-dns
  policyloom test vm-dns

  policyloom init --name web-dns --namespace rhacm-policies policies/web-dns`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return withHint(fmt.Sprintf("unexpected argument %q", args[1]), "", cmd)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			directory := "."
			if len(args) > 0 {
				directory = args[0]
			}
			return initialise(streams, directory, o)
		},
	}
	command.Flags().StringVar(&o.Name, "name", "vm-dns", "name of the policy")
	command.Flags().StringVar(&o.Namespace, "namespace", "policies", "namespace of the policy on the hub")
	command.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	completeValues(command, "name", nil)
	completeValues(command, "namespace", nil)
	return command
}

// initialise writes all files, or none if one of them is there already.
func initialise(streams Streams, directory string, o scaffold.Options) error {
	var wrong []error
	for _, flag := range []struct{ name, value string }{{"name", o.Name}, {"namespace", o.Namespace}} {
		for _, problem := range validation.IsDNS1123Label(flag.value) {
			wrong = append(wrong, fmt.Errorf("--%s: %.80q cannot be the name of one: %s", flag.name, flag.value, problem))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	files, err := scaffold.Files(o)
	if err != nil {
		return err
	}
	for _, file := range files {
		if file.Path != "vm-dns.yaml" {
			continue
		}
		// Both names together may be too long.
		if _, findings := policies.Decode("", file.Data, v1alpha1.DecodeWithoutLines); findings.HasErrors() {
			return findings
		}
	}
	var there []error
	for _, file := range files {
		target := filepath.Join(directory, filepath.FromSlash(file.Path))
		if _, err := os.Lstat(target); err == nil {
			there = append(there, fmt.Errorf("%s exists already: name a directory that has none of these files", target))
		}
	}
	if err := errors.Join(there...); err != nil {
		return err
	}
	for _, file := range files {
		target := filepath.Join(directory, filepath.FromSlash(file.Path))
		if err := replaceFile(target, file.Data); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(streams.Out, target); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(streams.Err, "run it with: policyloom test %s\n", directory)
	return err
}
