package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// What the config-policy-controller was measured to take, v0.19.0 with a real API server on two cores.
const (
	// relatedObjectBytes is what an object takes in the status of its ConfigurationPolicy.
	relatedObjectBytes = 705
	// statusBytes is what etcd stores of an object. Above it the controller forgets which objects it created.
	statusBytes = 3 << 19
	// manyRelatedObjects are about half of what fits into a status, and largeStatus is two thirds of it.
	manyRelatedObjects = 1000
	largeStatus        = 1 << 20
	// manyCreatedObjects took 37 seconds to create; the time grows with the square of their number.
	manyCreatedObjects = 200
	// dnsEndpointRecords take about half of what etcd stores.
	dnsEndpointRecords = 8000
)

// sizes finds the policies that ask for too much on a cluster, by the owner of the objects: a root Policy, or a policy template
// that stands alone.
type sizes map[key]*size

// key is the owner, and what there is too much of: objects, or records of one DNSEndpoint.
type key struct {
	owner   string
	records bool
}

type size struct {
	// number is what there is too much of.
	number   int
	position diag.Position
	// clusters is how many have too many objects, and cluster is the one where a single policy template, of that name, asks for
	// most of them.
	clusters          int
	cluster, template string
	most              int
	// all are the objects of all policy templates there, in so many namespaces.
	all, namespaces int
	enforced, own   bool
	// bytes is the size of the status, 0 where it was not measured.
	bytes int
	// records are those of the largest DNSEndpoint.
	records int
	largest string
}

// add counts the objects of a cluster.
func (s sizes) add(cluster string, objects []evaluate.Object) {
	for at := 0; at < len(objects); {
		first := objects[at]
		found := size{
			cluster: cluster, clusters: 1, position: first.Source,
			enforced: configpolicyv1.RemediationAction(first.RemediationAction).IsEnforce(),
			own:      first.Object.GetLabels()["app.kubernetes.io/managed-by"] == "policyloom",
		}
		namespaces, byTemplate := map[string]bool{}, map[string]int{}
		for ; at < len(objects) && ownerOf(objects[at]) == ownerOf(first); at++ {
			if objects[at].ComplianceType != "mustnothave" {
				found.count(objects[at], namespaces, byTemplate)
			}
		}
		found.namespaces = len(namespaces)
		if found.tooMany() {
			s.merge(key{ownerOf(first), false}, found, found.most)
		}
		if found.records > dnsEndpointRecords {
			s.merge(key{ownerOf(first), true}, found, found.records)
		}
	}
}

// measure takes the statuses that an evaluation gave in the place of estimates.
func (s sizes) measure(cluster string, evaluated *evaluate.Evaluated) {
	if evaluated == nil {
		return
	}
	for _, policy := range evaluated.Policies {
		for _, t := range policy.Templates {
			if len(t.Related) < manyRelatedObjects && t.StatusBytes < largeStatus {
				continue
			}
			owner := t.Template
			if policy.Policy != "" {
				owner = "Policy " + policy.Policy
			}
			found := size{
				cluster: cluster, clusters: 1, position: t.Source, template: t.Template, most: len(t.Related), all: len(t.Related),
				namespaces: len(t.Related), bytes: t.StatusBytes,
			}
			if known := s[key{owner, false}]; known != nil && known.cluster == cluster {
				// The objects were counted already.
				known.bytes = max(known.bytes, t.StatusBytes)
				continue
			}
			s.merge(key{owner, false}, found, found.most)
		}
	}
}

func (s *size) count(object evaluate.Object, namespaces map[string]bool, byTemplate map[string]int) {
	s.all++
	namespaces[object.Object.GetNamespace()] = true
	byTemplate[object.Template]++
	if n := byTemplate[object.Template]; n > s.most {
		s.most, s.template, s.position = n, object.Template, object.Source
	}
	if n := recordsOf(object.Object.Object); n > s.records {
		s.records, s.largest = n, object.Object.GetNamespace()+"/"+object.Object.GetName()
	}
}

// merge keeps the cluster with the greatest number, and counts the clusters.
func (s sizes) merge(of key, found size, number int) {
	found.number = number
	if known := s[of]; known != nil {
		found.clusters += known.clusters
		if known.number >= number {
			known.clusters = found.clusters
			return
		}
	}
	s[of] = &found
}

// ownerOf names the root Policy of an object, or the policy template where it stands alone.
func ownerOf(object evaluate.Object) string {
	if object.Policy == "" {
		return object.Template
	}
	return "Policy " + object.Policy
}

func (s size) tooMany() bool {
	return s.most >= manyRelatedObjects || s.most > manyCreatedObjects && s.enforced
}

// recordsOf counts the endpoints of a DNSEndpoint.
func recordsOf(object map[string]any) int {
	if object["kind"] != "DNSEndpoint" {
		return 0
	}
	spec, _ := object["spec"].(map[string]any)
	endpoints, _ := spec["endpoints"].([]any)
	return len(endpoints)
}

// findings warns of each policy template once for the fleet, with the numbers of the cluster where it asks for most.
func (s sizes) findings() diag.Findings {
	var findings diag.Findings
	for _, of := range slices.SortedFunc(maps.Keys(s), func(a, b key) int {
		if a.owner == b.owner {
			return map[bool]int{false: -1, true: 1}[a.records]
		}
		return cmp.Compare(a.owner, b.owner)
	}) {
		size, owner := s[of], of.owner
		warn := func(message, hint string) {
			findings = append(findings, diag.Finding{
				Severity: diag.Warning, Position: size.position, Object: owner, Message: message, Hint: hint,
			})
		}
		if !of.records {
			warn(size.message(), size.hint())
		}
		if of.records {
			warn(fmt.Sprintf("DNSEndpoint %s on %s has %d records: an API server refuses objects of more than 1.5 MiB, which is about %d",
				size.largest, size.cluster, size.records, 2*dnsEndpointRecords), "spread the virtual machines over several namespaces")
		}
	}
	return findings
}

func (s size) message() string {
	where := s.cluster
	if s.clusters > 1 {
		where = fmt.Sprintf("%s, and for many on %d more", s.cluster, s.clusters-1)
	}
	if s.bytes > 0 {
		return fmt.Sprintf("the status of %s takes %.1f MB on %s, with %d related objects: above 1.5 MiB the controller loses track of what it created",
			s.template, float64(s.bytes)/1e6, where, s.most)
	}
	if s.most >= manyRelatedObjects {
		return fmt.Sprintf("%s asks for %d objects on %s: its status takes about %.1f MB there, and above 1.5 MiB (about %d objects) "+
			"the controller loses track of what it created", s.template, s.most, where, float64(s.most)*relatedObjectBytes/1e6, statusBytes/relatedObjectBytes)
	}
	return fmt.Sprintf("%s asks for %d objects on %s: the time to create them grows with the square of their number (%d take about 40 s)",
		s.template, s.most, where, manyCreatedObjects)
}

func (s size) hint() string {
	if !s.own {
		return "spread them over several ConfigurationPolicies"
	}
	shards := min(64, (s.all+manyCreatedObjects-1)/manyCreatedObjects)
	if s.namespaces < s.all {
		return fmt.Sprintf("write endpoint.per: Namespace, which makes %d of them, or policy.shards: %d", s.namespaces, shards)
	}
	return fmt.Sprintf("write policy.shards: %d", shards)
}
