package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/render"
)

// hubName is what events call the hub.
const hubName = "hub"

// do lets a change happen. The findings say what was refused.
func (r *caseRun) do(field string, e *v1alpha1.Event) diag.Findings {
	switch {
	case e.Advance != "":
		by, err := time.ParseDuration(e.Advance)
		if err == nil {
			r.world.Advance(by)
		}
		return nil
	case len(e.Relabel) > 0:
		return r.relabel(field, e.Relabel)
	}
	name, finding := r.clusterOf(field+".cluster", e.Cluster, hubName)
	if finding != nil {
		return diag.Findings{*finding}
	}
	var objects []manifest.Object
	var findings diag.Findings
	switch {
	case len(e.Apply) > 0:
		objects = r.test.objects(field+".apply", e.Apply)
	case len(e.ApplyFiles) > 0:
		objects, findings = r.files(field+".applyFiles", e.ApplyFiles)
	}
	if findings.HasErrors() {
		return findings
	}
	if name == hubName {
		return append(findings, r.onHub(field, e, objects)...)
	}
	return append(findings, r.onCluster(field, name, e, objects)...)
}

// files reads manifests that a step names.
func (r *caseRun) files(field string, names []string) (objects []manifest.Object, findings diag.Findings) {
	for i, name := range names {
		if missing := r.stage.missing(r.test, fmt.Sprintf("%s[%d]", field, i), name); missing != nil {
			findings = append(findings, *missing)
			continue
		}
		read, found := manifest.LoadFS(r.stage.fsys, r.test.path(name))
		findings = append(findings, found...)
		if len(read) == 0 && !found.HasErrors() {
			findings = append(findings, r.test.finding(fmt.Sprintf("%s[%d]", field, i), r.test.path(name)+": holds no manifest", ""))
		}
		for _, object := range read {
			objects = append(objects, copied(object))
		}
	}
	return objects, findings
}

func copied(object manifest.Object) manifest.Object {
	object.Unstructured = object.DeepCopy()
	return object
}

// relabel changes the labels of ManagedClusters.
func (r *caseRun) relabel(field string, list []v1alpha1.Relabel) diag.Findings {
	var findings diag.Findings
	for i, change := range list {
		like := manifest.Object{Unstructured: &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster", "metadata": map[string]any{"name": change.Cluster},
		}}}
		found, ok := r.world.HubObject(like)
		if !ok {
			findings = append(findings, r.test.finding(fmt.Sprintf("%s.relabel[%d].cluster", field, i),
				fmt.Sprintf("the hub has no ManagedCluster %.60q", change.Cluster), diag.DidYouMean(change.Cluster, r.scene.Clusters())))
			continue
		}
		object := copied(found)
		labels := object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		for _, key := range slices.Sorted(maps.Keys(change.Labels)) {
			if value := change.Labels[key]; value != nil {
				labels[key] = *value
				continue
			}
			if _, there := labels[key]; !there {
				findings = append(findings, r.test.finding(fmt.Sprintf("%s.relabel[%d].labels[%q]", field, i, key),
					fmt.Sprintf("ManagedCluster %s has no such label to remove", change.Cluster), diag.DidYouMean(key, slices.Collect(maps.Keys(labels)))))
			}
			delete(labels, key)
		}
		object.SetLabels(labels)
		r.world.PutOnHub(object)
	}
	return findings
}

// onHub changes objects of the hub, which has no API server here: it takes everything.
func (r *caseRun) onHub(field string, e *v1alpha1.Event, objects []manifest.Object) diag.Findings {
	for _, object := range objects {
		r.world.PutOnHub(object)
	}
	var findings diag.Findings
	for i, of := range e.Delete {
		if !r.world.RemoveFromHub(reference(of)) {
			findings = append(findings, r.notThere(fmt.Sprintf("%s.delete[%d]", field, i), of, hubName, hubNames(r.world, of.Kind)))
		}
	}
	if e.Patch == nil {
		return findings
	}
	found, ok := r.world.HubObject(reference(e.Patch.ObjectReference))
	if !ok {
		return append(findings, r.notThere(field+".patch", e.Patch.ObjectReference, hubName, hubNames(r.world, e.Patch.Kind)))
	}
	patched, err := merged(found.Unstructured, e.Patch.Merge)
	if err == nil {
		err = sameIdentity(found.Unstructured, patched)
	}
	if err != nil {
		return append(findings, r.test.finding(field+".patch.merge", err.Error(), ""))
	}
	found.Unstructured = patched
	r.world.PutOnHub(manifest.Object{Unstructured: patched, Position: r.test.at(field + ".patch")}.PlacedAs(found, r.test.at(field+".patch")))
	return findings
}

func hubNames(w *render.World, kind string) []string {
	var names []string
	for _, object := range w.HubObjects() {
		if object.GetKind() == kind {
			names = append(names, manifest.Reference(object.Unstructured))
		}
	}
	return names
}

// notThere says that a step is about an object that does not exist; there are those of its kind.
func (r *caseRun) notThere(field string, of v1alpha1.ObjectReference, where string, there []string) diag.Finding {
	name := manifest.Reference(reference(of).Unstructured)
	f := r.test.finding(field, fmt.Sprintf("there is no %s on %s", name, where), diag.DidYouMean(name, there))
	if f.Hint == "" && len(there) == 0 {
		f.Hint = "there is no " + of.Kind + " at all"
	}
	return f
}

func reference(of v1alpha1.ObjectReference) manifest.Object {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(of.APIVersion)
	o.SetKind(of.Kind)
	if of.Namespace != "" {
		o.SetNamespace(of.Namespace)
	}
	o.SetName(of.Name)
	return manifest.Object{Unstructured: o}
}

// merged applies a JSON merge patch.
func merged(object *unstructured.Unstructured, patch map[string]any) (*unstructured.Unstructured, error) {
	before, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	change, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	after, err := jsonpatch.MergePatch(before, change)
	if err != nil {
		return nil, err
	}
	result := &unstructured.Unstructured{}
	return result, result.UnmarshalJSON(after)
}
