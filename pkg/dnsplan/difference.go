package dnsplan

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
)

// difference works out the changes between the start and the end.
type difference struct {
	start, end           world
	ownersThen, ownersIn allOwners
	outcome              outcome
	several              map[string]bool
}

func newDifference(start world, o outcome, instances []*instance) *difference {
	d := &difference{
		start: start, end: o.world, outcome: o, several: map[string]bool{},
		ownersThen: newAllOwners(start, instances), ownersIn: newAllOwners(o.world, instances),
	}
	count := map[string]int{}
	for _, i := range instances {
		count[i.settings.Cluster]++
		d.several[i.settings.Cluster] = count[i.settings.Cluster] > 1
	}
	return d
}

// zone gives the changes of one zone.
func (d *difference) zone(name string) Zone {
	from, to := d.start[name], d.end[name]
	result := Zone{Name: name, Assumed: to.implied, Changes: []Change{}}
	keys := maps.Clone(to.records)
	maps.Copy(keys, from.records)
	for key := range d.outcome.unstable {
		if d.end.zoneOf(key.name, func(string) bool { return true }) == name {
			keys[key] = nil
		}
	}
	taken := map[recordKey]bool{}
	var texts []recordKey
	for _, key := range slices.SortedFunc(maps.Keys(keys), recordKey.compare) {
		if d.isOwnership(key) {
			texts = append(texts, key)
			continue
		}
		if from.records[key] != nil {
			result.Before++
		}
		if to.records[key] != nil {
			result.After++
		}
		change, changed := d.change(key, from, to, taken)
		if !changed {
			result.Untouched = append(result.Untouched, d.record(key, to.records[key]))
			continue
		}
		result.Changes = append(result.Changes, change)
	}
	// Ownership records that change without their record.
	for _, key := range texts {
		if change, changed := d.text(key, from, to); changed && !taken[key] {
			result.Changes = append(result.Changes, change)
		}
	}
	slices.SortStableFunc(result.Changes, func(a, b Change) int {
		return recordKey{a.Name, a.Type, a.SetIdentifier}.compare(recordKey{b.Name, b.Type, b.SetIdentifier})
	})
	return result
}

func (d *difference) isOwnership(key recordKey) bool {
	if key.recordType != endpoint.RecordTypeTXT {
		return false
	}
	events := d.outcome.log[key]
	return d.ownersIn.isOwnership(key) || d.ownersThen.isOwnership(key) ||
		len(events) > 0 && events[0].wrote.Labels[endpoint.OwnedRecordLabelKey] != ""
}

// change gives what happens to a record and its ownership record, which it marks as taken.
func (d *difference) change(key recordKey, from, to *zone, taken map[recordKey]bool) (Change, bool) {
	before, after := from.records[key], to.records[key]
	then, _ := d.ownersThen.of(key, before)
	now, _ := d.ownersIn.of(key, after)
	c := Change{
		Name: key.name, Type: key.recordType, SetIdentifier: key.setIdentifier, Before: contentOf(before), After: contentOf(after),
		Owner: now.owner(), OwnerBefore: then.owner(), Resource: now.resource(),
	}
	txt := now.txt
	if txt.name == "" {
		txt = then.txt
	}
	if events := d.outcome.log[key]; txt.name == "" && len(events) > 0 {
		txt = recordKey{events[0].instance.ownershipName(key.name, key.recordType), endpoint.RecordTypeTXT, key.setIdentifier}
	}
	if txt.name != "" {
		old, new := d.start.find(txt), d.end.find(txt)
		taken[txt] = true
		if textOf(old) != textOf(new) {
			c.Ownership = &TextChange{txt.name, textOf(old), textOf(new)}
		}
	}
	events := slices.Concat(d.outcome.log[key], d.ownedEvents(key, txt))
	unstable := d.outcome.isUnstable(key) || txt.name != "" && d.outcome.isUnstable(txt)
	switch {
	case unstable:
		c.Action = Unsettled
	case equalRecords(before, after) && c.Ownership == nil:
		return c, false
	case before == nil:
		c.Action, c.OwnerBefore = Create, ""
	case after == nil:
		c.Action = Delete
		c.Resource = then.resource()
		c.Owner = then.owner()
	default:
		c.Action = Update
	}
	d.attribute(&c, events, unstable)
	return c, true
}

