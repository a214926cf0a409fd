package plugin

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// resourceListVersions are those of the specification of KRM functions.
var resourceListVersions = []string{"config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"}

// checkResourceList gives what is wrong with the input of a function that the framework would pass over. What is no YAML is left to it.
func checkResourceList(input []byte) diag.Findings {
	list, err := yaml.Parse(string(input))
	if err != nil || list.YNode().Kind != yaml.MappingNode {
		return nil
	}
	var findings diag.Findings
	report := func(field, message, hint string) {
		findings = append(findings, diag.Finding{Severity: diag.Error, Object: "ResourceList", Field: field, Message: message, Hint: hint})
	}
	if version := list.GetApiVersion(); !slices.Contains(resourceListVersions, version) {
		report("apiVersion", fmt.Sprintf("unknown apiVersion %q", version), "known are "+strings.Join(resourceListVersions, ", "))
	}
	for _, field := range []string{"items", "results"} {
		value := list.Field(field)
		if value == nil || yaml.IsMissingOrNull(value.Value) {
			continue
		}
		if value.Value.YNode().Kind != yaml.SequenceNode {
			report(field, "must be a list", "")
			continue
		}
		for i, item := range value.Value.Content() {
			if item.Kind != yaml.MappingNode {
				report(fmt.Sprintf("%s[%d]", field, i), "must be a mapping", "")
			}
		}
	}
	if config := list.Field("functionConfig"); config != nil && !yaml.IsMissingOrNull(config.Value) && config.Value.YNode().Kind != yaml.MappingNode {
		report("functionConfig", "must be a mapping", "it is the resource that configures the function")
	}
	return findings
}
