package dnsplan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"

	"github.com/policyloom/policyloom/pkg/diag"
)

// severities of the reasons: what stays without a record, or without an owner, is an error.
var warnings = []Reason{Merged}

// unpublishedFindings sums up, per cluster and reason, the records that are not there. The plan lists all of them.
func unpublishedFindings(list []Unpublished, settled bool) diag.Findings {
	type group struct {
		cluster string
		reason  Reason
	}
	groups := map[group][]Unpublished{}
	for _, u := range list {
		if u.Reason == Unstable && !settled {
			// All of them are reported at once.
			continue
		}
		g := group{u.Cluster, u.Reason}
		groups[g] = append(groups[g], u)
	}
	var findings diag.Findings
	for _, g := range slices.SortedFunc(maps.Keys(groups), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.reason, b.reason))
	}) {
		members := groups[g]
		first := members[0]
		severity := diag.Error
		if slices.Contains(warnings, g.reason) {
			severity = diag.Warning
		}
		message := strings.TrimSpace(cmp.Or(first.Name, `""`)+" "+first.Type) + ": " + first.Detail
		if more := len(members) - 1; more > 0 {
			message = fmt.Sprintf("%d records are not as they are wanted (%s), such as %s", len(members), g.reason, message)
		}
		findings = append(findings, diag.Finding{
			Severity: severity, Position: first.Source, Cluster: g.cluster, Object: first.object, Message: message, Hint: hints[g.reason],
		})
	}
	return findings
}

// hints say what to do about a reason.
var hints = map[Reason]string{
	Merged:        "give each its own name, unless they are meant to share it",
	LostTo:        "give each its own name",
	ForeignOwner:  "delete the record where it belongs, with its ownership record, or ask for another name",
	Unowned:       "delete the record so that external-dns makes it anew, or ask for another name",
	Filtered:      "change the filter of external-dns, or the object",
	UnmanagedType: "change the type, or --managed-record-types",
	NoZone:        "name the zone, or correct the name",
	NoOwnership:   "use a shorter name, a name below the zone, or a --txt-prefix",
	Policy:        "change the record by hand, or the policy",
	Unstable:      "see to it that only one external-dns wants the record, with an owner id of its own",
}

// movements report records that never come to rest, that go away for a while, and that nobody owned.
func (r *runner) movements(p Plan, o outcome) diag.Findings {
	var findings diag.Findings
	if !o.settled {
		var names []string
		steps := ""
		for _, zone := range p.Zones {
			for _, change := range zone.Changes {
				if change.Action == Unsettled {
					names = append(names, change.Name+" "+change.Type)
					if steps == "" {
						steps = describeSteps(change.Steps)
					}
				}
			}
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Error,
			Message:  fmt.Sprintf("some records never come to rest, but change at each interval: %s (%s)", listed(names), steps),
			Hint:     hints[Unstable],
		})
	}
	findings = append(findings, r.gaps(o)...)
	findings = append(findings, r.batches(o)...)
	findings = append(findings, r.takenUnowned(o)...)
	if o.settled {
		for _, i := range r.instances {
			if n := o.idle[i]; n > 0 {
				findings = append(findings, i.finding(diag.Warning,
					fmt.Sprintf("external-dns writes %d records again at each interval, though nothing changes", n), ""))
			}
		}
	}
	return findings
}

func describeSteps(steps []Step) string {
	var texts []string
	for _, s := range steps {
		who := s.Cluster
		if s.By != "" {
			who += " (" + s.By + ")"
		}
		texts = append(texts, s.Did+" by "+who)
	}
	return strings.Join(texts, ", ")
}

// gaps report records that are away for a while: they move from one external-dns to another, or an old ownership record lets another
// one delete them.
func (r *runner) gaps(o outcome) diag.Findings {
	var findings diag.Findings
	for _, key := range slices.SortedFunc(maps.Keys(o.log), recordKey.compare) {
		events := o.log[key]
		if o.isUnstable(key) || key.recordType == endpoint.RecordTypeTXT || o.world.find(key) == nil {
			continue
		}
		var texts []string
		at := -1
		for n, e := range events {
			texts = append(texts, fmt.Sprintf("%s by %s", e.verb, e.instance.name()))
			if e.verb == deleted && n+1 < len(events) && (events[n+1].instance != e.instance || n > 0 && events[n-1].instance != e.instance) {
				at = n
			}
		}
		if at < 0 {
			continue
		}
		f := diag.Finding{Severity: diag.Warning, Cluster: events[len(events)-1].instance.settings.Cluster}
		if at == 0 {
			f.Message = fmt.Sprintf("%s %s moves from %s to %s: it is away in between, for up to an interval", key.name, key.recordType,
				events[0].instance.name(), events[1].instance.name())
		} else {
			f.Message = fmt.Sprintf("%s %s is away for up to an interval: %s", key.name, key.recordType, strings.Join(texts, ", "))
			f.Hint = "an old ownership record lets another external-dns delete it: remove that first"
		}
		findings = append(findings, f)
	}
	return findings
}

