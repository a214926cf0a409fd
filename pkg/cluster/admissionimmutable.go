package cluster

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// immutable are the fields of built-in kinds that cannot be changed after the object was made.
var immutable = map[schema.GroupKind][][]string{
	{Group: "apps", Kind: "DaemonSet"}:                               {{"spec", "selector"}},
	{Group: "apps", Kind: "Deployment"}:                              {{"spec", "selector"}},
	{Group: "apps", Kind: "ReplicaSet"}:                              {{"spec", "selector"}},
	{Group: "apps", Kind: "StatefulSet"}:                             {{"spec", "podManagementPolicy"}, {"spec", "selector"}, {"spec", "serviceName"}, {"spec", "volumeClaimTemplates"}},
	{Group: "batch", Kind: "Job"}:                                    {{"spec", "completionMode"}, {"spec", "selector"}, {"spec", "template"}},
	{Group: "", Kind: "PersistentVolumeClaim"}:                       {{"spec", "accessModes"}, {"spec", "selector"}, {"spec", "storageClassName"}, {"spec", "volumeMode"}},
	{Group: "", Kind: "Pod"}:                                         {{"spec", "dnsPolicy"}, {"spec", "hostNetwork"}, {"spec", "restartPolicy"}, {"spec", "serviceAccountName"}, {"spec", "volumes"}},
	{Group: "", Kind: "Secret"}:                                      {{"type"}},
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        {{"roleRef"}},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: {{"roleRef"}},
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                  {{"parameters"}, {"provisioner"}, {"reclaimPolicy"}, {"volumeBindingMode"}},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:              {{"preemptionPolicy"}, {"value"}},
}

// immutableFields gives the fields that an update must not change. A field that one of the objects leaves out has a default that
// is not known here, and counts as equal.
func immutableFields(kind schema.GroupKind, object, old *unstructured.Unstructured) field.ErrorList {
	if old == nil {
		return nil
	}
	var faults field.ErrorList
	refuse := func(path []string, value any) {
		faults = append(faults, field.Invalid(field.NewPath(path[0], path[1:]...), value, "field is immutable"))
	}
	for _, path := range immutable[kind] {
		before, wasSet, _ := unstructured.NestedFieldNoCopy(old.Object, path...)
		after, isSet, _ := unstructured.NestedFieldNoCopy(object.Object, path...)
		if wasSet && isSet && !reflect.DeepEqual(before, after) {
			refuse(path, after)
		}
	}
	if frozen, _, _ := unstructured.NestedBool(old.Object, "immutable"); frozen && slices.Contains([]string{"ConfigMap", "Secret"}, kind.Kind) && kind.Group == "" {
		for _, name := range []string{"binaryData", "data"} {
			if !reflect.DeepEqual(old.Object[name], object.Object[name]) {
				refuse([]string{name}, object.Object[name])
			}
		}
	}
	if kind == (schema.GroupKind{Kind: "Pod"}) {
		faults = append(faults, changedContainers(object, old)...)
	}
	return faults
}

// changedContainers refuses changes of the containers of a Pod, except of their images.
func changedContainers(object, old *unstructured.Unstructured) field.ErrorList {
	withoutImages := func(pod *unstructured.Unstructured) []any {
		containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
		for _, container := range containers {
			if fields, isMap := container.(map[string]any); isMap {
				delete(fields, "image")
			}
		}
		return containers
	}
	if reflect.DeepEqual(withoutImages(object), withoutImages(old)) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec"), "pod updates may not change fields other than `spec.containers[*].image`, "+
		"`spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations), "+
		"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)")}
}
