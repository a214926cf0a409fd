package cluster

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubediscovery "k8s.io/client-go/discovery"
)

// Discovery gives what the state serves as a discovery client gives it. Only the resources of a group and version can be asked for.
func (s *State) Discovery() kubediscovery.DiscoveryInterface { return discoveryClient{state: s} }

type discoveryClient struct {
	kubediscovery.DiscoveryInterface
	state *State
}

func (c discoveryClient) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	for _, list := range c.state.Cluster().APIResourceLists() {
		if list.GroupVersion == groupVersion {
			return list, nil
		}
	}
	return nil, apierrors.NewGenericServerResponse(404, "get", schema.GroupResource{}, "", "the server could not find the requested resource", 0, true)
}
