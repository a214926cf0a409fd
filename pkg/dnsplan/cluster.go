package dnsplan

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/fleet"
	"github.com/policyloom/policyloom/pkg/manifest"
)

var (
	endpointKind   = schema.GroupVersionKind{Group: "externaldns.k8s.io", Version: "v1alpha1", Kind: "DNSEndpoint"}
	serviceKind    = schema.GroupVersionKind{Version: "v1", Kind: "Service"}
	deploymentKind = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
)

// FromState gives what a cluster has for external-dns. The settings that are written for it stand in the place of those of its
// Deployments. Objects that are of no interest are not kept.
func FromState(name string, state *cluster.Cluster, written []fleet.ExternalDNS) (Cluster, diag.Findings) {
	c := Cluster{Name: name, Endpoints: objectsOf(state, endpointKind), Services: objectsOf(state, serviceKind)}
	for _, w := range written {
		c.Settings = append(c.Settings, Settings{Cluster: name, Name: w.Name, Version: w.Version, Args: w.Args, Position: w.Position})
	}
	if len(written) > 0 {
		return c, nil
	}
	var findings diag.Findings
	for _, object := range objectsOf(state, deploymentKind) {
		settings, found := FromDeployment(name, object)
		c.Settings, findings = append(c.Settings, settings...), append(findings, found...)
	}
	return c, findings
}

// objectsOf gives the objects of a kind by namespace and name. A cluster without the kind has none.
func objectsOf(state *cluster.Cluster, kind schema.GroupVersionKind) []manifest.Object {
	objects, err := state.List(kind, "", nil)
	if err != nil {
		return nil
	}
	slices.SortStableFunc(objects, func(a, b manifest.Object) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return objects
}
