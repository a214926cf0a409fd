package v1alpha1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyloom/policyloom/pkg/diag"
)

// maxNodes bounds the work on a document whose aliases multiply.
const maxNodes = 20_000

// Decode reads every document of a YAML or JSON file; file is its name in findings. Unknown fields, duplicate keys, values
// of another type and documents of another kind are errors, all of which are found at once. Scalars mean what they mean
// to Kubernetes, so that yes is a boolean, but a boolean or a number never becomes a text by itself.
//
// With errors, the resources hold what could be decoded: validate them to find the rest, and do nothing else with them.
func Decode(file string, data []byte) ([]*VirtualMachineDNS, diag.Findings) {
	return (&decoder{file: file, lines: true}).decode(data)
}

// DecodeWithoutLines is Decode for a copy of the file whose lines are not the user's, such as the configuration that
// kustomize hands to a plugin: findings name file, but neither line nor column.
func DecodeWithoutLines(file string, data []byte) ([]*VirtualMachineDNS, diag.Findings) {
	return (&decoder{file: file}).decode(data)
}

// decoder decodes one file. The fields from source on belong to the document at hand.
type decoder struct {
	file     string
	lines    bool
	findings diag.Findings

	source *source
	object string
	nodes  int
}

func (d *decoder) decode(data []byte) ([]*VirtualMachineDNS, diag.Findings) {
	var resources []*VirtualMachineDNS
	stream := yaml.NewDecoder(bytes.NewReader(data))
	for {
		d.source = &source{positions: map[string]diag.Position{}, faulty: map[string]bool{}}
		d.object, d.nodes = "", 0
		var document yaml.Node
		err := stream.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.syntaxError(data, err)
			break
		}
		if root := content(&document); root != nil {
			if resource := d.document(root); resource != nil {
				resources = append(resources, resource)
			}
		}
	}
	if len(resources) == 0 && len(d.findings) == 0 {
		d.add(diag.Position{File: d.file}, "", "there is no "+VirtualMachineDNSKind+" in the file", "")
	}
	d.findings.Sort()
	return resources, d.findings
}

// content gives what a document holds, or nil if that is nothing.
func content(document *yaml.Node) *yaml.Node {
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return nil
	}
	return root
}

// document decodes one document, and gives nil if it is of another kind.
func (d *decoder) document(root *yaml.Node) *VirtualMachineDNS {
	position := d.position(root)
	d.source.positions[""] = position
	if root.Kind != yaml.MappingNode {
		d.add(position, "", fmt.Sprintf("want a %s, got %s", VirtualMachineDNSKind, describe(root)), "")
		return nil
	}
	if !d.header(root) {
		return nil
	}
	resource := &VirtualMachineDNS{}
	value, ok := d.value(root, reflect.TypeFor[VirtualMachineDNS](), "")
	if ok {
		if err := convert(value, resource); err != nil {
			d.add(position, "", err.Error(), "")
		}
	}
	resource.source = d.source
	return resource
}

// header checks apiVersion and kind, and tells whether the document is meant to be a VirtualMachineDNS.
func (d *decoder) header(root *yaml.Node) bool {
	kind := find(root, "kind")
	version := find(root, "apiVersion")
	d.object = strings.TrimSpace(VirtualMachineDNSKind + " " + text(find(find(root, "metadata"), "name")))
	kindHint := diag.DidYouMean(text(kind), []string{VirtualMachineDNSKind})
	switch {
	case kind == nil:
		d.add(d.position(root), "kind", "kind is missing", "write kind: "+VirtualMachineDNSKind)
	case text(kind) != VirtualMachineDNSKind:
		ours := strings.HasPrefix(text(version), Group+"/")
		if kindHint == "" {
			d.object = ""
		}
		if kindHint == "" && ours {
			kindHint = "write kind: " + VirtualMachineDNSKind
		}
		d.add(d.position(kind), "kind", fmt.Sprintf("want a %s, got a document of kind %q", VirtualMachineDNSKind, text(kind)), kindHint)
		if d.object == "" {
			return false
		}
	}
	switch {
	case version == nil:
		d.add(d.position(root), "apiVersion", "apiVersion is missing", "write apiVersion: "+APIVersion)
	case text(version) != APIVersion:
		d.add(d.position(version), "apiVersion", fmt.Sprintf("unknown apiVersion %q", text(version)), "write apiVersion: "+APIVersion)
	}
	return true
}

// find gives the value of a key of a map, or nil.
func find(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// text gives the text of a scalar, or "".
func text(node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode {
		return ""
	}
	return node.Value
}

// convert makes the typed resource of a value that was checked against the type.
func convert(value any, resource *VirtualMachineDNS) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, resource)
}

var syntaxErrorLine = regexp.MustCompile(`^line (\d+): `)

// syntaxError reports what the YAML parser stopped at.
func (d *decoder) syntaxError(data []byte, err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	position := diag.Position{File: d.file}
	if strings.Contains(message, "control characters") && d.lines {
		position.Line = controlLine(data)
	}
	if match := syntaxErrorLine.FindStringSubmatch(message); match != nil {
		message = message[len(match[0]):]
		if line, err := strconv.Atoi(match[1]); err == nil && d.lines {
			position.Line = line
		}
	}
	d.add(position, "", "not valid YAML: "+message, "")
}

// controlLine gives the line of the first character that YAML does not allow, or 0.
func controlLine(data []byte) int {
	line := 1
	for _, r := range string(data) {
		switch {
		case r == '\n':
			line++
		case r < ' ' && r != '\t' && r != '\r', r == 0x7f:
			return line
		}
	}
	return 0
}

// position gives the place of a node.
func (d *decoder) position(node *yaml.Node) diag.Position {
	if !d.lines {
		return diag.Position{File: d.file}
	}
	return diag.Position{File: d.file, Line: node.Line, Column: node.Column}
}

func (d *decoder) add(position diag.Position, field, message, hint string) {
	d.findings = append(d.findings, diag.Finding{
		Severity: diag.Error, Position: position, Object: d.object, Field: field, Message: message, Hint: hint,
	})
}

// fault reports a field whose value cannot be decoded.
func (d *decoder) fault(node *yaml.Node, field, message, hint string) {
	d.source.faulty[field] = true
	d.add(d.position(node), field, message, hint)
}
