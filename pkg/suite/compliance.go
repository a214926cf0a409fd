package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/evaluate"
)

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
