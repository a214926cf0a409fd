package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/acm"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
	"github.com/policyloom/policyloom/pkg/report"
)

// What render can show.
const (
	showObjects  = "objects"
	showPolicies = "policies"
)

var showValues = []string{showObjects, showPolicies}

type renderOptions struct {
	policies     policySource
	clusters     clusterSource
	names        []string
	output       string
	outputDir    string
	show         string
	allowNoValue bool
	evaluate     bool
	release      string
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
clusters/NAME/ for each managed cluster: manifests, "oc get -o yaml" lists, must-gather trees. Without --fleet, --cluster
names the manifests of one cluster, which then gets every policy whatever placements say.

With --evaluate the real config-policy-controller evaluates the policies over the cluster in memory until nothing changes. The
result is the compliance and the message of each policy, and what it creates, updates and deletes; for a policy that
informs, what it would do if it enforced.

What is wrong with one cluster or one policy is an error, and the others are shown. Exit status 1 says that there were
errors, or with --evaluate that a policy is not compliant in the end.`,
		Example: `  # the objects of each cluster, as a table
  policyloom render -k policies/vm-dns --fleet fleet -o table

  # one policy file on one cluster
  policyloom render -f policy.yaml --cluster dumps/prod-1

  # what the policy makes of the cluster, and whether the cluster is compliant
  policyloom render --evaluate -f policy.yaml --cluster dumps/prod-1

  # one directory for each cluster, to compare with git
  policyloom render -k policies/vm-dns --fleet fleet --output-dir rendered

  # what the propagator puts into the cluster namespaces on the hub
  policyloom render -k policies/vm-dns --fleet fleet --show policies`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, streams) },
	}
	o.policies.addFlags(command)
	o.clusters.addFlags(command)
	flags := command.Flags()
	flags.StringSliceVar(&o.names, "policy", nil, "only these policies, by name or namespace/name")
	flags.BoolVar(&o.evaluate, "evaluate", false, "show the compliance of the policies, and what they change")
	flags.StringVarP(&o.output, "output", "o", "", "output format: "+strings.Join(report.ClusterFormats, ", ")+
		"; with --evaluate "+strings.Join(report.EvaluationFormats, ", ")+" (default is the first)")
	flags.StringVar(&o.outputDir, "output-dir", "", "write a file for each object below this directory instead of printing")
	flags.StringVar(&o.show, "show", showObjects, "objects of the clusters, or the replicated policies: "+strings.Join(showValues, ", "))
	flags.BoolVar(&o.allowNoValue, "allow-no-value", false, `permit "<no value>" in objects, which templates print for what is not there`)
	flags.StringVar(&o.release, "acm", "", "refuse template functions that this release of RHACM does not have, as 2.12")
	completeValues(command, "acm", releases())
	completeValues(command, "output", append(slices.Clone(report.ClusterFormats), "text"))
	completeValues(command, "show", showValues)
	completeValues(command, "policy", nil)
	completeDirectory(command, "output-dir")
	return command
}

// check refuses flags that make no sense, before anything is read.
func (o *renderOptions) check(cmd *cobra.Command) error {
	if !slices.Contains(showValues, o.show) {
		return withHint(fmt.Sprintf("unknown value %q for --show", o.show), diag.DidYouMean(o.show, showValues), cmd)
	}
	if cmd.Flags().Changed("acm") && !slices.Contains(releases(), o.release) {
		return withHint(fmt.Sprintf("unknown value %q for --acm", o.release), "known are "+strings.Join(releases(), ", "), cmd)
	}
	if o.outputDir != "" && cmd.Flags().Changed("output") {
		return errors.New("--output is for what is printed, and with --output-dir nothing is: choose one of them")
	}
	if o.evaluate && o.outputDir != "" {
		return errors.New("--evaluate shows compliance, which --output-dir does not write: choose one of them")
	}
	if o.evaluate && o.show != showObjects {
		return errors.New("--evaluate is about the objects of the clusters: leave --show out")
	}
	if o.policies.isEmpty() && o.clusters.isSingle() {
		return errors.New("name policies with --filename or --kustomize")
	}
	return errors.Join(o.policies.check(), o.clusters.check(cmd))
}

func releases() []string {
	var names []string
	for _, release := range acm.Releases() {
		names = append(names, string(release))
	}
	return names
}

func (o *renderOptions) run(cmd *cobra.Command, streams Streams) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	bar := startProgress(streams)
	defer bar.Stop()
	out := streams
	if isTerminal(streams.Out) {
		out.Out = bar.Writer(streams.Out)
	}
	printer, err := o.printer(out)
	if err != nil {
		return err
	}
	fleet, fleetFindings := o.clusters.load()
	policies, general, err := o.policies.load(cmd.Context(), streams.In)
	if err != nil {
		return err
	}
	var findings diag.Findings
	compliant := true
	if general.HasErrors() {
		// What cannot be read could be anything: a placement, or the data of a hub template.
		general = append(general, fleetFindings...)
	} else {
		found, err := render.Run(cmd.Context(), render.Input{
			Fleet:         fleet,
			FleetFindings: fleetFindings,
			Policies:      policies,
			Direct:        o.clusters.isSingle(),
			PoliciesOnly:  o.show == showPolicies,
			AllowNoValue:  o.allowNoValue,
			Evaluate:      o.evaluate,
			Release:       acm.Release(o.release),
			Clusters:      o.clusters.filter(),
			PolicyNames:   o.names,
			Now:           time.Now(),
			Progress:      bar.Set,
		}, func(cluster render.Cluster) error {
			findings = append(findings, cluster.Findings...)
			compliant = compliant && isCompliant(cluster)
			if o.show == showPolicies {
				replicatedOnly(&cluster)
			}
			return printer.Write(cluster)
		})
		if err != nil {
			return err
		}
		general = append(general, found...)
	}
	bar.Stop()
	general.Sort()
	if err := printer.Close(general); err != nil {
		return err
	}
	if err := printFindings(streams, append(findings, general...), isVerbose(cmd)); err != nil {
		return err
	}
	if !compliant {
		return errFindings
	}
	return nil
}

// isCompliant tells whether no policy that was evaluated on the cluster is left without compliance.
func isCompliant(cluster render.Cluster) bool {
	return cluster.Evaluation == nil || !slices.ContainsFunc(cluster.Evaluation.Policies, func(p evaluate.PolicyResult) bool {
		return p.Compliance == evaluate.NonCompliant || p.Compliance == evaluate.Pending
	})
}

func (o *renderOptions) printer(streams Streams) (report.Clusters, error) {
	if o.outputDir != "" {
		return report.NewDirectory(o.outputDir)
	}
	if o.evaluate {
		return report.NewEvaluations(o.output, streams.Out)
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
