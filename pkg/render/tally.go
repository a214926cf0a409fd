package render

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// tally counts what each policy gives on all clusters.
type tally struct {
	// owners are the root policies and the policy templates that stand alone, in the order in which they are met.
	owners []string
	counts map[string]*ownerCount
	alone  []manifest.Object
	roots  map[types.NamespacedName]manifest.Object
	sizes  sizes
}

type ownerCount struct {
	position diag.Position
	// first is one of the clusters.
	first    string
	clusters int
	objects  int
	failed   bool
}

func newTally(c *chain) *tally {
	t := &tally{counts: map[string]*ownerCount{}, roots: c.roots, sizes: sizes{}}
	for _, object := range c.alone {
		if c.wanted(object.GetNamespace(), object.GetName()) {
			t.alone = append(t.alone, object)
		}
	}
	return t
}

func (t *tally) add(cluster Cluster) {
	failed := cluster.Findings.HasErrors()
	for _, replicated := range cluster.Policies {
		if root := t.roots[replicated.Root]; root.Unstructured != nil && root.GetAnnotations()[v1alpha1.MayBeEmptyAnnotation] == "true" {
			continue
		}
		t.selected("Policy "+replicated.Root.String(), replicated.RootPosition, cluster.Name, failed)
	}
	for _, object := range t.alone {
		t.selected(object.GetKind()+" "+object.GetName(), object.Position, cluster.Name, failed)
	}
	t.sizes.add(cluster.Name, cluster.Objects)
	t.sizes.measure(cluster.Name, cluster.Evaluation)
	for _, object := range cluster.Objects {
		if count := t.counts[ownerOf(object)]; count != nil {
			count.objects++
		}
	}
}

func (t *tally) selected(owner string, at diag.Position, cluster string, failed bool) {
	count := t.counts[owner]
	if count == nil {
		count = &ownerCount{position: at, first: cluster}
		t.counts[owner] = count
		t.owners = append(t.owners, owner)
	}
	count.clusters++
	count.failed = count.failed || failed
}

// empty warns of each policy that gives nothing wherever it is placed.
func (t *tally) empty() diag.Findings {
	var findings diag.Findings
	for _, owner := range t.owners {
		count := t.counts[owner]
		if count.objects > 0 || count.failed {
			continue
		}
		message := fmt.Sprintf("gives no object on any of the %d clusters that get it", count.clusters)
		if count.clusters == 1 {
			message = "gives no object on " + count.first + ", the only cluster that gets it"
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Warning, Position: count.position, Object: owner, Message: message,
			Hint: "that counts as compliant: check the names and selectors of its look-ups",
		})
	}
	return findings
}
