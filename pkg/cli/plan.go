package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/render"
	"github.com/policyloom/policyloom/pkg/report"
)

// defaultMaxDelete is how many percent of a zone a plan may delete unless the user says otherwise.
const defaultMaxDelete = 30

type planOptions struct {
	color           colorOption
	policies        policySource
	clusters        clusterSource
	names           []string
	zones           []string
	zoneFiles       []string
	args            []string
	version         string
	output          string
	untouched       bool
	allowNoValue    bool
	expectNoChanges bool
	maxDelete       int
	detailed        bool
}

func newPlan(streams Streams) *cobra.Command {
	o := &planOptions{}
	command := &cobra.Command{
		Use:   "plan",
		Short: "Show the DNS records that external-dns would create, update and delete",
		Long: `Show what external-dns would make of the DNS zones, over all clusters of a fleet of fixtures.

The policies, if there are any, are evaluated first. Then the external-dns of each cluster reads what the cluster has
after that, DNSEndpoints and Services, and runs with its own planner and registry over the zones in memory, again and
again until nothing changes. The clusters come in order, and once more in reverse: what differs then is luck.

How external-dns runs on a cluster is read from its Deployment among the fixtures, or from cluster.yaml:

  externalDNS: {version: "0.21", args: [--source=crd, --txt-owner-id=prod-1, --policy=sync]}

or else from --external-dns-arg, the same for all other clusters. Zones are empty unless --zone-file names what is in
them already: a zone file of BIND, what "aws route53 list-resource-record-sets" prints (.json), or YAML.

For each wanted record that is not there in the end the plan says why. Exit status 0: no finding is an error, whether
there are changes or not; 1: there are errors; 2: wrong usage, or the program failed. With --detailed-exitcode 0 says no
changes, 1 errors, 2 changes without errors, and 3 wrong usage, or that the program failed.`,
		Example: `  # what a policy does to the records of a fleet, with zones that are empty
  policyloom plan -k policies/vm-dns --fleet fleet

  # what is in the zone now counts, and nothing else may change
  policyloom plan --fleet fleet --zone-file example.com=example.com.zone --expect-no-changes

  # all clusters run external-dns in one way
  policyloom plan --fleet fleet --zone example.com \
    --external-dns-arg=--source=crd --external-dns-arg=--policy=upsert-only --external-dns-arg='--txt-owner-id={cluster}'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, streams) },
	}
	o.policies.addFlags(command)
	o.clusters.addFlags(command)
	o.color.addFlags(command)
	flags := command.Flags()
	flags.StringSliceVar(&o.names, "policy", nil, "only these policies, by name or namespace/name")
	flags.BoolVar(&o.allowNoValue, "allow-no-value", false, `permit "<no value>" in objects, which templates print for what is not there`)
	flags.StringArrayVar(&o.zones, "zone", nil, "the name of a zone that is empty")
	flags.StringArrayVar(&o.zoneFiles, "zone-file", nil, "what is in a zone: FILE, or NAME=FILE for a zone file that does not name its zone")
	flags.StringArrayVar(&o.args, "external-dns-arg", nil,
		"an argument of external-dns on clusters that nothing else tells of; {cluster} stands for the name of the cluster")
	flags.StringVar(&o.version, "external-dns-version", "", "the version of external-dns on those clusters, such as 0.22")
	flags.StringVarP(&o.output, "output", "o", "", "output format: "+strings.Join(report.PlanFormats, ", ")+" (default is the first)")
	flags.BoolVar(&o.untouched, "show-untouched", false, "also show the records that stay as they are, and who owns them")
	flags.BoolVar(&o.expectNoChanges, "expect-no-changes", false, "fail if any record changes")
	flags.IntVar(&o.maxDelete, "max-delete-percent", defaultMaxDelete, "fail if a zone of at least 10 records loses more than that")
	flags.BoolVar(&o.detailed, detailedFlag, false, "exit with 2 if there are changes and no findings, and with 3 on failure")
	completeValues(command, "output", report.PlanFormats)
	completeValues(command, "policy", nil)
	return command
}

func (o *planOptions) check(cmd *cobra.Command) error {
	errs := []error{o.policies.check(), o.clusters.check(cmd), o.color.check(cmd), report.PlanFormat(o.output)}
	if o.maxDelete < 0 || o.maxDelete > 100 {
		errs = append(errs, fmt.Errorf("--max-delete-percent %d is no percentage from 0 to 100", o.maxDelete))
	}
	for _, file := range o.zoneFiles {
		_, path := zoneFile(file)
		errs = append(errs, exists(path))
	}
	return errors.Join(errs...)
}

// zoneFile takes NAME=FILE apart.
func zoneFile(text string) (name, path string) {
	if name, path, found := strings.Cut(text, "="); found && !strings.ContainsAny(name, `/\`) {
		return name, path
	}
	return "", text
}

func (o *planOptions) run(cmd *cobra.Command, streams Streams) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	bar := startProgress(streams)
	defer bar.Stop()
	in := dnsplan.Input{DefaultArgs: o.args, DefaultVersion: o.version, MaxDeletePercent: o.maxDelete}
	findings := o.readZones(&in)
	fixtures, fleetFindings := o.clusters.load()
	policies, found, err := o.policies.load(cmd.Context(), streams.In)
	if err != nil {
		return err
	}
	findings = append(findings, found...)
	if findings.HasErrors() {
		bar.Stop()
		findings = append(findings, dnsplan.CheckZones(in.Zones)...)
		return printFindings(streams, append(findings, fleetFindings...), isVerbose(cmd))
	}
	written := map[string][]fleet.ExternalDNS{}
	for _, cluster := range fixtures.Clusters {
		written[cluster.Name] = cluster.ExternalDNS
	}
	found, err = render.Run(cmd.Context(), render.Input{
		Fleet: fixtures, FleetFindings: fleetFindings, Policies: policies, Direct: o.clusters.isSingle(), States: true, AllowNoValue: o.allowNoValue,
		Clusters: o.clusters.filter(), PolicyNames: o.names, Now: time.Now(), Progress: bar.Set,
	}, func(cluster render.Cluster) error {
		findings = append(append(findings, cluster.Findings...), onlyInform(cluster)...)
		if cluster.State != nil {
			c, found := dnsplan.FromState(cluster.Name, cluster.State, written[cluster.Name])
			in.Clusters, findings = append(in.Clusters, c), append(findings, found...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	bar.Stop()
	findings = append(findings, found...)
	if findings.HasErrors() {
		// A cluster that is not known in full would seem to give its records up.
		return printFindings(streams, findings, isVerbose(cmd))
	}
	plan, err := dnsplan.Run(cmd.Context(), in)
	if faults := (diag.Findings)(nil); errors.As(err, &faults) {
		return printFindings(streams, append(findings, faults...), isVerbose(cmd))
	}
	if err != nil {
		return err
	}
	if o.expectNoChanges && plan.HasChanges() {
		plan.Findings = append(plan.Findings, diag.Finding{Severity: diag.Error, Message: "records change, and --expect-no-changes is set"})
	}
	findings = append(findings, plan.Findings...)
	print := func(w io.Writer) error { return report.Plan(w, o.output, plan, o.untouched) }
	if err := o.color.print(streams.Out, o.output, print); err != nil {
		return err
	}
	if err := printFindings(streams, findings, isVerbose(cmd)); err != nil {
		return err
	}
	if o.detailed && plan.HasChanges() {
		return errChanges
	}
	return nil
}

// readZones reads the zones at the start.
func (o *planOptions) readZones(in *dnsplan.Input) diag.Findings {
	var findings diag.Findings
	for _, name := range o.zones {
		in.Zones = append(in.Zones, dnsplan.StartZone{Name: name})
	}
	for _, file := range o.zoneFiles {
		name, path := zoneFile(file)
		zones, found := dnsplan.ReadZones(osFS{}, path, name)
		in.Zones, findings = append(in.Zones, zones...), append(findings, found...)
	}
	return findings
}

// onlyInform warns of policies that would make DNSEndpoints if they enforced: their records are not in the plan.
func onlyInform(cluster render.Cluster) diag.Findings {
	if cluster.Evaluation == nil {
		return nil
	}
	var findings diag.Findings
	for _, policy := range cluster.Evaluation.Policies {
		for _, template := range policy.Templates {
			count := 0
			for _, change := range template.Changes {
				if change.Would && change.Kind == "DNSEndpoint" {
					count++
				}
			}
			if count > 0 {
				findings = append(findings, diag.Finding{
					Severity: diag.Warning, Position: template.Source, Cluster: cluster.Name, Object: template.Template,
					Message: fmt.Sprintf("only informs: the plan does not have what it would change in DNSEndpoints (%d)", count),
					Hint:    "set remediationAction: enforce",
				})
			}
		}
	}
	return findings
}
