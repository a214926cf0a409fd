package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// policy gives the root policy that is meant, as namespace/name, or fails.
func (l *look) policy(field, name string) (string, bool) {
	known := l.scene.Policies()
	for _, object := range l.world.HubObjects() {
		if object.GetKind() == "Policy" && !slices.Contains(known, object.GetNamespace()+"/"+object.GetName()) {
			known = append(known, object.GetNamespace()+"/"+object.GetName())
		}
	}
	if name == "" {
		if len(known) == 1 {
			return known[0], true
		}
		l.fail(field, "", fmt.Sprintf("no policy is named, and there are %d", len(known)), "name one of "+strings.Join(known, ", "))
		return "", false
	}
	var meant []string
	for _, policy := range known {
		if _, alone, _ := strings.Cut(policy, "/"); policy == name || alone == name {
			meant = append(meant, policy)
		}
	}
	switch len(meant) {
	case 1:
		return meant[0], true
	case 0:
		var names []string
		for _, policy := range known {
			_, alone, _ := strings.Cut(policy, "/")
			names = append(names, policy, alone)
		}
		l.fail(field+".policy", "", fmt.Sprintf("there is no policy %.80q", name), diag.DidYouMean(name, names))
	default:
		l.fail(field+".policy", "", fmt.Sprintf("%.80q may be %s", name, strings.Join(meant, " or ")), "write namespace/name")
	}
	return "", false
}

// has gives what a policy came to on a cluster, nil if the cluster does not have it.
func has(c render.Cluster, policy string) *evaluate.PolicyResult {
	if c.Evaluation == nil {
		return nil
	}
	placed := func(name string) bool {
		if !strings.Contains(name, "/") {
			return true
		}
		return slices.ContainsFunc(c.Policies, func(r placedPolicy) bool { return r.Root.String() == name })
	}
	for i, p := range c.Evaluation.Policies {
		if p.Policy == policy && placed(policy) {
			return &c.Evaluation.Policies[i]
		}
		// A policy template that stands alone goes by its own name.
		if p.Policy == "" && len(p.Templates) == 1 && templateName(p.Templates[0]) == policy {
			return &c.Evaluation.Policies[i]
		}
	}
	return nil
}

// templateName is the name of a policy template without its kind.
func templateName(t evaluate.TemplateResult) string {
	_, name, _ := strings.Cut(t.Template, " ")
	return name
}

// on gives the clusters that an expectation about a policy is for: the one that it names, or that of the case, or all that have it.
func (l *look) on(field, cluster, policy string) []render.Cluster {
	if cluster == "" {
		cluster = l.c.Cluster
	}
	if cluster != "" {
		name, problem := l.clusterOf(l.field+field+".cluster", cluster)
		if problem != nil {
			l.add(*problem)
			return nil
		}
		c, found := l.cluster(name)
		if !found || has(c, policy) == nil {
			l.fail(field, name, "does not have "+policy, "", reasons(c, policy)...)
			return nil
		}
		return []render.Cluster{c}
	}
	var list []render.Cluster
	for _, c := range l.outcome.Clusters {
		if has(c, policy) != nil {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		l.fail(field, "", "no cluster has "+policy, "")
	}
	return list
}

// templates gives the results of the policy templates that are meant, or of all.
func (l *look) templates(field, cluster, name string, policy *evaluate.PolicyResult) []evaluate.TemplateResult {
	if name == "" {
		return policy.Templates
	}
	var names []string
	for _, t := range policy.Templates {
		if templateName(t) == name || t.Template == name {
			return []evaluate.TemplateResult{t}
		}
		names = append(names, templateName(t))
	}
	l.fail(field+".template", cluster, fmt.Sprintf("there is no policy template %.60q", name), diag.DidYouMean(name, names))
	return nil
}
