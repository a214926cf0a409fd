package plugin

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Program is what a plugin does with its configuration, the YAML of one VirtualMachineDNS. Findings without an error are
// warnings about a result that is used.
type Program struct {
	// Check gives what is wrong with a configuration whose template is to be filled in.
	Check func(config []byte) diag.Findings
	// Generate gives a stream of YAML documents.
	Generate func(config []byte) ([]byte, diag.Findings)
	// Template gives the object-templates-raw text for a policy on the hub. The configuration was checked.
	Template func(config []byte, owner Owner) (string, diag.Findings)
}

// generate is Generate, in which nothing is an error.
func (p Program) generate(config []byte) ([]byte, diag.Findings) {
	output, findings := p.Generate(config)
	if !findings.HasErrors() && len(bytes.TrimSpace(output)) == 0 {
		findings = append(findings, failure(config, "nothing was generated", "")...)
	}
	return output, findings
}

func (p Program) injection(config []byte) injection {
	var document yaml.Node
	_ = yaml.Unmarshal(config, &document) // what cannot be read has no name, and Check says why
	return injection{
		name:     textOf(&document, "metadata", "name"),
		template: func(owner Owner) (string, diag.Findings) { return p.Template(config, owner) },
	}
}
