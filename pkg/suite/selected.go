package suite

import (
	"fmt"
	"slices"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/render"
)

func (l *look) selected() {
	for i, s := range l.expected.Selected {
		at := fmt.Sprintf(".selected[%d]", i)
		policy, ok := l.policy(at, s.Policy)
		if !ok {
			continue
		}
		var is []string
		for _, c := range l.outcome.Clusters {
			if slices.ContainsFunc(c.Policies, func(r placedPolicy) bool { return r.Root.String() == policy }) {
				is = append(is, c.Name)
			}
		}
		l.sameClusters(at+".clusters", policy, s.Clusters, is)
		for j, not := range s.Not {
			l.notSelected(fmt.Sprintf("%s.not[%d]", at, j), policy, not, is)
		}
	}
}

func (l *look) sameClusters(field, policy string, want, is []string) {
	want = slices.Clone(want)
	slices.Sort(want)
	l.updatable(field, toAny(is), func() {
		for _, name := range want {
			if slices.Contains(is, name) {
				continue
			}
			if c, found := l.cluster(name); found {
				l.fail(field, name, "does not get "+policy, "", reasons(c, policy)...)
				continue
			}
			l.fail(field, "", fmt.Sprintf("there is no managed cluster %.60q", name), diag.DidYouMean(name, l.scene.Clusters()))
		}
		for _, name := range is {
			if !slices.Contains(want, name) {
				l.fail(field, name, "gets "+policy+", too", "")
			}
		}
	})
}

func toAny(names []string) []any {
	list := make([]any, 0, len(names))
	for _, name := range names {
		list = append(list, name)
	}
	return list
}

// reasons gives why a cluster does not get a policy.
func reasons(c render.Cluster, policy string) []string {
	var lines []string
	for _, not := range c.NotPlaced {
		if not.Policy != policy {
			continue
		}
		for _, reason := range not.Reasons {
			line := fmt.Sprintf("%s: %s", not.Placement, reason.Message)
			if reason.Hint != "" {
				line += " (" + reason.Hint + ")"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func (l *look) notSelected(field, policy string, not v1alpha1.NotSelected, is []string) {
	c, found := l.cluster(not.Cluster)
	switch {
	case !found:
		l.fail(field+".cluster", "", fmt.Sprintf("there is no managed cluster %.60q", not.Cluster), diag.DidYouMean(not.Cluster, l.scene.Clusters()))
	case slices.Contains(is, not.Cluster):
		l.fail(field+".cluster", not.Cluster, "gets "+policy, "")
	case not.Because != "":
		lines := reasons(c, policy)
		if !slices.ContainsFunc(lines, l.test.patterns[not.Because].MatchString) {
			l.fail(field+".because", not.Cluster, "no reason matches "+quoted(not.Because), "", lines...)
		}
	}
}
