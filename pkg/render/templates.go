package render

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/policyloom/policyloom/pkg/evaluate"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/propagate"
	"github.com/policyloom/policyloom/pkg/requests"
)

// templates gives the policy templates of a cluster: those of its replicated policies, then those that stand alone.
func (c *chain) templates(policies []propagate.Replicated) []evaluate.Template {
	var list []evaluate.Template
	for _, replicated := range policies {
		root := c.roots[replicated.Root]
		for i, policyTemplate := range replicated.Policy.Spec.PolicyTemplates {
			object := &unstructured.Unstructured{}
			if err := json.Unmarshal(policyTemplate.ObjectDefinition.Raw, &object.Object); err != nil {
				continue
			}
			if object.GetNamespace() == "" {
				object.SetNamespace(replicated.Cluster)
			}
			s := source{object: root, path: templatePath(i), resolved: object}
			list = append(list, evaluate.Template{
				Policy:            replicated.Root.String(),
				RemediationAction: string(replicated.Policy.Spec.RemediationAction),
				Object:            manifest.Object{Unstructured: object, Position: c.placeOf(replicated.Root, i)},
				Place:             s.place,
				Line:              s.line,
				Written:           s.written,
				Observe:           observe,
				EncryptionKey:     replicated.EncryptionKey,
				Dependencies:      dependenciesOf(replicated.Policy.Spec.Dependencies, policyTemplate.ExtraDependencies),
				IgnorePending:     policyTemplate.IgnorePending,
			})
		}
	}
	for _, object := range c.alone {
		if c.wanted(object.GetNamespace(), object.GetName()) {
			s := source{object: object, resolved: object.Unstructured}
			list = append(list, evaluate.Template{Object: object, Place: s.place, Line: s.line, Observe: observe})
		}
	}
	return list
}

// observe listens to the policies of this project.
func observe(text string) evaluate.Observer {
	if observer := requests.Observe(text); observer != nil {
		return observer
	}
	return nil
}

// templatePath leads in a root policy to one of its policy templates.
func templatePath(index int) []any {
	return []any{"spec", "policy-templates", index, "objectDefinition"}
}
