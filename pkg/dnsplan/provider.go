package dnsplan

import (
	"context"
	"slices"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider"
)

// verb is what an external-dns does to a record set.
type verb string

const (
	created verb = "created"
	updated verb = "updated"
	deleted verb = "deleted"
)

// event is one write of an external-dns that changed a zone.
type event struct {
	round    int
	instance *instance
	verb     verb
	// wrote is the endpoint as external-dns gave it, labels included; for a deletion the one that goes.
	wrote *endpoint.Endpoint
}

// zones is the provider of one external-dns: a strict view of all zones. As a real one it keeps no labels.
type zones struct {
	provider.BaseProvider
	world    world
	instance *instance
	round    int
	// log takes what happens to each record set, and refused why a record set was refused last.
	log     map[recordKey][]event
	refused map[*instance]map[recordKey]string
	// changes counts what had an effect, and idle writes that had none.
	changes, idle int
	// touched holds what each record set that changes in the round was before.
	touched records
}

// GetDomainFilter is part of the interface of a provider.
func (p *zones) GetDomainFilter() endpoint.DomainFilterInterface { return p.instance.filter }

// Records gives copies of all record sets in the zones that external-dns sees.
func (p *zones) Records(context.Context) ([]*endpoint.Endpoint, error) {
	var list []*endpoint.Endpoint
	for name, z := range p.world {
		if !p.instance.sees(name) {
			continue
		}
		list = slices.Grow(list, len(z.records))
		for key, e := range z.records {
			list = append(list, &endpoint.Endpoint{
				DNSName: key.name, RecordType: key.recordType, SetIdentifier: key.setIdentifier, RecordTTL: e.RecordTTL,
				Targets: slices.Clone(e.Targets), ProviderSpecific: slices.Clone(e.ProviderSpecific),
			})
		}
	}
	return list, nil
}

// ApplyChanges writes what can be written. Deletions go first, so that a name may change its type. Changes come in any order.
func (p *zones) ApplyChanges(_ context.Context, changes *plan.Changes) error {
	byKey := func(a, b *endpoint.Endpoint) int { return keyOf(a).compare(keyOf(b)) }
	for _, list := range [][]*endpoint.Endpoint{changes.Delete, changes.UpdateNew, changes.Create} {
		// Records go before the ownership records that belong to them.
		slices.SortStableFunc(list, func(a, b *endpoint.Endpoint) int {
			if a.RecordType != b.RecordType && (a.RecordType == endpoint.RecordTypeTXT || b.RecordType == endpoint.RecordTypeTXT) {
				if a.RecordType == endpoint.RecordTypeTXT {
					return 1
				}
				return -1
			}
			return byKey(a, b)
		})
	}
	for _, e := range changes.Delete {
		p.delete(e)
	}
	for _, e := range changes.UpdateNew {
		p.write(e, true)
	}
	for _, e := range changes.Create {
		p.write(e, false)
	}
	return nil
}

func (p *zones) delete(e *endpoint.Endpoint) {
	key := keyOf(e)
	z := p.world[p.world.zoneOf(key.name, p.instance.sees)]
	if z == nil || z.records[key] == nil {
		p.idle++
		return
	}
	p.happened(key, z.records[key], event{p.round, p.instance, deleted, e})
	z.remove(key)
}

func (p *zones) write(e *endpoint.Endpoint, replace bool) {
	key := keyOf(e)
	if reason := nameFault(e.DNSName, e.RecordType, p.instance.config.Provider); reason != "" {
		p.refuse(key, reason)
		return
	}
	name := p.world.zoneOf(key.name, p.instance.sees)
	z := p.world[name]
	if z == nil {
		p.refuse(key, noZone)
		return
	}
	if owned := e.Labels[endpoint.OwnedRecordLabelKey]; e.RecordType == endpoint.RecordTypeTXT && owned != "" && p.ownedIsRefused(owned, e) {
		// Record and ownership record are written together.
		return
	}
	if reason := p.fault(e, name); reason != "" {
		p.refuse(key, reason)
		return
	}
	if reason := z.conflict(key, replace); reason != "" {
		p.refuse(key, reason)
		return
	}
	delete(p.refused[p.instance], key)
	stored := &endpoint.Endpoint{RecordTTL: e.RecordTTL, Targets: slices.Clone(e.Targets), ProviderSpecific: slices.Clone(e.ProviderSpecific)}
	before := z.records[key]
	if equalRecords(before, stored) {
		p.idle++
		return
	}
	z.set(key, stored)
	did := created
	if before != nil {
		did = updated
	}
	p.happened(key, before, event{p.round, p.instance, did, e})
}

// ownedIsRefused tells whether the record that an ownership record is for was refused just now, for a fault of its own.
func (p *zones) ownedIsRefused(owned string, txt *endpoint.Endpoint) bool {
	if len(p.refused[p.instance]) == 0 {
		return false
	}
	names := p.instance.mapper()
	for _, recordType := range endpoint.KnownRecordTypes {
		reason, refused := p.refused[p.instance][recordKey{canonical(owned), recordType, txt.SetIdentifier}]
		if refused && reason != noTargets && canonical(names.ToTXTName(owned, recordType)) == canonical(txt.DNSName) {
			return true
		}
	}
	return false
}

func (p *zones) refuse(key recordKey, reason string) {
	if p.refused[p.instance] == nil {
		p.refused[p.instance] = map[recordKey]string{}
	}
	p.refused[p.instance][key] = reason
}

func (p *zones) happened(key recordKey, before *endpoint.Endpoint, e event) {
	p.log[key] = append(p.log[key], e)
	if _, again := p.touched[key]; !again {
		p.touched[key] = before
	}
	p.changes++
}
