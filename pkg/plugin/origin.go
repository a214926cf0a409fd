package plugin

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
)

// Origin says where an object of a build comes from.
type Origin struct {
	// Position is the file that holds the object, or the resource that made it.
	Position diag.Position
	// Generated says that the object was made, so that it stands in no file.
	Generated bool
}

// originFS makes kustomize say where each object comes from, which it otherwise does only if the kustomization asks for it.
type originFS struct {
	filesys.FileSystem
	root string
	// asked says that the kustomization asks for it itself, so that the annotations stay in the output.
	asked bool
}

// ReadFile reads a file; the kustomization of the root asks for origins.
func (f *originFS) ReadFile(path string) ([]byte, error) {
	data, err := f.FileSystem.ReadFile(path)
	if err != nil || filepath.Dir(path) != f.root || !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		return data, err
	}
	// What is wrong with the file is kustomize's to say.
	node, err := yaml.Parse(string(data))
	if err != nil {
		return data, nil
	}
	list, err := node.Pipe(yaml.LookupCreate(yaml.SequenceNode, "buildMetadata"))
	if err != nil || list == nil {
		return data, nil
	}
	for _, item := range list.Content() {
		if item.Value == types.OriginAnnotations {
			f.asked = true
			return data, nil
		}
	}
	if err := list.PipeE(yaml.Append(yaml.NewStringRNode(types.OriginAnnotations).YNode())); err != nil {
		return data, nil
	}
	changed, err := node.String()
	if err != nil {
		return data, nil
	}
	return []byte(changed), nil
}

// originsOf reads the annotations, and removes them unless they were asked for.
func originsOf(s *survey, resources resmap.ResMap, keep bool) ([]Origin, error) {
	origins := make([]Origin, 0, resources.Size())
	for _, resource := range resources.Resources() {
		origin, err := resource.GetOrigin()
		switch {
		case err != nil || origin == nil:
			origins = append(origins, Origin{Position: diag.Position{File: s.shown}, Generated: true})
		case origin.Path != "":
			origins = append(origins, Origin{Position: diag.Position{File: filepath.Join(s.shown, origin.Path)}})
		default:
			at := diag.Position{File: filepath.Join(s.shown, origin.ConfiguredIn)}
			for _, listing := range s.listings {
				if origin.ConfiguredBy.Kind == v1alpha1.VirtualMachineDNSKind && listing.name() == origin.ConfiguredBy.Name {
					place := contentOf(listing.node)
					at = diag.Position{File: listing.file, Line: place.Line, Column: place.Column}
				}
			}
			origins = append(origins, Origin{Position: at, Generated: true})
		}
	}
	if keep {
		return origins, nil
	}
	return origins, resources.RemoveOriginAnnotations()
}
