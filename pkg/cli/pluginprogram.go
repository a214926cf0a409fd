package cli

import (
	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/plugin"
	"github.com/policyloom/policyloom/pkg/policies"
)

// pluginProgram is what the program does as a kustomize plugin, whose configuration is a copy without the user's lines.
var pluginProgram = plugin.Program{Check: checkConfig, Generate: generateConfig, Template: templateConfig}

func checkConfig(config []byte) diag.Findings {
	resources, findings := policies.Decode("", config, v1alpha1.DecodeWithoutLines)
	for _, resource := range resources {
		if resource.Spec.Output != v1alpha1.OutputTemplate {
			findings = append(findings, diag.Finding{
				Severity: diag.Warning, Object: resource.Reference(), Field: "spec.output",
				Message: "nothing but the template is filled in: spec.policy and spec.placement have no effect",
				Hint:    "write output: Template, and give the options to PolicyGenerator",
			})
		}
	}
	return findings
}

func generateConfig(config []byte) ([]byte, diag.Findings) {
	resources, findings := policies.Decode("", config, v1alpha1.DecodeWithoutLines)
	for _, resource := range resources {
		if resource.Spec.Output == v1alpha1.OutputTemplate && !findings.HasErrors() {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Object: resource.Reference(), Field: "spec.output",
				Message: "a Template is no object that kustomize takes from a generator",
				Hint: "list it under transformers: with a ConfigurationPolicy that has object-templates-raw: " +
					plugin.Placeholder(resource.Metadata.Name) + ", or commit what policyloom generate prints for PolicyGenerator",
			})
		}
	}
	if findings.HasErrors() {
		return nil, findings
	}
	output, err := generate.YAML(resources)
	if err != nil {
		findings = append(findings, diag.Finding{Severity: diag.Error, Message: err.Error()})
	}
	return output, findings
}

// templateConfig gives the template for a policy that others generate. Its objects belong to that policy, and hub templates in
// it look into its namespace.
func templateConfig(config []byte, owner plugin.Owner) (string, diag.Findings) {
	resources, findings := policies.Decode("", config, v1alpha1.DecodeWithoutLines)
	if findings.HasErrors() {
		return "", findings
	}
	resource := resources[0]
	resource.Metadata.Name, resource.Spec.Policy.Namespace = owner.Name, owner.Namespace
	text, err := generate.Template(resource)
	if err != nil {
		return "", diag.Findings{{Severity: diag.Error, Object: resource.Reference(), Message: err.Error()}}
	}
	return text, nil // warnings come from checkConfig
}
