package plugin

import (
	"cmp"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// brokenBindings finds PlacementBindings in what was built whose placement or subject got another name from a namePrefix or
// nameSuffix. Names that nothing in the build ever had are left alone: such objects may be on the hub already.
func (s *survey) brokenBindings(output []byte) (diag.Findings, error) {
	if len(s.renames) == 0 {
		return nil, nil
	}
	items, err := kio.FromBytes(output)
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, item := range items {
		key := item.GetKind() + " " + item.GetNamespace()
		names[key] = append(names[key], item.GetName())
	}
	var findings diag.Findings
	for _, item := range items {
		if item.GetKind() != "PlacementBinding" || !strings.HasPrefix(item.GetApiVersion(), policyGroup) {
			continue
		}
		for _, r := range referencesOf(item.YNode()) {
			renamed := renamedTo(r.name, names[r.kind+" "+item.GetNamespace()])
			if renamed == "" {
				continue
			}
			cause := s.causeOf(r.name, renamed)
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: cause.position,
				Object: "PlacementBinding " + slashed(Owner{item.GetNamespace(), item.GetName()}), Field: r.field,
				Message: fmt.Sprintf("%s renames %s %s to %s, and the binding still names the old one, so the policy is placed nowhere",
					cause.field, r.kind, r.name, renamed),
				Hint: "remove " + cause.field + ", and change metadata.name where the policy is generated: " +
					"list a kustomization that patches it under generators:",
			})
		}
	}
	return findings, nil
}

// bindingReference is a name in a PlacementBinding.
type bindingReference struct{ field, kind, name string }

func referencesOf(binding *yaml.Node) []bindingReference {
	references := []bindingReference{
		{"placementRef.name", textOf(binding, "placementRef", "kind"), textOf(binding, "placementRef", "name")},
	}
	if _, subjects := fieldOf(binding, "subjects"); subjects != nil && subjects.Kind == yaml.SequenceNode {
		for i, subject := range subjects.Content {
			references = append(references,
				bindingReference{fmt.Sprintf("subjects[%d].name", i), textOf(subject, "kind"), textOf(subject, "name")})
		}
	}
	return references
}

// renamedTo gives the one of the names that is the given name with more around it, or nothing if the name itself is there.
func renamedTo(name string, names []string) string {
	renamed := ""
	for _, other := range names {
		switch {
		case other == name:
			return ""
		case name != "" && strings.Contains(other, name):
			renamed = cmp.Or(renamed, other)
		}
	}
	return renamed
}

// causeOf gives the field that added to a name, as far as it can be told.
func (s *survey) causeOf(name, renamed string) rename {
	before, after, _ := strings.Cut(renamed, name)
	for _, r := range s.renames {
		if r.field == "namePrefix" && strings.Contains(before, r.value) || r.field == "nameSuffix" && strings.Contains(after, r.value) {
			return r
		}
	}
	return s.renames[0]
}
