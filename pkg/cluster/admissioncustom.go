package cluster

import (
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/policyloom/policyloom/pkg/crds"
)

// loadedSchema is the schema of a kind, nil where none is known.
type loadedSchema struct{ schema *crds.Schema }

// schema gives the schema of a custom kind: that of the CustomResourceDefinition in the cluster, else the bundled one, else nil.
func (s *State) schema(gvk schema.GroupVersionKind) (*crds.Schema, error) {
	if loaded := s.schemas[gvk]; loaded != nil {
		return loaded.schema, nil
	}
	loaded, err := s.loadSchema(gvk)
	if err != nil {
		return nil, err
	}
	s.schemas[gvk] = &loadedSchema{loaded}
	return loaded, nil
}

func (s *State) loadSchema(gvk schema.GroupVersionKind) (*crds.Schema, error) {
	r := s.view.discovery.kinds[gvk.GroupKind()]
	if r == nil || r.provider != custom {
		return nil, nil
	}
	if t := s.view.tables[crdKind.GroupKind()]; t != nil && t.byKey[r.qualifiedName()] != nil {
		definition := &apiextensionsv1.CustomResourceDefinition{}
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(t.byKey[r.qualifiedName()].object.Object, definition)
		if err != nil {
			return nil, err
		}
		if loaded, err := crds.NewSchema(definition, gvk.Version); loaded != nil || err != nil {
			return loaded, err
		}
	}
	return bundledSchema(r.qualifiedName(), gvk.Version)
}

// bundledSchemas are shared by all clusters.
var bundledSchemas sync.Map

func bundledSchema(name, version string) (*crds.Schema, error) {
	load, _ := bundledSchemas.LoadOrStore(name+"/"+version, sync.OnceValues(func() (*crds.Schema, error) {
		definition, err := crds.Definition(name)
		if definition == nil || err != nil {
			return nil, err
		}
		return crds.NewSchema(definition, version)
	}))
	return load.(func() (*crds.Schema, error))()
}

// admitCustom does what an API server does with the object of a custom kind: unknown fields, defaults, validation.
func (w *write) admitCustom(s *crds.Schema, object, old *unstructured.Unstructured) (field.ErrorList, error) {
	if unknown := s.Prune(object.Object); len(unknown) > 0 && w.strict {
		return nil, w.cannotBeHandled(unknownFields(unknown))
	}
	s.Default(object.Object)
	if old == nil {
		if s.HasStatus {
			delete(object.Object, "status")
		}
		return s.Validate(object.Object, nil), nil
	}
	return s.Validate(object.Object, old.Object), nil
}

// separatesStatus tells whether the status of the kind is a resource of its own.
func (w *write) separatesStatus() bool {
	if w.resource.provider == builtIn {
		return builtInHasStatus(w.gvk())
	}
	s, err := w.schema(w.gvk())
	return err == nil && s != nil && s.HasStatus
}

// hasGeneration tells whether the kind counts generations.
func (w *write) hasGeneration() bool {
	return w.resource.provider != builtIn || w.separatesStatus()
}
