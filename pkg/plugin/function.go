package plugin

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// resourceList is the kind that the input of every KRM function has, near its beginning, in YAML or JSON.
var resourceList = regexp.MustCompile(`(?m)(^kind:[ \t]*["']?|"kind"[ \t]*:[ \t]*")ResourceList\b`)

// beginning is how much of the input is looked at.
const beginning = 64 << 10

// kustomizeID is the annotation by which kustomize finds resources again that it gave to a transformer. A generator never
// sees it.
const kustomizeID = "kustomize.config.k8s.io/id"

// IsFunction tells whether the program is started as a KRM function. kustomize then gives no arguments and nothing in the
// environment, but a pipe with a ResourceList on standard input. Terminals and other devices are never read.
func (c *Call) IsFunction() bool {
	if len(c.Args) != 1 {
		return false
	}
	file, ok := c.Stdin.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeNamedPipe {
		return false
	}
	input := bufio.NewReaderSize(c.Stdin, beginning)
	c.Stdin = input
	start, _ := input.Peek(beginning)
	return resourceList.Match(start)
}

// RunFunction does what a KRM function is asked for: where the items have a placeholder for the resource in functionConfig,
// the template is filled in, and else the generated objects are added. The findings are in the results, too.
func (c *Call) RunFunction(p Program) (diag.Findings, error) {
	input, err := io.ReadAll(c.Stdin)
	if err != nil {
		return nil, err
	}
	if findings := checkResourceList(input); len(findings) > 0 {
		return findings, nil
	}
	var findings diag.Findings
	list := &kio.ByteReadWriter{Reader: bytes.NewReader(input), Writer: c.Stdout, KeepReaderAnnotations: true, OmitReaderAnnotations: true}
	err = framework.Execute(framework.ResourceListProcessorFunc(func(list *framework.ResourceList) error {
		findings = p.process(list)
		for _, f := range findings {
			list.Results = append(list.Results, resultOf(f, list.FunctionConfig))
		}
		return nil
	}), list)
	return findings, err
}

func (p Program) process(list *framework.ResourceList) diag.Findings {
	if yaml.IsMissingOrNull(list.FunctionConfig) {
		return failure(nil, "the ResourceList has no functionConfig", "it takes the resource that configures the function")
	}
	text, err := list.FunctionConfig.String()
	if err != nil {
		return failure(nil, "reading the functionConfig: "+err.Error(), "")
	}
	config := []byte(text)
	i := p.injection(config)
	if i.hasPlaceholder(list.Items) || fromTransformer(list.Items) {
		if findings := p.Check(config); findings.HasErrors() {
			return findings
		}
		return i.run(list.Items)
	}
	output, findings := p.generate(config)
	if findings.HasErrors() {
		return findings
	}
	generated, err := kio.FromBytes(output)
	if err != nil {
		return append(findings, failure(config, err.Error(), "")...)
	}
	for _, object := range generated {
		list.Items = put(list.Items, object)
	}
	return findings
}

// fromTransformer tells whether kustomize lists the function under transformers.
func fromTransformer(items []*yaml.RNode) bool {
	for _, item := range items {
		if _, found := item.GetAnnotations()[kustomizeID]; found {
			return true
		}
	}
	return false
}

// put replaces the item that is the same object, which an earlier run may have left, or else adds one.
func put(items []*yaml.RNode, object *yaml.RNode) []*yaml.RNode {
	for i, item := range items {
		if item.GetApiVersion() == object.GetApiVersion() && item.GetKind() == object.GetKind() &&
			item.GetNamespace() == object.GetNamespace() && item.GetName() == object.GetName() {
			items[i] = object
			return items
		}
	}
	return append(items, object)
}

// resultOf turns a finding into a result of the function. What the resource itself is blamed for gets a reference to it.
func resultOf(f diag.Finding, config *yaml.RNode) *framework.Result {
	result := &framework.Result{Severity: framework.Severity(f.Severity), Message: f.Message}
	if f.Hint != "" {
		result.Message += " (" + f.Hint + ")"
	}
	if f.Field != "" {
		result.Field = &framework.Field{Path: f.Field}
	}
	if yaml.IsMissingOrNull(config) || !strings.HasPrefix(f.Object, config.GetKind()+" ") {
		if f.Object != "" {
			result.Message = f.Object + ": " + result.Message
		}
		return result
	}
	result.ResourceRef = &yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: config.GetApiVersion(), Kind: config.GetKind()},
		NameMeta: yaml.NameMeta{Name: config.GetName(), Namespace: config.GetNamespace()},
	}
	return result
}
