package plugin

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/policyloom/policyloom/pkg/diag"
)

// unfilled reports the placeholders in what was built: a cluster would take the text for a template that gives no list.
func (s *survey) unfilled(output []byte) (diag.Findings, error) {
	if !strings.Contains(string(output), placeholderPrefix) {
		return nil, nil
	}
	items, err := kio.FromBytes(output)
	if err != nil {
		return nil, err
	}
	_, templates := policiesOf(items)
	var findings diag.Findings
	for _, t := range templates {
		text := strings.TrimSpace(t.value.Value)
		name, isPlaceholder := strings.CutPrefix(text, placeholderPrefix)
		if !isPlaceholder {
			continue
		}
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: diag.Position{File: s.shown}, Object: t.object, Field: "spec.object-templates-raw",
			Message: fmt.Sprintf("holds the placeholder %s, which nothing fills in", text),
			Hint:    fmt.Sprintf("list the VirtualMachineDNS %s under transformers: of the kustomization", name),
		})
	}
	return findings, nil
}