// ownedEvents are those of the ownership record, where the record itself does not change.
func (d *difference) ownedEvents(key, txt recordKey) []event {
	if len(d.outcome.log[key]) > 0 {
		return nil
	}
	return d.outcome.log[txt]
}

// attribute names who makes the change, and what happens in turn.
func (d *difference) attribute(c *Change, events []event, unstable bool) {
	if len(events) == 0 {
		return
	}
	last := events[len(events)-1]
	c.Cluster, c.By = last.instance.settings.Cluster, d.by(last.instance)
	if resource := last.wrote.Labels[endpoint.ResourceLabelKey]; resource != "" && last.verb != deleted && !unstable {
		c.Resource = resource
	}
	if len(events) < 2 && !unstable {
		return
	}
	for _, e := range events {
		if unstable && e.round < d.outcome.rounds {
			continue
		}
		c.Steps = append(c.Steps, Step{
			Round: e.round, Cluster: e.instance.settings.Cluster, By: d.by(e.instance), Did: string(e.verb), Targets: slices.Clone(e.wrote.Targets),
		})
	}
}

// by names an external-dns where its cluster has several.
func (d *difference) by(i *instance) string {
	if d.several[i.settings.Cluster] {
		return i.settings.Name
	}
	return ""
}

// text gives the change of an ownership record alone.
func (d *difference) text(key recordKey, from, to *zone) (Change, bool) {
	before, after := from.records[key], to.records[key]
	unstable := d.outcome.isUnstable(key)
	if equalRecords(before, after) && !unstable {
		return Change{}, false
	}
	c := Change{
		Name: key.name, Type: key.recordType, SetIdentifier: key.setIdentifier, Before: contentOf(before), After: contentOf(after),
		Action: Update, alone: true,
	}
	switch {
	case unstable:
		c.Action = Unsettled
	case before == nil:
		c.Action = Create
	case after == nil:
		c.Action = Delete
	}
	c.Owner, c.Resource = labelsOf(after)
	c.OwnerBefore, _ = labelsOf(before)
	if after == nil {
		c.Owner, c.Resource = labelsOf(before)
	}
	d.attribute(&c, d.outcome.log[key], unstable)
	return c, true
}

func labelsOf(e *endpoint.Endpoint) (owner, resource string) {
	if e == nil || len(e.Targets) == 0 {
		return "", ""
	}
	labels, err := endpoint.NewLabelsFromStringPlain(e.Targets[0])
	if err != nil {
		return "", ""
	}
	return labels[endpoint.OwnerLabelKey], labels[endpoint.ResourceLabelKey]
}

func (d *difference) record(key recordKey, e *endpoint.Endpoint) Record {
	o, _ := d.ownersIn.of(key, e)
	return Record{
		Name: key.name, Type: key.recordType, SetIdentifier: key.setIdentifier, Content: *contentOf(e), Owner: o.owner(), Resource: o.resource(),
	}
}

func contentOf(e *endpoint.Endpoint) *Content {
	if e == nil {
		return nil
	}
	c := &Content{TTL: max(0, int64(e.RecordTTL)), Targets: slices.Clone(e.Targets)}
	slices.Sort(c.Targets)
	for _, property := range e.ProviderSpecific {
		if property.Name == "" {
			// external-dns leaves such ones behind where it removes the properties of other providers.
			continue
		}
		if c.Properties == nil {
			c.Properties = map[string]string{}
		}
		c.Properties[property.Name] = property.Value
	}
	return c
}

func textOf(e *endpoint.Endpoint) string {
	if e == nil {
		return ""
	}
	return strings.Join(e.Targets, " ")
}
