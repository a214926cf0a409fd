package diff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// dangers finds the kinds of which a cluster loses all objects of its policies, or many.
func (c *comparison) dangers(t render.Transition, changed Cluster) {
	had, has, lost := wanted(t.Before), wanted(t.After), map[string]int{}
	for _, o := range changed.Objects {
		if o.Verb == evaluate.Deleted && !o.Would {
			lost[o.Kind]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(lost)) {
		d := Danger{Cluster: changed.Name, Kind: kind, Deleted: lost[kind], Before: max(had[kind], lost[kind]), After: has[kind]}
		if d.isWorthAWord() {
			c.diff.Dangers = append(c.diff.Dangers, d)
		}
	}
}

// wanted counts the objects that policies want on a cluster, by kind.
func wanted(c render.Cluster) map[string]int {
	counts := map[string]int{}
	for _, o := range c.Objects {
		if o.ComplianceType != "mustnothave" && o.Object != nil {
			counts[o.Object.GetKind()]++
		}
	}
	return counts
}

// isWorthAWord tells whether nothing is left, or many of not so few are gone.
func (d Danger) isWorthAWord() bool {
	return d.Deleted > 0 && (d.IsTotal() || d.Before >= fewObjects && d.Deleted*100 > d.Before*manyPercent)
}

// zoneDangers finds the zones that lose all records, or many.
func (c *comparison) zoneDangers(zones []dnsplan.Zone) {
	for _, zone := range zones {
		d := Danger{Zone: zone.Name, Kind: "record", Before: zone.Before, After: zone.After}
		for _, change := range zone.Changes {
			if change.Action == dnsplan.Delete {
				d.Deleted++
			}
		}
		if d.isWorthAWord() {
			c.diff.Dangers = append(c.diff.Dangers, d)
		}
	}
}

// sum counts, and puts the worst first.
func (c *comparison) sum() {
	s := &c.diff.Summary
	s.Changed = len(c.diff.Clusters)
	for _, cluster := range c.diff.Clusters {
		s.Objects.Created += cluster.Counts.Created
		s.Objects.Updated += cluster.Counts.Updated
		s.Objects.Deleted += cluster.Counts.Deleted
	}
	for _, zone := range c.diff.Zones {
		for _, change := range zone.Changes {
			switch change.Action {
			case dnsplan.Create:
				s.Records.Created++
			case dnsplan.Delete:
				s.Records.Deleted++
			default:
				s.Records.Updated++
			}
		}
	}
	slices.SortStableFunc(c.diff.Dangers, func(a, b Danger) int {
		return cmp.Or(compareBool(b.IsTotal(), a.IsTotal()), cmp.Compare(b.Deleted, a.Deleted), cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.Cluster, b.Cluster))
	})
	if c.diff.Clusters == nil {
		c.diff.Clusters = []Cluster{}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
