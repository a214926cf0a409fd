package suite

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/policies"
	"github.com/policyloom/policyloom/pkg/render"
)

// stage prepares what cases start from. What several tests have in common is loaded once.
type stage struct {
	fsys     fs.FS
	lock     sync.Mutex
	policies map[string]*loadedPolicies
	scenes   map[string]*loadedScene
}

type loadedPolicies struct {
	once     sync.Once
	objects  []manifest.Object
	findings diag.Findings
	err      error
}

type loadedScene struct {
	once     sync.Once
	scene    *render.Scene
	findings diag.Findings
	err      error
}

func newStage(fsys fs.FS) *stage {
	return &stage{fsys: fsys, policies: map[string]*loadedPolicies{}, scenes: map[string]*loadedScene{}}
}

// of gives the scene of a test. The findings say what is wrong with what the test names; there is no scene if there are errors among
// them. The error is that of the context, or says that something else failed.
func (s *stage) of(ctx context.Context, t *Test) (*render.Scene, diag.Findings, error) {
	key := t.sceneKey()
	s.lock.Lock()
	loaded := s.scenes[key]
	if loaded == nil {
		loaded = &loadedScene{}
		s.scenes[key] = loaded
	}
	s.lock.Unlock()
	loaded.once.Do(func() { loaded.scene, loaded.findings, loaded.err = s.load(ctx, t) })
	return loaded.scene, loaded.findings, loaded.err
}

// sceneKey is the same for tests that start from the same. Fixtures that are written down in a test are its own.
func (t *Test) sceneKey() string {
	spec := t.Spec
	key := fmt.Sprintf("%s\n%s\n%v\n%v", t.sourceKey(), t.path(spec.Fleet), t.now, spec.AllowNoValue)
	if spec.Fleet == "" {
		key += "\n" + t.object.Position.String() + "\n" + t.Name()
	}
	return key
}

func (t *Test) sourceKey() string {
	var b strings.Builder
	for _, source := range t.Spec.Policies {
		if source.File != "" {
			fmt.Fprintf(&b, "f %q\n", t.path(source.File))
			continue
		}
		fmt.Fprintf(&b, "k %q\n", t.path(source.Kustomize))
	}
	return b.String()
}

func (s *stage) load(ctx context.Context, t *Test) (*render.Scene, diag.Findings, error) {
	objects, findings, err := s.loadPolicies(ctx, t)
	if err != nil || findings.HasErrors() {
		return nil, findings, err
	}
	loaded, fleetFindings := s.loadFleet(t)
	if t.Spec.Fleet == "" && fleetFindings.HasErrors() {
		return nil, append(findings, fleetFindings...), nil
	}
	scene, err := render.NewScene(ctx, render.Input{
		Fleet: loaded, FleetFindings: fleetFindings, Policies: objects, Direct: t.Spec.Fleet == "" && t.Spec.Hub == nil,
		AllowNoValue: t.Spec.AllowNoValue, Now: t.now,
	})
	return scene, findings, err
}

func (s *stage) loadPolicies(ctx context.Context, t *Test) ([]manifest.Object, diag.Findings, error) {
	key := t.sourceKey()
	s.lock.Lock()
	loaded := s.policies[key]
	if loaded == nil {
		loaded = &loadedPolicies{}
		s.policies[key] = loaded
	}
	s.lock.Unlock()
	loaded.once.Do(func() {
		source := policies.Source{FS: s.fsys}
		for i, from := range t.Spec.Policies {
			name, field := from.File, fmt.Sprintf("spec.policies[%d].file", i)
			if name == "" {
				name, field = from.Kustomize, fmt.Sprintf("spec.policies[%d].kustomize", i)
			}
			if missing := s.missing(t, field, name); missing != nil {
				loaded.findings = append(loaded.findings, *missing)
				continue
			}
			if from.File != "" {
				source.Files = append(source.Files, t.path(name))
				continue
			}
			source.Kustomizations = append(source.Kustomizations, t.path(name))
		}
		if loaded.findings.HasErrors() {
			return
		}
		loaded.objects, loaded.findings, loaded.err = policies.Load(ctx, source)
	})
	return loaded.objects, loaded.findings, loaded.err
}

// missing says at the place in the test that a file is not there.
func (s *stage) missing(t *Test, field, name string) *diag.Finding {
	if _, err := fs.Stat(s.fsys, t.path(name)); err != nil {
		problem := diag.Unreadable(t.path(name), err)
		f := t.finding(field, t.path(name)+": "+problem.Message, "paths are relative to the file of the test")
		return &f
	}
	return nil
}

func (s *stage) loadFleet(t *Test) (*fleet.Fleet, diag.Findings) {
	spec := t.Spec
	if spec.Fleet != "" {
		if missing := s.missing(t, "spec.fleet", spec.Fleet); missing != nil {
			return &fleet.Fleet{}, diag.Findings{*missing}
		}
		return fleet.Load(s.fsys, t.path(spec.Fleet))
	}
	var hub fleet.Given
	var findings diag.Findings
	if spec.Hub != nil {
		hub, findings = s.given(t, "spec.hub", *spec.Hub)
	}
	clusters := make([]fleet.GivenCluster, 0, len(spec.Clusters))
	for i, c := range spec.Clusters {
		given, found := s.given(t, fmt.Sprintf("spec.clusters[%d]", i), v1alpha1.Fixtures{Files: c.Files, Objects: c.Objects})
		findings = append(findings, found...)
		clusters = append(clusters, fleet.GivenCluster{Given: given, Name: c.Name, Labels: c.Labels, MissingAPIs: c.MissingAPIs})
	}
	composed, found := fleet.Compose(s.fsys, hub, clusters)
	return composed, append(findings, found...)
}

func (s *stage) given(t *Test, field string, f v1alpha1.Fixtures) (fleet.Given, diag.Findings) {
	var findings diag.Findings
	for i, file := range f.Files {
		if missing := s.missing(t, fmt.Sprintf("%s.files[%d]", field, i), file); missing != nil {
			findings = append(findings, *missing)
		}
	}
	given := fleet.Given{Objects: t.objects(field+".objects", f.Objects)}
	if len(findings) == 0 {
		given.Files = t.paths(f.Files)
	}
	return given, findings
}

// objects gives objects that are written down in the test, with their places. They are copies.
func (t *Test) objects(field string, list []map[string]any) []manifest.Object {
	objects := make([]manifest.Object, 0, len(list))
	for i, content := range list {
		o := &unstructured.Unstructured{Object: content}
		objects = append(objects, manifest.Object{Unstructured: o.DeepCopy(), Position: t.at(fmt.Sprintf("%s[%d]", field, i))})
	}
	return objects
}
