package dnsplan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/pkg/apis/externaldns"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/quiet"
)

// Input is what Run works on.
type Input struct {
	// Clusters are those of the fleet.
	Clusters []Cluster
	// Zones are the zones at the start. If there are none, empty ones are assumed for the names that are asked for.
	Zones []StartZone
	// DefaultArgs are the arguments of external-dns on clusters that nothing is known of. {cluster} stands for the cluster.
	DefaultArgs []string
	// DefaultVersion is its version.
	DefaultVersion string
	// MaxDeletePercent is how much of a zone of at least ten records may go; more is an error. 100 allows everything.
	MaxDeletePercent int
}

// Cluster is what a managed cluster has for external-dns.
type Cluster struct {
	Name string
	// Endpoints are its DNSEndpoints, and Services its Services.
	Endpoints, Services []manifest.Object
	// Settings say how external-dns runs there. Without any, the default arguments count.
	Settings []Settings
}

// Run gives the changes that the external-dns of all clusters would make. What is wrong with them is a finding of the plan. The
// error is that of the context, or diag.Findings if settings, objects or zones cannot be read, so that there is no plan.
func Run(ctx context.Context, in Input) (Plan, error) {
	quiet.ExternalDNS()
	r := runner{in: in}
	r.prepare()
	start := r.startZones()
	if r.faulty {
		r.findings.Sort()
		return Plan{}, r.findings
	}
	r.findings = append(r.findings, sharedOwners(r.instances, start)...)
	forward, err := simulate(ctx, start, r.instances)
	if err != nil {
		return Plan{}, err
	}
	p := r.plan(start, forward)
	if len(r.instances) > 1 && contended(start, r.instances) {
		backward := slices.Clone(r.instances)
		slices.Reverse(backward)
		other, err := simulate(ctx, start, backward)
		if err != nil {
			return Plan{}, err
		}
		r.findings = append(r.findings, r.luck(forward, other)...)
	}
	p.Findings = r.findings
	p.Findings.Sort()
	return p, nil
}

// runner works out one plan.
type runner struct {
	in        Input
	instances []*instance
	findings  diag.Findings
	// faulty says that something cannot be read, so that there can be no plan.
	faulty bool
}

// must adds findings whose errors leave no plan.
func (r *runner) must(findings diag.Findings) {
	r.findings = append(r.findings, findings...)
	r.faulty = r.faulty || findings.HasErrors()
}

// prepare makes an external-dns of each of the settings, and gives it what its cluster asks for.
func (r *runner) prepare() {
	for _, cluster := range r.in.Clusters {
		settings := cluster.Settings
		if len(settings) == 0 {
			settings = []Settings{r.defaults(cluster)}
		}
		var running []*instance
		for _, s := range settings {
			i, findings := newInstance(s)
			r.must(findings)
			if i == nil {
				continue
			}
			if i.config.DryRun {
				r.findings = append(r.findings, i.finding(diag.Warning, "runs with --dry-run and changes nothing: it is left out", ""))
				continue
			}
			r.must(i.load(cluster))
			if s.Assumed && (len(i.wants) > 0 || r.hasRecords()) {
				r.findings = append(r.findings, i.finding(diag.Warning,
					"nothing tells how external-dns runs there: the sources crd and service, the policy sync and the cluster's name as owner id are taken",
					"save its Deployment with the fixtures, or name arguments with --external-dns-arg"))
			}
			r.findings = append(append(r.findings, i.risks()...), i.otherPrefix(cluster.Services)...)
			running = append(running, i)
		}
		r.findings = append(r.findings, unread(cluster, running)...)
		r.instances = append(r.instances, running...)
	}
	for _, i := range r.instances {
		r.findings = append(r.findings, i.badRecords()...)
	}
}

// defaults are the settings of a cluster that nothing is known of.
func (r *runner) defaults(cluster Cluster) Settings {
	s := Settings{Cluster: cluster.Name, Version: r.in.DefaultVersion}
	if len(r.in.DefaultArgs) == 0 {
		s.Args, s.Assumed = []string{"--source=crd", "--source=service", "--policy=sync", "--registry=txt", "--txt-owner-id={cluster}"}, true
	} else {
		s.Args = r.in.DefaultArgs
	}
	s.Args = slices.Clone(s.Args)
	for n := range s.Args {
		s.Args[n] = strings.ReplaceAll(s.Args[n], "{cluster}", cluster.Name)
	}
	return s
}

