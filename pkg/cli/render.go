package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
	"github.com/policyloom/policyloom/pkg/report"
)

type renderOptions struct {
	policies  policySource
	clusters  clusterSource
	names     []string
	output    string
	outputDir string
	show      string
}

func newRender(streams Streams) *cobra.Command {
	o := &renderOptions{}
	command := &cobra.Command{
		Use:   "render",
		Short: "Show the objects that each managed cluster would get",
		Long: `Show the objects that policies ask for on each managed cluster of a fleet of fixtures.

OCM's own scheduler decides which clusters a Placement selects, the policies are replicated as the propagator does, hub
templates included, and the template engine of the config-policy-controller resolves the rest.

A fleet is a directory with hub/ (ManagedClusters, ManagedClusterSetBindings, ConfigMaps for hub templates ...) and
clusters/NAME/ for each managed cluster: manifests, "oc get -o yaml" lists, must-gather trees. Without --fleet, --cluster names
the manifests of one cluster, which then gets every policy whatever placements say.`,
		Example: `  # the objects of each cluster, as a table
  policyloom render -k policies/vm-dns --fleet fleet -o table

  # one policy file on one cluster
  policyloom render -f policy.yaml --cluster dumps/prod-1

  # one directory for each cluster, to compare with git
  policyloom render -k policies/vm-dns --fleet fleet --output-dir rendered

  # what the propagator puts into the cluster namespaces on the hub
  policyloom render -k policies/vm-dns --fleet fleet --show policies`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, streams) },
	}
	o.policies.addFlags(command)
	o.clusters.addFlags(command)
	flags := command.Flags()
	flags.StringSliceVar(&o.names, "policy", nil, "only these policies, by name or namespace/name")
	flags.StringVarP(&o.output, "output", "o", "yaml", "output format: "+strings.Join(report.ClusterFormats, ", "))
	flags.StringVar(&o.outputDir, "output-dir", "", "write a file for each object below this directory instead of printing")
	flags.StringVar(&o.show, "show", "objects", "objects of the clusters, or the replicated policies: objects, policies")
	command.MarkFlagsMutuallyExclusive("output", "output-dir")
	return command
}

func (o *renderOptions) run(cmd *cobra.Command, streams Streams) error {
	ctx, verbose := cmd.Context(), isVerbose(cmd)
	if o.show != "objects" && o.show != "policies" {
		return withHint(fmt.Sprintf("unknown value %q for --show", o.show), diag.DidYouMean(o.show, []string{"objects", "policies"}), cmd)
	}
	if err := o.clusters.check(cmd); err != nil {
		return err
	}
	printer, err := o.printer(streams)
	if err != nil {
		return err
	}
	fleet, findings := o.clusters.load()
	policies, found, err := o.policies.load(ctx, streams.In)
	if err != nil {
		return err
	}
	findings = append(findings, found...)
	if findings.HasErrors() {
		return printFindings(streams, findings, verbose)
	}
	found, err = render.Run(ctx, render.Input{
		Fleet:       fleet,
		Policies:    policies,
		Direct:      o.clusters.isSingle(),
		Clusters:    o.clusters.filter(),
		PolicyNames: o.names,
		Now:         time.Now(),
	}, func(cluster render.Cluster) error {
		findings = append(findings, cluster.Findings...)
		if o.show == "policies" {
			replicatedOnly(&cluster)
		}
		return printer.Write(cluster)
	})
	if err != nil {
		return err
	}
	findings = append(findings, found...)
	if err := printer.Close(); err != nil {
		return err
	}
	return printFindings(streams, findings, verbose)
}

func (o *renderOptions) printer(streams Streams) (report.Clusters, error) {
	if o.outputDir != "" {
		return report.NewDirectory(o.outputDir)
	}
	return report.NewClusters(o.output, streams.Out)
}

// printFindings prints the findings in a stable order, and fails if one is an error.
func printFindings(streams Streams, findings diag.Findings, verbose bool) error {
	findings.Sort()
	if err := report.Findings(streams.Err, findings, verbose); err != nil {
		return err
	}
	if findings.HasErrors() {
		return errFindings
	}
	return nil
}

// replicatedOnly shows the replicated policies in the place of the objects.
func replicatedOnly(cluster *render.Cluster) {
	cluster.Objects = make([]evaluate.Object, 0, len(cluster.Policies))
	for _, replicated := range cluster.Policies {
		cluster.Objects = append(cluster.Objects, replicatedObject(replicated))
	}
}
