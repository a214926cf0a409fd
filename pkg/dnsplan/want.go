package dnsplan

import (
	"slices"

	"sigs.k8s.io/external-dns/endpoint"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Reason says why a wanted record is not in its zone, or not as it is wanted.
type Reason string

const (
	// Merged says that the record is there with the targets of other objects among its own.
	Merged Reason = "merged"
	// LostTo says that another object of the cluster has the name.
	LostTo Reason = "lost-to"
	// ForeignOwner says that the record belongs to another external-dns.
	ForeignOwner Reason = "foreign-owner"
	// Unowned says that a record of that name was there before, without an owner.
	Unowned Reason = "unowned"
	// Filtered says that a filter of external-dns leaves the name or its targets out.
	Filtered Reason = "filtered"
	// UnmanagedType says that external-dns does not manage records of that type.
	UnmanagedType Reason = "unmanaged-type"
	// Rejected says that external-dns or the DNS server refuses the record.
	Rejected Reason = "rejected"
	// NoZone says that no zone takes the name.
	NoZone Reason = "no-zone"
	// NoOwnership says that the record is there, but its ownership record is not: it is never updated or removed.
	NoOwnership Reason = "no-ownership"
	// Policy says that the policy of external-dns forbids the change.
	Policy Reason = "policy"
	// Unstable says that the record comes and goes.
	Unstable Reason = "unstable"
	// NotRead says that no external-dns of the cluster reads the object.
	NotRead Reason = "not-read"
)

// want is a record that an object of a cluster asks for.
type want struct {
	name, recordType, setIdentifier string
	targets                         []string
	ttl                             endpoint.TTL
	resource                        string
	object                          string
	position                        diag.Position
	// place gives a more exact position, unless it is nil.
	place func() diag.Position
	// lost and detail say what became of it before the planner, if it does not get there.
	lost   Reason
	detail string
	// joined are the other objects whose targets are in the same endpoint.
	joined []string
}

func (w *want) lose(reason Reason, detail string) {
	if w.lost == "" {
		w.lost, w.detail = reason, detail
	}
}

// isLeft tells whether the external-dns does not take the record at all, so that another one may.
func (w *want) isLeft() bool {
	return slices.Contains([]Reason{Filtered, UnmanagedType, NoZone}, w.lost)
}

// where is the place of the endpoint in the user's file.
func (w *want) where() diag.Position {
	if w.place != nil {
		return w.place()
	}
	return w.position
}

// tracked is an endpoint on its way to the planner, with what asks for it.
type tracked struct {
	*endpoint.Endpoint
	wants []*want
}

func (t tracked) lose(reason Reason, detail string) {
	for _, w := range t.wants {
		w.lose(reason, detail)
	}
}

// resources are the resources that ask for the endpoint, each once.
func (t tracked) resources() []string {
	var list []string
	for _, w := range t.wants {
		list = append(list, w.resource)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// clone gives a copy that shares nothing: the planner changes what it gets.
func clone(e *endpoint.Endpoint) *endpoint.Endpoint {
	c := &endpoint.Endpoint{
		DNSName: e.DNSName, RecordType: e.RecordType, SetIdentifier: e.SetIdentifier, RecordTTL: e.RecordTTL,
		Targets: slices.Clone(e.Targets), ProviderSpecific: slices.Clone(e.ProviderSpecific), Labels: make(endpoint.Labels, len(e.Labels)+1),
	}
	for key, value := range e.Labels {
		c.Labels[key] = value
	}
	return c
}
