package dnsplan

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
)

// notWritten is what there is to say where nothing tells why.
const notWritten = "external-dns does not write it"

// lostTo tells why another endpoint of the same name and type has it.
func lostTo(i *instance, t, winner tracked) string {
	resources := strings.Join(winner.resources(), ", ")
	switch {
	case sameTargets(t.Targets, winner.Targets):
		return fmt.Sprintf("%s asks for the same with the TTL %d: which of the two counts is chance", resources, winner.RecordTTL)
	case t.RecordTTL != winner.RecordTTL:
		return fmt.Sprintf("%s asks for the same name with the TTL %d and has it: with one TTL the targets would be joined",
			resources, winner.RecordTTL)
	case !i.version.mergesObjects():
		return fmt.Sprintf("%s asks for the same name and has it: external-dns joins the targets of several objects from 0.21 on", resources)
	default:
		return fmt.Sprintf("%s asks for the same name and has it", resources)
	}
}

// onlyOwnership says what becomes of a record without targets.
func (j *judge) onlyOwnership(i *instance, t tracked) string {
	name := i.ownershipName(t.DNSName, t.RecordType)
	if i.owner() != "" && j.wrote(i, recordKey{name, endpoint.RecordTypeTXT, t.SetIdentifier}) {
		return "it has no targets: external-dns writes the ownership record " + name + " alone, and never removes that"
	}
	return "it has no targets"
}

// describe names an owner, and the clusters that use its id.
func (j *judge) describe(o ownership) string {
	var clusters []string
	for _, i := range j.instances {
		if i.owner() == o.owner() {
			clusters = append(clusters, i.name())
		}
	}
	text := fmt.Sprintf("the owner id %q", o.owner())
	if o.resource() != "" {
		text += " for " + o.resource()
	}
	if len(clusters) == 0 {
		return text + ", which no external-dns here has"
	}
	return text + " (" + strings.Join(clusters, ", ") + ")"
}

// noRoom says why there is no ownership record.
func (j *judge) noRoom(i *instance, t tracked, key recordKey) string {
	const effect = ": the record is created, but never updated and never removed"
	name := i.ownershipName(t.DNSName, t.RecordType)
	label, _, _ := strings.Cut(name, ".")
	txt := recordKey{name, endpoint.RecordTypeTXT, key.setIdentifier}
	switch refused := j.outcome.refused[i][txt]; {
	case len(label) > longestLabel:
		return fmt.Sprintf("there is no room for the ownership record: its first label, %q, would have %d characters, and 63 are the most",
			label, len(label)) + effect
	case refused == noZone:
		return fmt.Sprintf("the ownership record %s would be outside of the zone", name) + effect
	case refused != "":
		return fmt.Sprintf("the ownership record %s is refused, for %s", name, refused) + effect
	case j.outcome.world.find(txt) != nil:
		return fmt.Sprintf("external-dns does not recognise the ownership record %s for a record of type %s", name, t.RecordType) + effect
	default:
		return fmt.Sprintf("the ownership record %s is missing", name) + effect
	}
}

// noZone says whether there is no zone at all, or only none that external-dns finds.
func (j *judge) noZone(i *instance, key recordKey) string {
	if zone := j.outcome.world.zoneOf(key.name, func(string) bool { return true }); zone != "" {
		if i.config.Provider == externaldns.ProviderAWS && i.filter.MatchParent(zone) {
			return fmt.Sprintf("external-dns does not find the zone %s: on AWS a domain filter below the zone takes --aws-zone-match-parent", zone)
		}
		return fmt.Sprintf("external-dns does not find the zone %s: its filters leave the zone out", zone)
	}
	return "there is no zone for the name"
}

// history tells what happened to a record from a round on.
func (j *judge) history(key recordKey, from int) string {
	var steps []string
	for _, e := range j.outcome.log[key] {
		if e.round >= from {
			steps = append(steps, fmt.Sprintf("%s by %s", e.verb, e.instance.name()))
		}
	}
	return strings.Join(steps, ", ")
}

// unmanaged says which types external-dns manages, and what may be meant.
func unmanaged(i *instance, recordType string) string {
	managed := strings.Join(i.config.ManagedDNSRecordTypes, ", ")
	switch upper := strings.ToUpper(recordType); {
	case recordType == "":
		return "recordType is missing: external-dns then makes no record, and says nothing"
	case upper != recordType && slices.Contains(i.config.ManagedDNSRecordTypes, upper):
		return fmt.Sprintf("external-dns knows no type %q: write %s", recordType, upper)
	default:
		return fmt.Sprintf("external-dns manages records of type %s only: %s takes --managed-record-types", managed, recordType)
	}
}
