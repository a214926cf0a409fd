package golden

import (
	"encoding/json"
	"net/http"
	"strings"
)

// resource is a kind that the API serves.
type resource struct {
	group, plural, kind string
	namespaced          bool
	version             string
}

var resources = []resource{
	{group: "kubevirt.io", version: "v1", plural: "virtualmachineinstances", kind: "VirtualMachineInstance", namespaced: true},
	{group: "kubevirt.io", version: "v1", plural: "virtualmachines", kind: "VirtualMachine", namespaced: true},
	{group: "externaldns.k8s.io", version: "v1alpha1", plural: "dnsendpoints", kind: "DNSEndpoint", namespaced: true},
	{group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions", kind: "CustomResourceDefinition"},
}

// newAPI answers the requests of the engines: the discovery of a group version, a cluster-scoped object by name, and all objects of
// a kind whose labels have the values of an equality selector.
func newAPI(objects []map[string]any) http.Handler {
	mux := http.NewServeMux()
	served := map[string][]any{}
	for _, r := range resources {
		path := "/apis/" + r.group + "/" + r.version
		served[path] = append(served[path], map[string]any{
			"name": r.plural, "kind": r.kind, "namespaced": r.namespaced, "verbs": []string{"get", "list", "watch"},
		})
		mux.HandleFunc(path+"/"+r.plural, func(w http.ResponseWriter, request *http.Request) {
			items := []any{}
			for _, object := range objects {
				if object["kind"] == r.kind && selected(object, request.URL.Query().Get("labelSelector")) {
					items = append(items, object)
				}
			}
			answer(w, map[string]any{
				"kind": r.kind + "List", "apiVersion": r.group + "/" + r.version, "metadata": map[string]any{"resourceVersion": "1"}, "items": items,
			})
		})
		mux.HandleFunc(path+"/"+r.plural+"/{name}", func(w http.ResponseWriter, request *http.Request) {
			for _, object := range objects {
				if metadata, _ := object["metadata"].(map[string]any); object["kind"] == r.kind && metadata["name"] == request.PathValue("name") {
					answer(w, object)
					return
				}
			}
			http.NotFound(w, request)
		})
	}
	for path, list := range served {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, map[string]any{
				"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.TrimPrefix(path, "/apis/"), "resources": list,
			})
		})
	}
	return mux
}

// selected tells whether an object has the labels of a selector such as a=b,c=d.
func selected(object map[string]any, selector string) bool {
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	for term := range strings.SplitSeq(selector, ",") {
		key, value, _ := strings.Cut(term, "=")
		if term != "" && labels[key] != value {
			return false
		}
	}
	return true
}

func answer(w http.ResponseWriter, content any) {
	w.Header().Set("Content-Type", "application/json")
	// A client that has gone away needs no answer.
	_ = json.NewEncoder(w).Encode(content)
}
