package evaluate

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// relatedIndex finds the related objects of an earlier evaluation that object templates may be about.
type relatedIndex struct {
	all    []configpolicyv1.RelatedObject
	byName map[relatedName][]configpolicyv1.RelatedObject
}

// relatedName is a kind in a version, with the name of the object, in whatever namespace it is. Without a name it is all of the kind.
type relatedName struct{ apiVersion, kind, name string }

func newRelatedIndex(related []configpolicyv1.RelatedObject) relatedIndex {
	x := relatedIndex{all: related, byName: make(map[relatedName][]configpolicyv1.RelatedObject, len(related))}
	for _, r := range related {
		name := relatedName{r.Object.APIVersion, r.Object.Kind, r.Object.Metadata.Name}
		x.byName[name] = append(x.byName[name], r)
	}
	return x
}

// of gives the related objects of some object templates.
func (x relatedIndex) of(templates []*configpolicyv1.ObjectTemplate) []configpolicyv1.RelatedObject {
	if len(x.all) == 0 {
		return nil
	}
	var found []configpolicyv1.RelatedObject
	seen := map[relatedName]bool{}
	for _, t := range templates {
		var fields struct {
			metav1.TypeMeta `json:",inline"`
			Metadata        struct{ Name string }
		}
		if json.Unmarshal(t.ObjectDefinition.Raw, &fields) != nil {
			continue
		}
		name := relatedName{fields.APIVersion, strings.TrimSpace(fields.Kind), strings.TrimSpace(fields.Metadata.Name)}
		if name.name == "" || strings.Contains(string(t.ObjectDefinition.Raw), "{{") {
			// It may be about any of them.
			return x.all
		}
		if !seen[name] {
			seen[name] = true
			found = append(found, x.byName[name]...)
		}
	}
	return found
}

// gone gives the related objects of an earlier evaluation that the later one is not about.
func gone(earlier, later []configpolicyv1.RelatedObject) []configpolicyv1.RelatedObject {
	still := make(map[configpolicyv1.ObjectResource]bool, len(later))
	for _, related := range later {
		still[related.Object] = true
	}
	var left []configpolicyv1.RelatedObject
	for _, related := range earlier {
		if !still[related.Object] {
			left = append(left, related)
		}
	}
	return left
}
