package plugin

import (
	"bytes"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// functionFS shows our own KRM functions to kustomize as plugins of the plugin home, so that a build needs neither
// --enable-exec nor the program that they name.
type functionFS struct {
	filesys.FileSystem
	// files are the absolute paths of the files with functions in them, without symbolic links.
	files map[string]bool
}

// ReadFile reads a file, without the annotations that make a function.
func (f functionFS) ReadFile(path string) ([]byte, error) {
	data, err := f.FileSystem.ReadFile(path)
	if err != nil || len(f.files) == 0 {
		return data, err
	}
	if real, err := filepath.EvalSymlinks(path); err != nil || !f.files[real] {
		return data, nil
	}
	return withoutFunctions(data)
}

func withoutFunctions(data []byte) ([]byte, error) {
	nodes, err := (&kio.ByteReader{Reader: bytes.NewReader(data), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
	if err != nil {
		return nil, err
	}
	for _, node := range nodes {
		if !isOurs(node.YNode()) {
			continue
		}
		for _, name := range functionAnnotations {
			if err := node.PipeE(yaml.ClearAnnotation(name)); err != nil {
				return nil, err
			}
		}
		if err := node.PipeE(yaml.Lookup("metadata"), yaml.Clear("configFn")); err != nil {
			return nil, err
		}
	}
	var output bytes.Buffer
	err = kio.ByteWriter{Writer: &output, KeepReaderAnnotations: true}.Write(nodes)
	return output.Bytes(), err
}
