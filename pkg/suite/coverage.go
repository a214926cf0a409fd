package suite

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/propagate"
	"github.com/policyloom/policyloom/pkg/render"
)

type placedPolicy = propagate.Replicated

// Coverage says what no case looks at.
type Coverage struct {
	Policies  Covered `json:"policies"`
	Templates Covered `json:"templates"`
	Clusters  Covered `json:"clusters"`
}

// Covered counts things of one kind.
type Covered struct {
	// All is how many there are.
	All int `json:"all"`
	// Missed are those that no case looks at, by name.
	Missed []string `json:"missed"`
}

// touched collects what cases look at. A policy counts where a case expects something of it, or of the objects of a cluster that has
// it; a policy template where that cluster has something to do for it; a cluster where a case expects something of it.
type touched struct {
	lock                          sync.Mutex
	policies, templates, clusters map[string]bool
}

func newTouched() *touched {
	return &touched{policies: map[string]bool{}, templates: map[string]bool{}, clusters: map[string]bool{}}
}

// know adds what there is.
func (t *touched) know(test *Test, scene *render.Scene) {
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, policy := range scene.Policies() {
		know(t.policies, "Policy "+policy)
	}
	for _, template := range scene.Templates() {
		know(t.templates, template)
	}
	for _, cluster := range scene.Clusters() {
		know(t.clusters, "cluster "+cluster+" of "+test.fixtures())
	}
}

func know(names map[string]bool, name string) {
	if !names[name] {
		names[name] = false
	}
}

// fixtures names the fleet of a test.
func (t *Test) fixtures() string {
	if t.Spec.Fleet != "" {
		return t.path(t.Spec.Fleet)
	}
	return t.File()
}

// note adds what a step looks at.
func (t *touched) note(outcome render.Outcome, e *v1alpha1.Expectation, r *caseRun) {
	if t == nil {
		return
	}
	named, looksAt := r.lookedAt(e)
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, c := range outcome.Clusters {
		looked := slices.Contains(looksAt, c.Name)
		if looked {
			t.clusters["cluster "+c.Name+" of "+r.test.fixtures()] = true
		}
		if c.Evaluation == nil {
			continue
		}
		for _, p := range c.Evaluation.Policies {
			if !looked && !isNamed(named, p.Policy) {
				continue
			}
			t.evaluated(p)
		}
	}
	for _, policy := range r.scene.Policies() {
		if isNamed(named, policy) {
			t.policies["Policy "+policy] = true
		}
	}
}

func (t *touched) evaluated(p evaluate.PolicyResult) {
	for _, template := range p.Templates {
		owner := p.Policy
		if owner == "" {
			owner = templateName(template)
		}
		t.policies["Policy "+owner] = true
		if len(template.Related) > 0 || len(template.Changes) > 0 || template.Compliance == evaluate.Unknown {
			t.templates["Policy "+owner+": "+template.Template] = true
		}
	}
}

func isNamed(named []string, policy string) bool {
	_, alone, _ := strings.Cut(policy, "/")
	return slices.Contains(named, policy) || slices.Contains(named, alone)
}

// lookedAt gives the policies that an expectation names, and the clusters that it is about.
func (r *caseRun) lookedAt(e *v1alpha1.Expectation) (policies, clusters []string) {
	policy := func(name string) {
		if all := r.scene.Policies(); name == "" && len(all) == 1 {
			name = all[0]
		}
		policies = append(policies, name)
	}
	cluster := func(name string) {
		if found, problem := r.clusterOf("", name); problem == nil {
			clusters = append(clusters, found)
		}
	}
	for _, s := range e.Selected {
		policy(s.Policy)
		clusters = append(clusters, s.Clusters...)
		for _, not := range s.Not {
			clusters = append(clusters, not.Cluster)
		}
	}
	for _, c := range e.Compliance {
		policy(c.Policy)
		cluster(c.Cluster)
	}
	for _, m := range e.Messages {
		policy(m.Policy)
		cluster(m.Cluster)
	}
	for _, o := range e.Objects {
		cluster(o.Cluster)
	}
	for _, o := range e.Contains {
		cluster(o.Cluster)
	}
	for _, o := range e.Absent {
		cluster(o.Cluster)
	}
	for _, o := range e.Counts {
		cluster(o.Cluster)
	}
	return policies, clusters
}

// coverage sums up.
func (t *touched) coverage() Coverage {
	t.lock.Lock()
	defer t.lock.Unlock()
	sum := func(of map[string]bool) Covered {
		covered := Covered{All: len(of), Missed: []string{}}
		for name, is := range of {
			if !is {
				covered.Missed = append(covered.Missed, name)
			}
		}
		slices.Sort(covered.Missed)
		return covered
	}
	return Coverage{Policies: sum(t.policies), Templates: sum(t.templates), Clusters: sum(t.clusters)}
}