// load reads the objects of the cluster.
func (i *instance) load(cluster Cluster) diag.Findings {
	var findings diag.Findings
	var list []tracked
	others := map[string]bool{}
	for _, source := range i.config.Sources {
		switch source {
		case "crd":
			made, found := i.crdEndpoints(cluster.Endpoints)
			list, findings = append(list, made...), append(findings, found...)
		case "service":
			made, found := i.serviceEndpoints(cluster.Services)
			list, findings = append(list, made...), append(findings, found...)
		case "empty":
		default:
			others[source] = true
		}
	}
	i.keeps = i.notSimulated(cluster, others)
	if len(others) > 0 {
		var names []string
		for _, source := range i.config.Sources {
			if others[source] {
				names = append(names, source)
			}
		}
		findings = append(findings, i.finding(diag.Info,
			"the sources "+strings.Join(names, ", ")+" of external-dns are not simulated: the records that they have stay as they are", ""))
	}
	list, err := i.process(list)
	if err != nil {
		findings = append(findings, i.finding(diag.Error, err.Error(), ""))
	}
	i.desired = list
	return findings
}

// notSimulated tells which resources' records are not worked out here and so stay as they are: those of other sources, and
// Services whose targets are Pods or Nodes.
func (i *instance) notSimulated(cluster Cluster, sources map[string]bool) func(resource string) bool {
	services := map[string]bool{}
	for _, object := range cluster.Services {
		if service, ok := decodeService(object); ok && !isSimulated(service) {
			services[resourceOf(service)] = true
		}
	}
	return func(resource string) bool {
		kind, _, _ := strings.Cut(resource, "/")
		if kind == "crd" || kind == "service" {
			return services[resource]
		}
		return len(sources) > 0
	}
}

// plan compares the zones at the start and at the end.
func (r *runner) plan(start world, o outcome) Plan {
	d := newDifference(start, o, r.instances)
	p := Plan{Zones: []Zone{}, Unpublished: []Unpublished{}, Instances: r.describe()}
	for _, name := range o.world.names() {
		p.Zones = append(p.Zones, d.zone(name))
	}
	j := newJudge(o, d.ownersIn, r.instances)
	for _, i := range r.instances {
		j.judge(i)
	}
	p.Unpublished = append(p.Unpublished, r.unpublished()...)
	p.Summary = summarise(p, o)
	r.findings = append(r.findings, unpublishedFindings(p.Unpublished, o.settled)...)
	r.findings = append(r.findings, r.movements(p, o)...)
	r.findings = append(r.findings, tooManyDeletions(p.Zones, r.in.MaxDeletePercent)...)
	return p
}

func (r *runner) describe() []Instance {
	list := []Instance{}
	for _, i := range r.instances {
		list = append(list, Instance{
			Cluster: i.settings.Cluster, Name: i.settings.Name, Version: i.version.String(), Owner: i.owner(), Policy: i.config.Policy,
			Registry: i.config.Registry, Records: len(i.desired), Assumed: i.settings.Assumed,
		})
	}
	return list
}

func summarise(p Plan, o outcome) Summary {
	s := Summary{Unpublished: len(p.Unpublished), Rounds: o.rounds, Settled: o.settled}
	if o.settled {
		// The last one only finds that there is nothing to do.
		s.Rounds--
	}
	for _, zone := range p.Zones {
		s.Untouched += len(zone.Untouched)
		for _, change := range zone.Changes {
			switch change.Action {
			case Create:
				s.Create++
			case Update:
				s.Update++
			case Delete:
				s.Delete++
			case Unsettled:
				s.Unsettled++
			}
		}
	}
	return s
}

// unread reports DNSEndpoints on a cluster whose external-dns has no crd source.
func unread(cluster Cluster, running []*instance) diag.Findings {
	if len(cluster.Endpoints) == 0 || len(running) == 0 ||
		slices.ContainsFunc(running, func(i *instance) bool { return slices.Contains(i.config.Sources, "crd") }) {
		return nil
	}
	return diag.Findings{running[0].finding(diag.Error,
		fmt.Sprintf("external-dns has no --source=crd: it reads none of the %d DNSEndpoints of the cluster", len(cluster.Endpoints)),
		"add --source=crd")}
}

// ownsNothing tells whether an external-dns keeps no ownership records.
func (i *instance) ownsNothing() bool { return i.config.Registry == externaldns.RegistryNoop }

// hasRecords tells whether there is anything in the zones at the start that an external-dns could take away.
func (r *runner) hasRecords() bool {
	return slices.ContainsFunc(r.in.Zones, func(z StartZone) bool { return len(z.Records) > 0 })
}
