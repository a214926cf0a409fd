package dnsplan

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/plan"
)

// judge says why wanted records are not in their zone.
type judge struct {
	outcome   outcome
	owners    allOwners
	instances []*instance
	// groups are the endpoints of one external-dns that ask for one name.
	groups map[groupKey][]tracked
}

type groupKey struct {
	instance            *instance
	name, setIdentifier string
}

func newJudge(o outcome, all allOwners, instances []*instance) *judge {
	j := &judge{outcome: o, owners: all, instances: instances, groups: map[groupKey][]tracked{}}
	for _, i := range instances {
		for _, t := range i.desired {
			g := groupOf(i, t)
			j.groups[g] = append(j.groups[g], t)
		}
	}
	return j
}

func groupOf(i *instance, t tracked) groupKey {
	return groupKey{i, canonical(strings.TrimSpace(t.DNSName)), t.SetIdentifier}
}

// judge finds the wants of an external-dns that did not come true.
func (j *judge) judge(i *instance) {
	for _, t := range i.desired {
		reason, detail := j.reason(i, t)
		if reason != "" {
			t.lose(reason, detail)
			continue
		}
		for _, w := range t.wants {
			if len(w.joined) > 0 {
				w.lose(Merged, "the targets are published together with those of "+others(w.joined, w.resource)+": answers come from all of them")
			}
		}
	}
}

// mostPlaces is for how many records the place of the endpoint is looked up, which takes time; the others have that of the object.
const mostPlaces = 1000

// unpublished gives the wants that did not come true. What one external-dns of a cluster leaves to another one is none of them.
func (r *runner) unpublished() []Unpublished {
	type subject struct{ cluster, resource, name, recordType, setIdentifier string }
	about := func(i *instance, w *want) subject {
		return subject{i.settings.Cluster, w.resource, w.name, w.recordType, w.setIdentifier}
	}
	taken := map[subject]bool{}
	for _, i := range r.instances {
		for _, w := range i.wants {
			if !w.isLeft() {
				taken[about(i, w)] = true
			}
		}
	}
	var list []Unpublished
	for _, i := range r.instances {
		for _, w := range i.wants {
			if w.lost == "" || w.isLeft() && taken[about(i, w)] {
				continue
			}
			// Those that several leave are reported once.
			taken[about(i, w)] = true
			at := w.position
			if len(list) < mostPlaces {
				at = w.where()
			}
			list = append(list, Unpublished{
				Name: w.name, Type: w.recordType, Targets: w.targets, Cluster: i.settings.Cluster, Resource: w.resource,
				Reason: w.lost, Detail: w.detail, Source: at, object: w.object,
			})
		}
	}
	return list
}

func others(resources []string, own string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(resources), func(r string) bool { return r == own }), ", ")
}

// reason tells what became of an endpoint that got to the planner.
func (j *judge) reason(i *instance, t tracked) (Reason, string) {
	key := keyOf(t.Endpoint)
	if !plan.IsManagedRecord(t.RecordType, i.config.ManagedDNSRecordTypes, i.config.ExcludeDNSRecordTypes) {
		return UnmanagedType, unmanaged(i, t.RecordType)
	}
	if !i.filter.Match(t.DNSName) {
		return Filtered, "the domain filter of external-dns leaves the name out"
	}
	if j.outcome.isUnstable(key) {
		return Unstable, "it changes at each interval: " + j.history(key, j.outcome.rounds)
	}
	final := j.outcome.world.find(key)
	if final == nil || !says(final, t.Endpoint) {
		return j.absent(i, t, key, final)
	}
	if i.owner() == "" {
		return "", ""
	}
	owned, ok := j.owners.byName[i.naming()].of(key, final)
	switch {
	case ok && owned.owner() == i.owner():
		return "", ""
	case ok && owned.owner() != "":
		return ForeignOwner, fmt.Sprintf("the record is there and says the same, but belongs to %s", j.describe(owned))
	case j.wrote(i, key):
		return NoOwnership, j.noRoom(i, t, key)
	default:
		return Unowned, "the record is there and says the same, but nobody owns it: it will neither be updated nor removed"
	}
}

// says tells whether a record says what an endpoint wants.
func says(final, wanted *endpoint.Endpoint) bool {
	return sameTargets(final.Targets, wanted.Targets) && (!wanted.RecordTTL.IsConfigured() || final.RecordTTL == wanted.RecordTTL)
}

