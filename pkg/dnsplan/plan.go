package dnsplan

import (
	"github.com/policyloom/policyloom/pkg/diag"
)

// Plan is what external-dns would make of the zones.
type Plan struct {
	// Zones are all zones, in order.
	Zones []Zone `json:"zones"`
	// Unpublished are the wanted records that are not in their zone, or not as they are wanted.
	Unpublished []Unpublished `json:"unpublished"`
	// Instances are the external-dns that were simulated.
	Instances []Instance `json:"externalDNS"`
	Summary   Summary    `json:"summary"`
	// Findings say what is wrong, and what is only so by luck.
	Findings diag.Findings `json:"findings,omitempty"`
}

// Zone holds the changes of one DNS zone.
type Zone struct {
	Name string `json:"name"`
	// Assumed says that nobody named the zone: it is taken to be empty.
	Assumed bool     `json:"assumed,omitempty"`
	Changes []Change `json:"changes"`
	// Untouched are the records that stay as they are, without those of ownership.
	Untouched []Record `json:"untouched,omitempty"`
	// Before and After count the records, without those of ownership.
	Before int `json:"before"`
	After  int `json:"after"`
}

// Action is what happens to a record.
type Action string

const (
	// Create says that the record is new.
	Create Action = "create"
	// Update says that it, or its ownership, is another one.
	Update Action = "update"
	// Delete says that it goes.
	Delete Action = "delete"
	// Unsettled says that it changes at each interval and never comes to rest.
	Unsettled Action = "unsettled"
)

// Change is what happens to one record.
type Change struct {
	Action        Action `json:"action"`
	Name          string `json:"name"`
	Type          string `json:"type"`
	SetIdentifier string `json:"setIdentifier,omitempty"`
	// Before and After are what the record says; nil where there is none.
	Before *Content `json:"before,omitempty"`
	After  *Content `json:"after,omitempty"`
	// Owner is the owner id in the end, and OwnerBefore the one at the start. They are empty for records that nobody owns.
	Owner       string `json:"owner,omitempty"`
	OwnerBefore string `json:"ownerBefore,omitempty"`
	// Resource is the object that the record is for, such as crd/shop/web01; for a deletion the one that it was for.
	Resource string `json:"resource,omitempty"`
	// Cluster is the one whose external-dns makes the change, and By that external-dns where a cluster has several.
	Cluster string `json:"cluster,omitempty"`
	By      string `json:"by,omitempty"`
	// Ownership is what happens to the ownership record, nil if nothing does.
	Ownership *TextChange `json:"ownership,omitempty"`
	// Steps are what happens to the record in turn, where it is more than one change.
	Steps []Step `json:"steps,omitempty"`

	// alone says that it is an ownership record whose record stays, or is not there.
	alone bool
}

// Content is what a record says.
type Content struct {
	// TTL is in seconds; 0 is the default of the DNS server.
	TTL     int64    `json:"ttl,omitempty"`
	Targets []string `json:"targets"`
	// Properties are those of the DNS provider.
	Properties map[string]string `json:"properties,omitempty"`
}

// TextChange is a change of an ownership record. An empty text stands for none.
type TextChange struct {
	Name   string `json:"name"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Step is one of several changes of a record.
type Step struct {
	// Round counts the intervals from 1.
	Round   int    `json:"round"`
	Cluster string `json:"cluster"`
	By      string `json:"by,omitempty"`
	// Did is created, updated or deleted.
	Did     string   `json:"did"`
	Targets []string `json:"targets,omitempty"`
}

// Record is one that stays as it is.
type Record struct {
	Name          string `json:"name"`
	Type          string `json:"type"`
	SetIdentifier string `json:"setIdentifier,omitempty"`
	Content
	// Owner is empty for a record that nobody owns.
	Owner    string `json:"owner,omitempty"`
	Resource string `json:"resource,omitempty"`
}

// Unpublished says why a wanted record is not there, or not as it is wanted.
type Unpublished struct {
	Name     string        `json:"name"`
	Type     string        `json:"type"`
	Targets  []string      `json:"targets,omitempty"`
	Cluster  string        `json:"cluster"`
	Resource string        `json:"resource"`
	Reason   Reason        `json:"reason"`
	Detail   string        `json:"detail"`
	Source   diag.Position `json:"source,omitzero"`

	// object is the resource as findings name it.
	object string
}

// Instance is one external-dns that was simulated.
type Instance struct {
	Cluster  string `json:"cluster"`
	Name     string `json:"name,omitempty"`
	Version  string `json:"version"`
	Owner    string `json:"owner,omitempty"`
	Policy   string `json:"policy"`
	Registry string `json:"registry"`
	// Records counts the records that it wants.
	Records int `json:"records"`
	// Assumed says that nothing tells how it runs.
	Assumed bool `json:"assumed,omitempty"`
}

// Summary counts.
type Summary struct {
	Create      int `json:"create"`
	Update      int `json:"update"`
	Delete      int `json:"delete"`
	Unsettled   int `json:"unsettled"`
	Unpublished int `json:"unpublished"`
	Untouched   int `json:"untouched"`
	// Rounds is after how many intervals nothing changes any more.
	Rounds int `json:"rounds"`
	// Settled tells whether that comes to pass.
	Settled bool `json:"settled"`
}

// HasChanges tells whether any record changes.
func (p Plan) HasChanges() bool {
	return p.Summary.Create+p.Summary.Update+p.Summary.Delete+p.Summary.Unsettled > 0
}
