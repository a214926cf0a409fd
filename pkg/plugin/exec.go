package plugin

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

const (
	// configRootEnv is where kustomize tells a plugin the directory of the kustomization that lists it.
	configRootEnv = "KUSTOMIZE_PLUGIN_CONFIG_ROOT"
	// configFilePrefix starts the name of the temporary file that kustomize writes the configuration to.
	configFilePrefix = "kust-plugin-config-"
)

// Generate turns the YAML of one VirtualMachineDNS into a stream of YAML documents. Findings without an error are warnings
// about a result that is used.
type Generate func(config []byte) ([]byte, diag.Findings)

// Call is one start of the program, which may be kustomize running it as a plugin.
type Call struct {
	// Args are the arguments with the name of the program first, as in os.Args.
	Args []string
	// Getenv looks up an environment variable, as os.Getenv does.
	Getenv func(string) string
	// Stdin holds the resources to transform. It is empty where kustomize wants a generator.
	Stdin io.Reader
	// Stdout takes the generated resources.
	Stdout io.Writer
}

// IsPlugin tells whether kustomize runs the program as a plugin: it then has the name of the kind that it generates, or,
// behind a wrapper script, gets the temporary configuration file of a plugin as its only argument.
func (c Call) IsPlugin() bool {
	if len(c.Args) == 0 {
		return false
	}
	name := filepath.Base(c.Args[0])
	if extension := filepath.Ext(name); strings.EqualFold(extension, ".exe") {
		name = strings.TrimSuffix(name, extension)
	}
	if name == v1alpha1.VirtualMachineDNSKind {
		return true
	}
	return c.Getenv(configRootEnv) != "" && len(c.Args) == 2 &&
		strings.HasPrefix(filepath.Base(c.Args[1]), configFilePrefix)
}

// Run generates what kustomize asks for and writes it to Stdout. A failure comes back as diag.Findings that name the
// directory of the kustomization, the object and the field. They name no place in the configuration file, since that is a
// temporary copy in another order.
func (c Call) Run(generate Generate) error {
	output, findings := c.generate(generate)
	root := c.Getenv(configRootEnv)
	for i := range findings {
		findings[i].Position = diag.Position{File: root}
	}
	if err := writeReport(c.Getenv(reportEnv), findings); err != nil {
		return fmt.Errorf("reporting to policyloom build: %w", err)
	}
	if findings.HasErrors() {
		for i := range findings {
			findings[i].File = relativeTo(c.Getenv("PWD"), root)
		}
		return findings
	}
	_, err := c.Stdout.Write(output)
	return err
}

func (c Call) generate(generate Generate) ([]byte, diag.Findings) {
	if len(c.Args) < 2 {
		return nil, failure(nil, "the name of the configuration file is missing",
			"kustomize runs this program as a plugin; use policyloom for everything else")
	}
	config, err := os.ReadFile(c.Args[1])
	if err != nil {
		return nil, failure(nil, "reading the configuration: "+err.Error(), "")
	}
	if c.transforms() {
		return nil, failure(config, "a "+v1alpha1.VirtualMachineDNSKind+" generates resources and cannot transform them",
			"list it under generators: instead of transformers:")
	}
	output, findings := generate(config)
	if !findings.HasErrors() && len(bytes.TrimSpace(output)) == 0 {
		findings = append(findings, failure(config, "nothing was generated", "")...)
	}
	return output, findings
}

// transforms tells whether kustomize hands over resources to transform. Standard input is read only under kustomize,
// since it may be a terminal otherwise.
func (c Call) transforms() bool {
	if c.Getenv(configRootEnv) == "" {
		return false
	}
	n, _ := io.ReadFull(c.Stdin, make([]byte, 1))
	return n > 0
}

// failure is an error about the object that config describes, if it is known.
func failure(config []byte, message, hint string) diag.Findings {
	finding := diag.Finding{Severity: diag.Error, Message: message, Hint: hint}
	var document yaml.Node
	if yaml.Unmarshal(config, &document) == nil {
		if name := textOf(&document, "metadata", "name"); name != "" {
			finding.Object = textOf(&document, "kind") + " " + name
		}
	}
	return diag.Findings{finding}
}

// relativeTo shortens path if it is below base, and else leaves it alone.
func relativeTo(base, path string) string {
	if relative, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(relative) && relative != "." {
		return relative
	}
	return path
}
