package plugin

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// survey is what can be said about a kustomization, and about all those below it, without running kustomize.
type survey struct {
	// root is the directory of the first kustomization, absolute and without symbolic links, as kustomize has it.
	root string
	// shown is the same directory as the user wrote it.
	shown string
	// files names the kustomization file of each directory, as shown to the user.
	files map[string]string
	// configs are those that are the whole input of a generator or transformer, with no patch in between.
	configs []config
	// listings are the resources of ours.
	listings []listing
	// functions are the files in which a resource of ours is a KRM function.
	functions map[string]bool
	// renames are the fields that change names of all objects.
	renames []rename
	// behaviors are the annotations that make kustomize merge what is generated.
	behaviors []diag.Finding
	visited   map[visit]bool
	findings  diag.Findings
}

// visit is a directory and what its kustomization is for.
type visit struct {
	directory string
	role      role
}

// role says for which list of plugins a kustomization builds the configurations. It is empty for one that builds resources.
type role struct {
	// list is generators, transformers or validators.
	list string
	// directory is that of the kustomization with the list.
	directory string
}

// rename is a namePrefix or nameSuffix.
type rename struct {
	field, value string
	position     diag.Position
}

// config is a document that a kustomization lists, or holds, as the configuration of a plugin.
type config struct {
	// directory is that of the kustomization.
	directory string
	// file is shown to the user.
	file string
	node *yaml.Node
}

// inspect walks through a kustomization and all local ones that it names. It finds what needs the network, and names that
// lead nowhere. What it cannot read is left to kustomize, which has the better message.
func inspect(dir string) *survey {
	s := &survey{
		shown: filepath.Clean(dir), files: map[string]string{}, functions: map[string]bool{}, visited: map[visit]bool{},
	}
	if isURL(dir) || (isRepository(dir) && !isDirectory(dir)) {
		s.add(diag.Finding{Message: "cannot build the remote kustomization " + dir, Hint: remoteHint})
		return s
	}
	root, err := realPath(dir)
	if err != nil {
		s.add(diag.Finding{Position: diag.Position{File: dir}, Message: "no such directory"})
		return s
	}
	s.root = root
	s.directory(root, role{})
	s.findings.Sort()
	s.findings = slices.Compact(s.findings) // a kustomization with two roles says everything twice
	return s
}

const remoteHint = "policyloom works offline: keep a copy in the repository and name that"

// directory inspects the kustomization in a directory, once for each role.
func (s *survey) directory(dir string, as role) {
	if s.visited[visit{dir, as}] {
		return
	}
	s.visited[visit{dir, as}] = true
	s.files[dir] = s.show(dir)
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		file := filepath.Join(dir, name)
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		s.files[dir] = s.show(file)
		var document yaml.Node
		if yaml.Unmarshal(data, &document) == nil {
			s.kustomization(dir, as, &document)
		}
		return
	}
}

func (s *survey) kustomization(dir string, as role, document *yaml.Node) {
	file := s.files[dir]
	for _, name := range []string{"helmCharts", "helmChartInflationGenerator"} {
		if key, value := fieldOf(document, name); value != nil && len(value.Content) > 0 {
			s.addAt(file, key, name, "Helm charts are not supported", "inflate the chart with helm template and list the result")
		}
	}
	for _, name := range []string{"namePrefix", "nameSuffix"} {
		if key, value := fieldOf(document, name); value != nil && value.Value != "" && as == (role{}) {
			s.renames = append(s.renames, rename{name, value.Value, diag.Position{File: file, Line: key.Line, Column: key.Column}})
		}
	}
	for _, r := range references(document) {
		switch {
		case slices.Contains(directoryLists, r.list):
			s.entry(dir, as, file, r)
		case isURL(r.path()):
			s.remote(file, r)
		}
	}
}

