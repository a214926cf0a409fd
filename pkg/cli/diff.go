package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/diff"
	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/policies"
	"github.com/policyloom/policyloom/pkg/render"
	"github.com/policyloom/policyloom/pkg/report"
	"github.com/policyloom/policyloom/pkg/revision"
)

type diffOptions struct {
	policies policySource
	clusters clusterSource
	color    colorOption
	names    []string
	base     string
	output   string
	zones    []string
	dnsArgs  []string
}

func newDiff(streams Streams) *cobra.Command {
	o := &diffOptions{}
	command := &cobra.Command{
		Use:   "diff BEFORE AFTER | REVISION..REVISION | --base REVISION",
		Short: "Show what a change of policies does to the fleet and to DNS",
		Long: `Show what a change of policies does to a fleet of fixtures: which clusters get and lose policies, what is created,
updated and deleted on them, which DNS records come and go, and what is found wrong that was not before.

On each cluster the policies before the change are evaluated until nothing changes, and then those after it: what they
do then is what is shown, pruning included. external-dns starts from the zones as it leaves them before the change.

The two sides are two files, directories or kustomizations; or two revisions of git, of which the policies are taken
that --filename and --kustomize name; or such a revision and the files as they are, with --base. The fleet is that of
the files as they are.

Exit status 0: no differences; 1: there are some; 2: wrong usage, or one side cannot be read.`,
		Example: `  policyloom diff old/policy.yaml new/policy.yaml --fleet fleet

  # what the working tree changes, compared with the branch main
  policyloom diff --base main -k policies/vm-dns --fleet fleet

  # the comment for a pull request
  policyloom diff main..HEAD -k policies/vm-dns --fleet fleet -o markdown`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, streams, args) },
	}
	o.policies.addFlags(command)
	o.clusters.addFlags(command)
	o.color.addFlags(command)
	flags := command.Flags()
	flags.StringSliceVar(&o.names, "policy", nil, "only these policies, by name or namespace/name")
	flags.StringVar(&o.base, "base", "", "a revision of git to compare the files as they are with")
	flags.StringVarP(&o.output, "output", "o", "", "output format: "+strings.Join(report.DiffFormats, ", ")+" (default is the first)")
	flags.StringArrayVar(&o.zones, "zone", nil, "the name of a zone of DNS; without any, those of the names are assumed")
	flags.StringArrayVar(&o.dnsArgs, "external-dns-arg", nil,
		"an argument of external-dns on clusters that nothing else tells of; {cluster} stands for the name of the cluster")
	completeValues(command, "output", report.DiffFormats)
	completeValues(command, "policy", nil)
	completeValues(command, "base", nil)
	return command
}

// side is what policies are taken from, and what findings call its files.
type side struct {
	source policies.Source
	show   func(string) string
}

func (o *diffOptions) run(cmd *cobra.Command, streams Streams, args []string) error {
	if err := errors.Join(report.DiffFormat(o.output), o.color.check(cmd), o.clusters.check(cmd)); err != nil {
		return err
	}
	before, after, cleanUp, err := o.sides(cmd, args)
	if err != nil {
		return err
	}
	defer cleanUp()
	bar := startProgress(streams)
	defer bar.Stop()
	fixtures, fleetFindings := o.clusters.load()
	was, findings, err := before.load(cmd.Context())
	if err != nil {
		return err
	}
	is, found, err := after.load(cmd.Context())
	if err != nil {
		return err
	}
	findings = append(findings, found...)
	if findings.HasErrors() {
		bar.Stop()
		if err := printFindings(streams, findings, isVerbose(cmd)); !errors.Is(err, errFindings) {
			return err
		}
		return errFailed
	}
	dns := dnsplan.Input{DefaultArgs: o.dnsArgs}
	for _, name := range o.zones {
		dns.Zones = append(dns.Zones, dnsplan.StartZone{Name: name})
	}
	result, err := diff.Run(cmd.Context(), diff.Input{
		Render: render.Input{
			Fleet: fixtures, FleetFindings: fleetFindings, Policies: was, Direct: o.clusters.isSingle(),
			Clusters: o.clusters.filter(), PolicyNames: o.names, Now: time.Now(), Progress: bar.Set,
		},
		After: is, DNS: dns,
	})
	if err != nil {
		return err
	}
	bar.Stop()
	for _, list := range []diag.Findings{result.New, result.Solved, result.Errors} {
		for i := range list {
			list[i].File = after.show(before.show(list[i].File))
		}
	}
	print := func(w io.Writer) error { return report.Diff(w, o.output, result) }
	if err := o.color.print(streams.Out, o.output, print); err != nil {
		return err
	}
	if err := printFindings(streams, result.Errors, isVerbose(cmd)); err != nil {
		return err
	}
	if !result.IsEmpty() {
		return errFindings
	}
	return nil
}

