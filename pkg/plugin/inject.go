package plugin

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

// placeholderPrefix starts each placeholder: the group and the kind.
var placeholderPrefix = strings.TrimSuffix(v1alpha1.APIVersion, "v1alpha1") + v1alpha1.VirtualMachineDNSKind + "/"

// Placeholder is the object-templates-raw text of a ConfigurationPolicy for which the template of the VirtualMachineDNS of
// that name is filled in, such as policyloom.dev/VirtualMachineDNS/vm-dns.
func Placeholder(name string) string { return placeholderPrefix + name }

// injection fills the template of one resource into the policies of a stream.
type injection struct {
	name string
	// template gives the text for a policy.
	template func(Owner) (string, diag.Findings)
}

// hasPlaceholder tells whether there is a place to fill in a stream.
func (i injection) hasPlaceholder(items []*yaml.RNode) bool {
	_, templates := policiesOf(items)
	return slices.ContainsFunc(templates, func(t rawTemplate) bool { return i.mentions(t) })
}

// run changes the stream in place. With an error in the findings it must not be used.
func (i injection) run(items []*yaml.RNode) diag.Findings {
	names, templates := policiesOf(items)
	var findings diag.Findings
	filled := map[Owner]string{}
	for _, t := range templates {
		if !i.mentions(t) {
			continue
		}
		if problem := i.problem(t, templates, filled[t.owner]); problem != nil {
			findings = append(findings, *problem)
			continue
		}
		filled[t.owner] = t.object
		text, found := i.template(t.owner)
		findings = append(findings, found...)
		t.fill(text)
	}
	if len(filled) == 0 && len(findings) == 0 {
		findings = append(findings, i.nowhere(names, templates))
	}
	return findings
}

// mentions tells whether a text has the placeholder in it, alone or not.
func (i injection) mentions(t rawTemplate) bool {
	return slices.Contains(strings.Fields(t.value.Value), Placeholder(i.name))
}

// problem says why a place cannot be filled, or gives nil. Earlier is the object in the same policy that was filled before.
func (i injection) problem(t rawTemplate, all []rawTemplate, earlier string) *diag.Finding {
	finding := diag.Finding{Severity: diag.Error, Object: t.object, Field: "spec.object-templates-raw"}
	if strings.TrimSpace(t.value.Value) != Placeholder(i.name) {
		finding.Message = "there is other text beside the placeholder " + Placeholder(i.name)
		finding.Hint = "the whole text is replaced: leave nothing but the placeholder"
		return &finding
	}
	if hasAliases(t.item) {
		finding.Message, finding.Hint = "the policy has YAML aliases, so its texts may not be its own", "write the aliases out"
		return &finding
	}
	if earlier == "" {
		setting := ownerSetting(t.owner)
		for _, other := range all {
			if other.owner == t.owner && strings.Contains(other.value.Value, setting) {
				earlier = other.object
			}
		}
	}
	if earlier != "" {
		finding.Message = "the policy has a template of a " + v1alpha1.VirtualMachineDNSKind + " already: " + earlier +
			"; each would remove the objects of the other"
		finding.Hint = "give each a policy of its own"
		return &finding
	}
	if len(t.owner.String()) > validation.LabelValueMaxLength {
		finding.Message = fmt.Sprintf("%s names the owner of the objects in a label and has %d characters, at most %d fit",
			t.owner, len(t.owner.String()), validation.LabelValueMaxLength)
		finding.Hint = "shorten the name of the Policy"
		return &finding
	}
	return nil
}

// ownerSetting is the line of a template that says whose its objects are.
func ownerSetting(o Owner) string { return fmt.Sprintf("{{- $policy := %q }}", o.String()) }

// nowhere says that the placeholder is missing, and what there is instead.
func (i injection) nowhere(names []string, templates []rawTemplate) diag.Finding {
	finding := diag.Finding{
		Severity: diag.Error, Object: v1alpha1.VirtualMachineDNSKind + " " + i.name,
		Message: "no ConfigurationPolicy holds the placeholder to fill in",
		Hint:    "write object-templates-raw: " + Placeholder(i.name),
	}
	var others []string
	for _, t := range templates {
		if other, found := strings.CutPrefix(strings.TrimSpace(t.value.Value), placeholderPrefix); found {
			others = append(others, other)
		}
	}
	if meant := diag.DidYouMean(i.name, others); meant != "" {
		finding.Hint += "; there are placeholders for others, " + meant
	}
	if len(names) == 0 {
		finding.Message += "; there is no ConfigurationPolicy at all"
		finding.Hint += ", or to generate policies, list the resource under generators:"
		return finding
	}
	const most = 10
	shown := names[:min(len(names), most)]
	finding.Message += "; there are " + strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		finding.Message += fmt.Sprintf(" and %d more", more)
	}
	return finding
}