// absent tells why a zone does not say what an endpoint wants.
func (j *judge) absent(i *instance, t tracked, key recordKey, final *endpoint.Endpoint) (Reason, string) {
	group := j.groups[groupOf(i, t)]
	if winner, lost := rival(group, t, final); lost {
		return LostTo, lostTo(i, t, winner)
	}
	if t.RecordType == endpoint.RecordTypeCNAME {
		for _, other := range group {
			if other.RecordType != endpoint.RecordTypeCNAME {
				return LostTo, fmt.Sprintf("%s asks for the same name with a record of type %s, before which a CNAME yields",
					strings.Join(other.resources(), ", "), other.RecordType)
			}
		}
	}
	if reason, detail := j.forbidden(i, key, final); reason != "" {
		return reason, detail
	}
	switch refused := j.outcome.refused[i][key]; refused {
	case "":
	case noZone:
		return NoZone, j.noZone(i, key)
	case noTargets:
		return Rejected, j.onlyOwnership(i, t)
	default:
		return Rejected, "a DNS server refuses it: " + refused
	}
	if reason, detail := j.blocked(i, key); reason != "" {
		return reason, detail
	}
	if events := j.outcome.log[key]; len(events) > 0 {
		return Unstable, "it was there and is gone: " + j.history(key, 1)
	}
	for _, recordType := range i.config.ManagedDNSRecordTypes {
		if other := (recordKey{key.name, recordType, key.setIdentifier}); j.outcome.isUnstable(other) {
			return Unstable, fmt.Sprintf("the name has a record of type %s that changes at each interval: %s", recordType,
				j.history(other, j.outcome.rounds))
		}
	}
	return Rejected, notWritten
}

// forbidden tells whether it is the policy that keeps external-dns from changing a record of its own.
func (j *judge) forbidden(i *instance, key recordKey, final *endpoint.Endpoint) (Reason, string) {
	policy := i.config.Policy
	if policy == "sync" {
		return "", ""
	}
	own := func(key recordKey) bool {
		record := j.outcome.world.find(key)
		owned, ok := j.owners.byName[i.naming()].of(key, record)
		return record != nil && (i.owner() == "" || ok && owned.owner() == i.owner())
	}
	if policy == "create-only" && final != nil && own(key) {
		return Policy, "the record is there with other content, which the policy create-only does not update"
	}
	for _, recordType := range i.config.ManagedDNSRecordTypes {
		other := recordKey{key.name, recordType, key.setIdentifier}
		oneIsCNAME := recordType == endpoint.RecordTypeCNAME || key.recordType == endpoint.RecordTypeCNAME
		if final == nil && other != key && oneIsCNAME && own(other) {
			return Policy, fmt.Sprintf("the name has the %s record that it had before, which the policy %s does not delete", recordType, policy)
		}
	}
	return "", ""
}

// rival gives the endpoint of the same external-dns and type whose content is in the zone.
func rival(group []tracked, t tracked, final *endpoint.Endpoint) (tracked, bool) {
	for _, other := range group {
		if other.Endpoint != t.Endpoint && other.RecordType == t.RecordType && final != nil && says(final, other.Endpoint) {
			return other, true
		}
	}
	return tracked{}, false
}

// blocked finds the record of the name that belongs to somebody else: external-dns then leaves the whole name alone.
func (j *judge) blocked(i *instance, key recordKey) (Reason, string) {
	if i.owner() == "" {
		return "", ""
	}
	for _, recordType := range i.config.ManagedDNSRecordTypes {
		other := recordKey{key.name, recordType, key.setIdentifier}
		record := j.outcome.world.find(other)
		if record == nil {
			continue
		}
		owned, ok := j.owners.byName[i.naming()].of(other, record)
		content := fmt.Sprintf("%s %s", recordType, strings.Join(record.Targets, " "))
		switch {
		case ok && owned.owner() != "" && owned.owner() != i.owner():
			return ForeignOwner, fmt.Sprintf("the name has the record %s, which belongs to %s", content, j.describe(owned))
		case owned.owner() == "" && j.wrote(i, other):
			return NoOwnership, fmt.Sprintf("the name has the record %s, whose ownership record is missing", content)
		case owned.owner() == "":
			return Unowned, fmt.Sprintf("the name has the record %s, which nobody owns, such as one made by hand: "+
				"external-dns does not touch it", content)
		}
	}
	return "", ""
}

// wrote tells whether an external-dns itself made a record.
func (j *judge) wrote(i *instance, key recordKey) bool {
	return slices.ContainsFunc(j.outcome.log[key], func(e event) bool { return e.instance == i && e.verb != deleted })
}