// sides gives the two sources. The directories that are made for revisions are removed by cleanUp.
func (o *diffOptions) sides(cmd *cobra.Command, args []string) (before, after side, cleanUp func(), err error) {
	asItIs := func(name string) string { return name }
	cleanUp = func() {}
	first, second, isRange := "", "", false
	if len(args) == 1 {
		first, second, isRange = strings.Cut(args[0], "..")
	}
	switch {
	case len(args) == 2 && o.base == "" && o.policies.isEmpty():
		for i, path := range args {
			if err := exists(path); err != nil {
				return side{}, side{}, cleanUp, err
			}
			s := side{source: sourceOf(path), show: asItIs}
			if i == 0 {
				before = s
				continue
			}
			after = s
		}
		return before, after, cleanUp, nil
	case len(args) == 2:
		return side{}, side{}, cleanUp, errors.New("two sides are named: --base, --filename and --kustomize are for revisions of git")
	case isRange && o.base != "":
		return side{}, side{}, cleanUp, errors.New("name a range of revisions or --base, and not both")
	case !isRange && len(args) > 0, !isRange && o.base == "":
		return side{}, side{}, cleanUp, withHint("name two sides, a range of revisions, or --base", "", cmd)
	case o.policies.isEmpty():
		return side{}, side{}, cleanUp, errors.New("name the policies in the revisions with --filename or --kustomize")
	case slices.Contains(o.policies.files, standardInput):
		return side{}, side{}, cleanUp, errors.New("standard input has no revisions: name files")
	}
	var undo []func()
	cleanUp = func() {
		for _, f := range undo {
			f()
		}
	}
	at := func(name string) (side, error) {
		if name == "" {
			return side{source: policies.Source{FS: osFS{}, Files: o.policies.files, Kustomizations: o.policies.kustomizations}, show: asItIs}, nil
		}
		tree, err := revision.CheckOut(cmd.Context(), name)
		if err != nil {
			return side{}, err
		}
		undo = append(undo, tree.Remove)
		s := side{source: policies.Source{FS: osFS{}}, show: tree.Show}
		for _, file := range o.policies.files {
			path, err := tree.Path(file)
			if err != nil {
				return side{}, err
			}
			s.source.Files = append(s.source.Files, path)
		}
		for _, dir := range o.policies.kustomizations {
			path, err := tree.Path(dir)
			if err != nil {
				return side{}, err
			}
			s.source.Kustomizations = append(s.source.Kustomizations, path)
		}
		return s, nil
	}
	if o.base != "" {
		first = o.base
	} else if first == "" {
		first = "HEAD"
	}
	if isRange && second == "" {
		second = "HEAD"
	}
	if before, err = at(first); err == nil {
		after, err = at(second)
	}
	if err != nil {
		cleanUp()
		return side{}, side{}, func() {}, err
	}
	return before, after, cleanUp, nil
}

// sourceOf tells a kustomization from other files and directories.
func sourceOf(path string) policies.Source {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && !info.IsDir() {
			return policies.Source{FS: osFS{}, Kustomizations: []string{path}}
		}
	}
	return policies.Source{FS: osFS{}, Files: []string{path}}
}

// load gives the policies of a side. In a revision that does not have the files yet, or any more, there are none.
func (s side) load(ctx context.Context) ([]manifest.Object, diag.Findings, error) {
	source := s.source
	missing := func(path string) bool {
		_, err := os.Stat(path)
		return os.IsNotExist(err)
	}
	source.Files = slices.DeleteFunc(slices.Clone(source.Files), missing)
	source.Kustomizations = slices.DeleteFunc(slices.Clone(source.Kustomizations), missing)
	objects, findings, err := policies.Load(ctx, source)
	for i := range findings {
		findings[i].File = s.show(findings[i].File)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the policies: %w", err)
	}
	return objects, findings, nil
}