// batches report records that a DNS server refuses where external-dns writes many at once: none of the others is written either.
func (r *runner) batches(o outcome) diag.Findings {
	var findings diag.Findings
	for _, i := range r.instances {
		var names []string
		for _, key := range slices.SortedFunc(maps.Keys(o.refused[i]), recordKey.compare) {
			if reason := o.refused[i][key]; reason != noZone && reason != noTargets && key.recordType != endpoint.RecordTypeTXT {
				names = append(names, key.name+" "+key.recordType)
			}
		}
		if size := i.config.RFC2136BatchChangeSize; i.config.Provider == externaldns.ProviderRFC2136 && len(names) > 0 && size > 1 {
			findings = append(findings, i.finding(diag.Error,
				fmt.Sprintf("the DNS server refuses %s, and with it the whole update of up to %d changes: good records beside it are missing, "+
					"which the plan does not show", listed(names), size), "correct the names, or set --rfc2136-batch-change-size=1"))
		}
	}
	return findings
}

// takenUnowned reports deletions and changes of records that nobody owned, which only the registry noop makes.
func (r *runner) takenUnowned(o outcome) diag.Findings {
	count := map[*instance][]string{}
	for _, key := range slices.SortedFunc(maps.Keys(o.log), recordKey.compare) {
		if first := o.log[key][0]; first.instance.ownsNothing() && first.verb == deleted {
			count[first.instance] = append(count[first.instance], key.name+" "+key.recordType)
		}
	}
	var findings diag.Findings
	for _, i := range r.instances {
		if names := count[i]; len(names) > 0 {
			findings = append(findings, i.finding(diag.Error,
				"the registry noop with the policy sync deletes records that no cluster asks for, such as those made by hand: "+listed(names),
				"use --registry=txt"))
		}
	}
	return findings
}

// luck reports records that are different when the clusters come in the other order.
func (r *runner) luck(forward, backward outcome) diag.Findings {
	if !forward.settled || !backward.settled {
		if forward.settled != backward.settled {
			return diag.Findings{{
				Severity: diag.Error, Message: "whether the records ever come to rest depends on which external-dns comes first", Hint: hints[Unstable],
			}}
		}
		return nil
	}
	one, two := newAllOwners(forward.world, r.instances), newAllOwners(backward.world, r.instances)
	var findings diag.Findings
	seen := map[string]bool{}
	keys := maps.Clone(forward.log)
	maps.Copy(keys, backward.log)
	total := 0
	for _, key := range slices.SortedFunc(maps.Keys(keys), recordKey.compare) {
		a, b := forward.world.find(key), backward.world.find(key)
		if key.recordType == endpoint.RecordTypeTXT || seen[key.name] {
			continue
		}
		first, _ := one.of(key, a)
		second, _ := two.of(key, b)
		if equalRecords(a, b) && first.owner() == second.owner() {
			continue
		}
		seen[key.name] = true
		if total++; total > mostLuck {
			continue
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Error,
			Message: fmt.Sprintf("who has %s %s is a matter of luck: with %s first it is %s, with %s first %s", key.name, key.recordType,
				r.instances[0].name(), holder(a, first), r.instances[len(r.instances)-1].name(), holder(b, second)),
			Hint: "let one cluster alone ask for the name",
		})
	}
	if total > mostLuck {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Message: fmt.Sprintf("%d more names go to whichever external-dns comes first", total-mostLuck),
			Hint: "let one cluster alone ask for each name",
		})
	}
	return findings
}

// mostLuck is how many names that are a matter of luck are reported one by one.
const mostLuck = 10

func holder(e *endpoint.Endpoint, o ownership) string {
	if e == nil {
		return "not there"
	}
	targets := strings.Join(e.Targets, " ")
	if o.owner() == "" {
		return "nobody's (" + targets + ")"
	}
	return fmt.Sprintf("%s's (%s)", o.owner(), targets)
}

// smallZone is how many records a zone has at least for a share of deletions to mean anything.
const smallZone = 10

// tooManyDeletions refuses plans that delete a large part of a zone.
func tooManyDeletions(list []Zone, most int) diag.Findings {
	var findings diag.Findings
	for _, zone := range list {
		gone := 0
		for _, change := range zone.Changes {
			if change.Action == Delete && !change.alone {
				gone++
			}
		}
		if zone.Before >= smallZone && gone*100 > zone.Before*most {
			findings = append(findings, diag.Finding{
				Severity: diag.Error,
				Message:  fmt.Sprintf("zone %s loses %d of its %d records, more than %d percent", zone.Name, gone, zone.Before, most),
				Hint:     "if that is meant, allow it with --max-delete-percent",
			})
		}
	}
	return findings
}
