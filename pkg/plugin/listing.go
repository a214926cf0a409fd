package plugin

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

// manifests is the list of PolicyGenerator that names what goes into policies.
const manifests = "manifests"

// listing is a VirtualMachineDNS and where a kustomization has it.
type listing struct {
	// directory is that of the kustomization that runs it, or that lists it among its resources.
	directory string
	// list is the field: generators, transformers, validators, or resources or manifests where nothing runs it.
	list string
	// direct says that the list names the file and not a kustomization that may change it.
	direct bool
	// source is the path of the file, empty if the resource is written inside the kustomization.
	source string
	// file is shown to the user.
	file string
	node *yaml.Node
}

func (l listing) name() string { return textOf(l.node, "metadata", "name") }

// finding gives a finding about the resource, at one of its nodes.
func (l listing) finding(node *yaml.Node, field, message, hint string) diag.Finding {
	object := v1alpha1.VirtualMachineDNSKind
	if name := l.name(); name != "" {
		object += " " + name
	}
	return diag.Finding{
		Severity: diag.Error, Position: diag.Position{File: l.file, Line: node.Line, Column: node.Column},
		Object: object, Field: field, Message: message, Hint: hint,
	}
}

// isOurs tells whether a document is a VirtualMachineDNS, of any version.
func isOurs(document *yaml.Node) bool {
	group, _, _ := strings.Cut(v1alpha1.APIVersion, "/")
	return textOf(document, "kind") == v1alpha1.VirtualMachineDNSKind &&
		strings.HasPrefix(textOf(document, "apiVersion"), group+"/")
}

// list remembers a document if it is one of ours, and reports lists from which it can never work.
func (s *survey) list(l listing) {
	if !isOurs(l.node) {
		return
	}
	switch l.list {
	case "resources":
		s.add(l.finding(contentOf(l.node), "", "is listed under resources:, where kustomize generates nothing from it",
			"list it under generators:, or this kustomization, if it is for others that patch the resource, under their generators:"))
	case manifests:
		s.add(l.finding(contentOf(l.node), "", "is a manifest for PolicyGenerator, which would send it to the clusters as it is",
			"name a file that policyloom generate prints for output: Template, or a placeholder to fill in"))
	case "validators":
		s.add(l.finding(contentOf(l.node), "", "is listed under validators:, which does not work with plugins",
			"list it under generators:, or under transformers: to fill in a template"))
	}
	s.listings = append(s.listings, l)
}

// resourceFile looks for resources of ours in a file that is no configuration of a plugin by itself. What cannot be read is
// left to kustomize.
func (s *survey) resourceFile(where listing) {
	data, err := os.ReadFile(where.source)
	if err != nil || !bytes.Contains(data, []byte(v1alpha1.VirtualMachineDNSKind)) {
		return
	}
	for _, document := range documentsOf(data) {
		where.node = document
		s.list(where)
		if isOurs(document) && where.list != "resources" && where.list != manifests {
			s.behavior(where)
			s.function(where)
		}
	}
}

// manifestFiles looks for resources of ours in what a PolicyGenerator takes: a file, or those of a directory.
func (s *survey) manifestFiles(path string) {
	files := []string{path}
	if entries, err := os.ReadDir(path); err == nil {
		files = nil
		for _, entry := range entries {
			if extension := filepath.Ext(entry.Name()); entry.Type().IsRegular() && (extension == ".yaml" || extension == ".yml") {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
	}
	for _, file := range files {
		s.resourceFile(listing{list: manifests, source: file, file: s.show(file)})
	}
}

// function decides what to do with a KRM function: ours need not be one.
func (s *survey) function(l listing) {
	field, place := functionPlace(l.node)
	switch {
	case place == nil:
	case l.source == "":
		s.add(l.finding(place, field, "a KRM function inside a kustomization is not supported", "write the resource to a file of its own"))
	case functionPath(l.node) == "":
		s.add(l.finding(place, field, "only functions with exec and path are supported", "see docs/gitops.md"))
	default:
		s.functions[l.source] = true
	}
}

// documentsOf gives the documents of a file up to the first that is malformed.
func documentsOf(data []byte) []*yaml.Node {
	var documents []*yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return documents
		}
		documents = append(documents, &document)
	}
}

// unused gives an error for each resource that is listed and of which no plugin run tells.
func (s *survey) unused(reports []runReport) diag.Findings {
	type run struct{ directory, name string }
	ran := map[run]bool{}
	runsIn := map[string]int{}
	for _, report := range reports {
		ran[run{report.Directory, report.Name}] = true
		runsIn[report.Directory]++
	}
	for _, l := range s.listings {
		if l.direct && ran[run{l.directory, l.name()}] {
			runsIn[l.directory]--
		}
	}
	var findings diag.Findings
	for _, l := range s.listings {
		// What a kustomization has patched may have another name, so any run that is left over will do.
		if l.direct && ran[run{l.directory, l.name()}] || !l.direct && runsIn[l.directory] > 0 {
			continue
		}
		findings = append(findings, l.finding(contentOf(l.node), "", "kustomize did not run it, so it had no effect",
			"a patch may have removed it, or made it a KRM function, which kustomize skips silently"))
	}
	return findings
}