// entry inspects one entry of a list that may name files, other kustomizations and repositories.
func (s *survey) entry(dir string, as role, file string, r reference) {
	plugins := slices.Contains(pluginLists, r.list)
	if plugins && isInline(r.node.Value) {
		s.pluginConfigs(listing{directory: dir, list: r.list, direct: true, file: file}, r.node, []byte(r.node.Value))
		return
	}
	path := r.node.Value
	if isURL(path) {
		s.remote(file, r)
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		real, err := realPath(path)
		if err != nil {
			return
		}
		where := listing{directory: dir, list: r.list, direct: true, source: real, file: s.show(path)}
		if !plugins {
			where.list, where.direct = "resources", false
			if as.list != "" {
				where.directory, where.list = as.directory, as.list
			}
			s.resourceFile(where)
			return
		}
		if data, err := os.ReadFile(path); err == nil {
			s.pluginConfigs(where, nil, data)
		}
	case isRepository(r.node.Value):
		s.remote(file, r)
	case err == nil && info.IsDir():
		if plugins {
			as = role{r.list, dir}
		}
		if real, err := realPath(path); err == nil {
			s.directory(real, as)
		}
	case os.IsNotExist(err):
		s.addAt(file, r.node, r.field, "no such file or directory: "+r.node.Value, "")
	}
}

// pluginConfigs inspects the documents that configure plugins. They are in a file, or inside the kustomization at a place.
func (s *survey) pluginConfigs(where listing, place *yaml.Node, data []byte) {
	for _, document := range documentsOf(data) {
		if place != nil {
			// Inside a text, the place of the text is the only one that is known.
			moveTo(document, place)
		}
		if where.list != "validators" {
			s.configs = append(s.configs, config{directory: where.directory, file: where.file, node: document})
		}
		where.node = document
		s.list(where)
		s.pluginConfig(where)
	}
}

func (s *survey) pluginConfig(where listing) {
	dir, file, document := where.directory, where.file, where.node
	s.behavior(where)
	if isOurs(document) {
		s.function(where)
	} else if field, place := functionPlace(document); place != nil {
		s.addAt(file, place, field, "KRM functions are not supported, and kustomize skips them silently by default",
			"a generator in the plugin home needs no function annotation")
	}
	if textOf(document, "apiVersion") == konfig.BuiltinPluginApiVersion &&
		textOf(document, "kind") == "HelmChartInflationGenerator" {
		s.addAt(file, document, "kind", "Helm charts are not supported", "inflate the chart with helm template and list the result")
	}
	for _, r := range references(document) {
		if !slices.Contains(fileFields, r.list) {
			continue
		}
		if isURL(r.path()) {
			s.remote(file, r)
			continue
		}
		if r.list == "path" {
			s.generatorPath(filepath.Join(dir, r.node.Value), textOf(document, "kind") == policyGeneratorKind)
		}
	}
}

// generatorPath inspects what the configuration of a generator names. PolicyGenerator builds the kustomizations among it.
func (s *survey) generatorPath(path string, forPolicies bool) {
	real, err := realPath(path)
	if err != nil {
		return
	}
	if isDirectory(real) {
		s.directory(real, role{})
	}
	if forPolicies && !isKustomization(real) {
		s.manifestFiles(real)
	}
}

// isKustomization tells whether a directory has a kustomization.
func isKustomization(dir string) bool {
	return slices.ContainsFunc(konfig.RecognizedKustomizationFileNames(), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

func (s *survey) remote(file string, r reference) {
	s.addAt(file, r.node, r.field, "cannot fetch "+r.path(), remoteHint)
}

func (s *survey) addAt(file string, node *yaml.Node, field, message, hint string) {
	s.add(diag.Finding{
		Position: diag.Position{File: file, Line: node.Line, Column: node.Column},
		Field:    field, Message: message, Hint: hint,
	})
}

func (s *survey) add(finding diag.Finding) {
	finding.Severity = diag.Error
	s.findings = append(s.findings, finding)
}

// show names a path the way the user named the first directory.
func (s *survey) show(path string) string {
	relative, err := filepath.Rel(s.root, path)
	if err != nil {
		return path
	}
	return filepath.Join(s.shown, relative)
}

// showAll names all known directories in a text the way the user named the first one.
func (s *survey) showAll(text string) string {
	known := slices.SortedFunc(maps.Keys(s.files), func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	for _, directory := range known {
		text = strings.ReplaceAll(text, directory, s.show(directory))
	}
	return text
}

// path gives what the reference names, without the key that files of a generator may have.
func (r reference) path() string {
	if key, path, found := strings.Cut(r.node.Value, "="); found && r.list == "files" && !isURL(key) {
		return path
	}
	return r.node.Value
}

// realPath gives the absolute path without symbolic links.
func realPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}
