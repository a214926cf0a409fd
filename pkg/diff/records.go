package diff

import (
	"context"
	"errors"
	"slices"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
)

// records finds what changes in DNS: the zones as the external-dns of the clusters leave them before the change are those that it
// starts from.
func (c *comparison) records(ctx context.Context) error {
	if c.incomplete || !hasEndpoints(c.was) && !hasEndpoints(c.is) {
		return nil
	}
	was, is := c.in.DNS, c.in.DNS
	was.Clusters, is.Clusters = c.was, c.is
	zones, err := dnsplan.Settle(ctx, was)
	if c.broken(err, &c.before) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(is.Zones) == 0 {
		// Zones that only the change asks for are assumed, too.
		wanted, err := dnsplan.Settle(ctx, is)
		if c.broken(err, &c.after) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, zone := range wanted {
			if !slices.ContainsFunc(zones, func(z dnsplan.StartZone) bool { return z.Name == zone.Name }) {
				zones = append(zones, dnsplan.StartZone{Name: zone.Name})
			}
		}
	}
	was.Zones, is.Zones = zones, zones
	was.MaxDeletePercent, is.MaxDeletePercent = 100, 100
	settled, err := dnsplan.Run(ctx, was)
	if c.broken(err, &c.before) {
		return nil
	}
	if err != nil {
		return err
	}
	plan, err := dnsplan.Run(ctx, is)
	if c.broken(err, &c.after) {
		return nil
	}
	if err != nil {
		return err
	}
	c.before, c.after = append(c.before, settled.Findings...), append(c.after, plan.Findings...)
	c.zoneDangers(plan.Zones)
	for _, zone := range plan.Zones {
		zone.Untouched = nil
		if len(zone.Changes) > 0 {
			c.diff.Zones = append(c.diff.Zones, zone)
		}
	}
	return nil
}

// broken takes the findings that leave no plan.
func (c *comparison) broken(err error, into *diag.Findings) bool {
	var findings diag.Findings
	if !errors.As(err, &findings) {
		return false
	}
	*into = append(*into, findings...)
	return true
}

func hasEndpoints(clusters []dnsplan.Cluster) bool {
	return slices.ContainsFunc(clusters, func(c dnsplan.Cluster) bool { return len(c.Endpoints) > 0 })
}
