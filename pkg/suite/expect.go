package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/render"
)

// errors compares the errors with those that are expected.
func (l *look) errors(place string) {
	found := slices.Clone(l.outcome.Findings)
	for _, c := range l.outcome.Clusters {
		found = append(found, c.Findings...)
	}
	matched := make([]bool, len(l.expected.Errors))
	for _, f := range found {
		if f.Severity != diag.Error {
			continue
		}
		expected := false
		for i, text := range l.expected.Errors {
			if l.test.patterns[text].MatchString(f.String()) {
				matched[i], expected = true, true
			}
		}
		if !expected {
			l.unexpected(place, f)
		}
	}
	for i, is := range matched {
		if !is {
			l.fail(fmt.Sprintf(".errors[%d]", i), "", "no error matches "+quoted(l.expected.Errors[i]), "")
		}
	}
}

// unexpected makes a failure of an error. It keeps the place of the error, which is where to look.
func (l *look) unexpected(place string, f diag.Finding) {
	for i, known := range l.result.Failures {
		if g := known.Finding; known.Step == l.step && g.Position == f.Position && g.Message == f.Message && g.Object == f.Object && g.Field == f.Field {
			l.result.Failures[i].Cluster = strings.TrimPrefix(g.Cluster+", "+f.Cluster, ", ")
			return
		}
	}
	if f.Position.File == "" {
		f.Position = l.test.at(place)
	}
	l.add(f)
}

func (l *look) warnings() {
	found := slices.Clone(l.outcome.Findings)
	for _, c := range l.outcome.Clusters {
		found = append(found, c.Findings...)
	}
	for i, text := range l.expected.Warnings {
		if !slices.ContainsFunc(found, func(f diag.Finding) bool {
			return f.Severity == diag.Warning && l.test.patterns[text].MatchString(f.String())
		}) {
			var details []string
			for _, f := range found {
				if f.Severity == diag.Warning {
					details = append(details, f.String())
				}
			}
			hint := ""
			if len(details) > 0 {
				details = append([]string{"the warnings are:"}, details...)
			}
			l.fail(fmt.Sprintf(".warnings[%d]", i), "", "no warning matches "+quoted(text), hint, details...)
		}
	}
}

// quoted puts a pattern into quotes as people write it.
func quoted(text string) string { return "`" + text + "`" }

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

func (l *look) compliance() {
	for i, expected := range l.expected.Compliance {
		at := fmt.Sprintf(".compliance[%d]", i)
		policy, ok := l.policy(at, expected.Policy)
		if !ok {
			continue
		}
		for _, c := range l.on(at, expected.Cluster, policy) {
			result := has(c, policy)
			is, templates := result.Compliance, result.Templates
			if expected.Template != "" {
				templates = l.templates(at, c.Name, expected.Template, result)
				if len(templates) == 0 {
					continue
				}
				is = templates[0].Compliance
			}
			l.updatable(at+".is", string(is), func() {
				if string(is) != expected.Is {
					l.fail(at+".is", c.Name, fmt.Sprintf("%s is %s, want %s", nameOr(policy, expected.Template), is, expected.Is), "", messagesOf(templates)...)
				}
			})
		}
	}
}

func nameOr(policy, template string) string {
	if template == "" {
		return policy
	}
	return policy + ": " + template
}

// messagesOf lists what the controller says of templates.
func messagesOf(templates []evaluate.TemplateResult) []string {
	var lines []string
	for _, t := range templates {
		if t.Message != "" {
			lines = append(lines, t.Template+": "+t.Message)
		}
		for _, d := range t.Details {
			if d.Message != "" && !strings.Contains(t.Message, d.Message) && d.Compliance != evaluate.Compliant {
				lines = append(lines, t.Template+": "+d.Message)
			}
		}
	}
	return lines
}

func (l *look) messages() {
	for i, expected := range l.expected.Messages {
		at := fmt.Sprintf(".messages[%d]", i)
		policy, ok := l.policy(at, expected.Policy)
		if !ok {
			continue
		}
		for _, c := range l.on(at, expected.Cluster, policy) {
			var all []string
			for _, t := range l.templates(at, c.Name, expected.Template, has(c, policy)) {
				all = append(all, t.Message)
				for _, d := range t.Details {
					all = append(all, d.Message)
				}
				for _, r := range t.Related {
					all = append(all, r.Reason)
				}
			}
			all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
			seen := map[string]bool{}
			all = slices.DeleteFunc(all, func(s string) bool { was := seen[s]; seen[s] = true; return was })
			switch {
			case expected.Matches != "" && !slices.ContainsFunc(all, l.test.patterns[expected.Matches].MatchString):
				l.fail(at+".matches", c.Name, fmt.Sprintf("no message of %s matches %s", policy, quoted(expected.Matches)), "", all...)
			case expected.Never != "" && slices.ContainsFunc(all, l.test.patterns[expected.Never].MatchString):
				l.fail(at+".never", c.Name, fmt.Sprintf("a message of %s matches %s", policy, quoted(expected.Never)), "", all...)
			}
		}
	}
}
