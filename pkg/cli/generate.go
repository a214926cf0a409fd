package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/policies"
	"github.com/policyloom/policyloom/pkg/render"
	"github.com/policyloom/policyloom/pkg/report"
)

func newGenerate(streams Streams) *cobra.Command {
	var check generateCheck
	var fleetDir string
	command := &cobra.Command{
		Use:   "generate FILE...",
		Short: "Print the hub's manifests for VirtualMachineDNS resources",
		Long: `Print the Policy, Placement and PlacementBinding that VirtualMachineDNS resources stand for.

Each FILE holds one or more resources in YAML or JSON; - is standard input. All errors in all files are reported.

With --check nothing is printed if the file says the same already. If not, the difference is printed, and the exit
status is 1; after errors it is 2. So a pipeline can make sure that a file in the repository, such as one that
PolicyGenerator takes under manifests, is up to date.

With --fleet the policies are also rendered for a fleet of fixtures, for what that finds: warnings where a cluster has
more virtual machines than the policy is made for, and errors.`,
		Example: `  policyloom generate vm-dns.yaml
  policyloom generate vm-dns.yaml | kubectl apply -f -
  cat vm-dns.yaml | policyloom generate -
  policyloom generate --check manifests/dns.yaml vm-dns.yaml
  policyloom generate --fleet fleet vm-dns.yaml`,
		Args:              atLeastOneFile,
		ValidArgsFunction: manifestArguments,
		RunE: func(cmd *cobra.Command, files []string) error {
			if cmd.Flags().Changed("check") && !check.isWanted() {
				return errors.New("--check names no file")
			}
			if slices.Contains(files, check.file) {
				return fmt.Errorf("--check compares %s with what is generated from it: name the file that is generated", check.file)
			}
			if fleetDir != "" {
				if check.isWanted() {
					return errors.New("--check compares and --fleet renders: choose one of them")
				}
				if err := exists(fleetDir); err != nil {
					return err
				}
			}
			var resources []*v1alpha1.VirtualMachineDNS
			var findings diag.Findings
			for _, file := range files {
				data, name, err := readFile(file, streams.In)
				if err != nil {
					return err
				}
				decoded, found := policies.Decode(name, data, v1alpha1.Decode)
				resources = append(resources, decoded...)
				findings = append(findings, found...)
			}
			if err := report.Findings(streams.Err, findings, isVerbose(cmd)); err != nil {
				return err
			}
			if findings.HasErrors() {
				if check.isWanted() {
					return errFailed
				}
				return errFindings
			}
			output, err := generate.YAML(resources)
			if err != nil {
				return check.failure(streams.Err, err)
			}
			if check.isWanted() {
				return check.run(streams, files, output)
			}
			if _, err = streams.Out.Write(output); err != nil || fleetDir == "" {
				return err
			}
			found, err := renderFor(cmd.Context(), fleetDir, resources)
			if err != nil {
				return err
			}
			return printFindings(streams, found, isVerbose(cmd))
		},
	}
	check.addFlags(command)
	command.Flags().StringVar(&fleetDir, fleetFlag, "", "also render the policies for the fixtures in this directory: hub/ and clusters/NAME/")
	completeDirectory(command, fleetFlag)
	return command
}

// renderFor gives what is found when the policies of resources are rendered for a fleet.
func renderFor(ctx context.Context, fleetDir string, resources []*v1alpha1.VirtualMachineDNS) (diag.Findings, error) {
	objects, err := policies.Generate(resources)
	if err != nil {
		return nil, err
	}
	var policies []manifest.Object
	for _, object := range objects {
		policy := manifest.Object{Unstructured: object}
		for _, resource := range resources {
			if strings.Contains(object.GetName(), resource.Metadata.Name) {
				policy.Position = resource.Position("")
			}
		}
		policies = append(policies, policy)
	}
	fixtures, fleetFindings := fleet.Load(osFS{}, fleetDir)
	var findings diag.Findings
	general, err := render.Run(ctx, render.Input{Fleet: fixtures, FleetFindings: fleetFindings, Policies: policies, Now: time.Now()},
		func(cluster render.Cluster) error {
			findings = append(findings, cluster.Findings...)
			return nil
		})
	return append(findings, general...), err
}

func atLeastOneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return withHint("name a file, or - for standard input", "", cmd)
	}
	return nil
}
