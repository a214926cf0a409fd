// Package diff tells what a change of policies does to a fleet: which clusters get and lose policies, what is created, updated and
// deleted on them, which records come and go, and what is found wrong that was not before.
package diff

import (
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// Diff is what a change does.
type Diff struct {
	// Dangers are what is hardly meant: all objects of a kind or all records are gone somewhere, or many of them. The worst come first.
	Dangers []Danger `json:"dangers,omitempty"`
	// Clusters are those for which anything changes, by name.
	Clusters []Cluster `json:"clusters"`
	// Zones hold the changes of DNS records, if any cluster has DNSEndpoints.
	Zones []dnsplan.Zone `json:"zones,omitempty"`
	// New are the findings that there are only with the change, and Solved those that it puts an end to.
	New    diag.Findings `json:"newFindings,omitempty"`
	Solved diag.Findings `json:"solvedFindings,omitempty"`
	// Errors are those of both sides: what they concern is not compared.
	Errors diag.Findings `json:"errors,omitempty"`
	// Summary counts.
	Summary Summary `json:"summary"`
}

// Summary counts what changes.
type Summary struct {
	// All is the number of clusters of the fleet.
	All     int    `json:"clusters"`
	Changed int    `json:"changedClusters"`
	Objects Counts `json:"objects"`
	// Would are the changes that policies which only inform would make.
	Would   int    `json:"would"`
	Records Counts `json:"records"`
}

// Counts are numbers of objects or records.
type Counts struct {
	Created int `json:"created"`
	Updated int `json:"updated"`
	Deleted int `json:"deleted"`
}

// Danger is a deletion that is hardly meant.
type Danger struct {
	// Cluster is empty for what happens to a zone.
	Cluster string `json:"cluster,omitempty"`
	Zone    string `json:"zone,omitempty"`
	// Kind is the kind of the objects, or record.
	Kind    string `json:"kind"`
	Deleted int    `json:"deleted"`
	// Before and After are how many there are on each side.
	Before int `json:"before"`
	After  int `json:"after"`
}

// IsTotal tells whether nothing is left.
func (d Danger) IsTotal() bool { return d.After == 0 }

// Cluster is what changes on a managed cluster.
type Cluster struct {
	Name     string   `json:"name"`
	Policies []Policy `json:"policies,omitempty"`
	// Objects are the objects that change, by kind, namespace and name.
	Objects []evaluate.Change `json:"objects,omitempty"`
	Counts  Counts            `json:"counts"`
}

// Policy is a policy that a cluster gets or loses, or whose compliance changes.
type Policy struct {
	// Policy is the root policy as namespace/name, or the name of a policy template that stands alone.
	Policy string `json:"policy"`
	// Before and After are the compliance; empty where the cluster does not have the policy.
	Before evaluate.Compliance `json:"before,omitempty"`
	After  evaluate.Compliance `json:"after,omitempty"`
	// Why says why the cluster does not get the policy, or what is not compliant.
	Why []string `json:"why,omitempty"`
}

// IsEmpty tells whether nothing changes.
func (d Diff) IsEmpty() bool {
	records := d.Summary.Records
	return len(d.Clusters) == 0 && records.Created+records.Updated+records.Deleted == 0 && len(d.New) == 0 && len(d.Solved) == 0
}
