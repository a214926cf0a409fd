package dnsplan

import (
	"context"
	"fmt"
	"maps"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/registry"
	"sigs.k8s.io/external-dns/registry/noop"
	"sigs.k8s.io/external-dns/registry/txt"
)

func (o outcome) isUnstable(key recordKey) bool {
	_, is := o.unstable[key]
	return is
}

// maxRounds is how often each external-dns runs before the zones count as never coming to rest.
const maxRounds = 8

// outcome is what the zones come to.
type outcome struct {
	world   world
	rounds  int
	settled bool
	log     map[recordKey][]event
	refused map[*instance]map[recordKey]string
	// unstable are the record sets that change in each round, by what they were before, if the zones do not come to rest.
	unstable records
	// idle counts the writes of the last round that changed nothing.
	idle map[*instance]int
}

// simulate lets each external-dns run in turn, again and again until nothing changes.
func simulate(ctx context.Context, start world, instances []*instance) (outcome, error) {
	o := outcome{
		world: start.copy(), log: map[recordKey][]event{}, refused: map[*instance]map[recordKey]string{},
		unstable: records{}, idle: map[*instance]int{},
	}
	var before records
	for o.rounds = 1; ; o.rounds++ {
		touched := records{}
		for _, i := range instances {
			if err := ctx.Err(); err != nil {
				return o, err
			}
			p := &zones{world: o.world, instance: i, round: o.rounds, log: o.log, refused: o.refused, touched: touched}
			if err := i.run(ctx, p); err != nil {
				return o, fmt.Errorf("%s: %w", i.name(), err)
			}
			o.idle[i] = p.idle
		}
		if len(touched) == 0 {
			o.settled = true
			return o, nil
		}
		// Whoever begins a round where he began the last one goes round for ever.
		if returns(touched, o.world) {
			o.unstable = touched
			return o, nil
		}
		if o.rounds == maxRounds {
			maps.Copy(touched, before)
			o.unstable = touched
			return o, nil
		}
		before = touched
	}
}

// returns tells whether the touched record sets are as they were.
func returns(before records, now world) bool {
	for key, e := range before {
		if !equalRecords(e, now.find(key)) {
			return false
		}
	}
	return true
}

// run is one interval of one external-dns: what its controller does, with its own registry and planner.
func (i *instance) run(ctx context.Context, p *zones) error {
	records, err := i.registry(p)
	if err != nil {
		return err
	}
	current, err := records.Records(ctx)
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, provider.RecordsContextKey, current)
	desired := make([]*endpoint.Endpoint, 0, len(i.desired))
	for _, t := range i.desired {
		desired = append(desired, clone(t.Endpoint))
	}
	for _, e := range current {
		if e.IsOwnedBy(i.owner()) && i.keeps(e.Labels[endpoint.ResourceLabelKey]) {
			desired = append(desired, clone(e))
		}
	}
	if desired, err = records.AdjustEndpoints(desired); err != nil {
		return err
	}
	calculated := (&plan.Plan{
		Policies: []plan.Policy{plan.Policies[i.config.Policy]}, Current: current, Desired: desired,
		DomainFilter:   endpoint.MatchAllDomainFilters{i.filter, records.GetDomainFilter()},
		ManagedRecords: i.config.ManagedDNSRecordTypes, ExcludeRecords: i.config.ExcludeDNSRecordTypes,
		OwnerID: records.OwnerID(), OldOwnerID: i.config.TXTOwnerOld,
	}).Calculate()
	if !calculated.Changes.HasChanges() {
		return nil
	}
	return records.ApplyChanges(ctx, calculated.Changes)
}

func (i *instance) registry(p *zones) (registry.Registry, error) {
	if i.config.Registry == externaldns.RegistryNoop {
		return noop.New(i.config, p)
	}
	return txt.New(i.config, p)
}
