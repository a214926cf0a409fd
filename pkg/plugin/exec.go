package plugin

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
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

// Run does what kustomize asks a plugin of its plugin home for, and writes it to Stdout: a transformer, which gets resources
// on Stdin, fills in templates, and a generator generates. A failure comes back as diag.Findings that name the directory of
// the kustomization, the object and the field. They name no place in the configuration file, since that is a temporary copy
// in another order.
func (c Call) Run(p Program) error {
	config, findings := c.config()
	var output []byte
	if !findings.HasErrors() {
		output, findings = c.apply(p, config)
	}
	root := c.Getenv(configRootEnv)
	for i := range findings {
		findings[i].Position = diag.Position{File: root}
	}
	if err := writeReport(c.Getenv(reportEnv), reportOf(root, config, findings)); err != nil {
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

// config reads the file that kustomize names.
func (c Call) config() ([]byte, diag.Findings) {
	if len(c.Args) < 2 {
		return nil, failure(nil, "the name of the configuration file is missing",
			"kustomize runs this program as a plugin; use policyloom for everything else")
	}
	config, err := os.ReadFile(c.Args[1])
	if err != nil {
		return nil, failure(nil, "reading the configuration: "+err.Error(), "")
	}
	return config, nil
}

func (c Call) apply(p Program, config []byte) ([]byte, diag.Findings) {
	resources, err := c.resources()
	if err != nil {
		return nil, failure(config, "reading the resources: "+err.Error(), "")
	}
	if len(resources) == 0 {
		return p.generate(config)
	}
	findings := p.Check(config)
	if findings.HasErrors() {
		return nil, findings
	}
	output, found := transform(resources, p.injection(config))
	if found.HasErrors() {
		return nil, found
	}
	return output, append(findings, found...)
}

// resources gives what kustomize hands over to a transformer. Standard input is read only under kustomize, since it may be a
// terminal otherwise.
func (c Call) resources() ([]byte, error) {
	if c.Getenv(configRootEnv) == "" {
		return nil, nil
	}
	return io.ReadAll(c.Stdin)
}

// transform fills in a template, and leaves all else as it is.
func transform(resources []byte, i injection) ([]byte, diag.Findings) {
	reader := kio.ByteReader{Reader: bytes.NewReader(resources), OmitReaderAnnotations: true, DisableUnwrapping: true}
	items, err := reader.Read()
	if err != nil {
		return nil, diag.Findings{{Severity: diag.Error, Message: "reading the resources: " + err.Error()}}
	}
	findings := i.run(items)
	if findings.HasErrors() {
		return nil, findings
	}
	var output bytes.Buffer
	if err := (kio.ByteWriter{Writer: &output, KeepReaderAnnotations: true}).Write(items); err != nil {
		findings = append(findings, diag.Finding{Severity: diag.Error, Message: "writing the resources: " + err.Error()})
	}
	return output.Bytes(), findings
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
