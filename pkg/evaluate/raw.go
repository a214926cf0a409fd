package evaluate

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// raw renders object-templates-raw: the text gives the list of object templates, in which no templates are left.
func (r *renderer) raw(policy *configpolicyv1.ConfigurationPolicy) {
	const field = "spec.object-templates-raw"
	text := []byte(policy.Spec.ObjectTemplatesRaw)
	var content []byte
	var entries []json.RawMessage
	var isOwn bool
	var err error
	noTemplate := templatesDisabled(policy) || !templates.HasTemplate(text, "", true)
	if noTemplate {
		content, err = yaml.YAMLToJSON(text)
	} else {
		var functions template.FuncMap
		if r.template.Observe != nil {
			if observer := r.template.Observe(policy.Spec.ObjectTemplatesRaw); observer != nil {
				functions = observer.Functions()
				defer r.observed(observer)
			}
		}
		if entries, isOwn = r.ownEntries(policy.Spec.ObjectTemplatesRaw, functions); !isOwn {
			content, err = r.resolve(text, true, nil, functions)
		}
	}
	if err != nil {
		if noTemplate {
			r.invalidYAML(field, policy.Spec.ObjectTemplatesRaw, err.Error())
			return
		}
		if message, invalid := strings.CutPrefix(err.Error(), notYAML); invalid {
			r.invalidYAML(field, policy.Spec.ObjectTemplatesRaw, message)
			return
		}
		r.templateError(field, policy.Spec.ObjectTemplatesRaw, true, err)
		return
	}
	if !isOwn {
		r.checkDocuments(field, policy.Spec.ObjectTemplatesRaw)
		if entries, err = entriesOf(content); err != nil {
			r.report(diag.Error, field, err.Error(), "the template must give a YAML list of object templates")
			return
		}
	}
	if !noTemplate {
		r.remember(entries)
	}
	for index, entry := range entries {
		before := len(r.findings)
		objectTemplate, ok := r.entry(fmt.Sprintf("%s: entry %d", field, index+1), entry)
		if ok {
			r.desired(policy, index, objectTemplate, false)
			continue
		}
		if at, found := r.entryPlace(field, policy.Spec.ObjectTemplatesRaw, !noTemplate, index); found {
			for i := range r.findings[before:] {
				r.findings[before+i].Position = at
			}
		}
	}
}

// observed adds what an observer found.
func (r *renderer) observed(observer Observer) {
	for _, finding := range observer.Findings(r.cluster) {
		finding.Object = r.name()
		if finding.File == "" && finding.Line == 0 {
			finding.Position = r.template.Object.Position
		}
		r.findings = append(r.findings, finding)
	}
}

// entriesOf splits the resolved text into its entries. Nothing at all is an empty list.
func entriesOf(content []byte) ([]json.RawMessage, error) {
	var entries []json.RawMessage
	if err := json.Unmarshal(content, &entries); err != nil {
		var other any
		if json.Unmarshal(content, &other) != nil {
			return nil, err
		}
		return nil, fmt.Errorf("gives a %s instead of a list", typeName(other))
	}
	return entries, nil
}

func typeName(value any) string {
	switch value.(type) {
	case map[string]any:
		return "map"
	case string:
		return "text"
	default:
		return fmt.Sprintf("%T", value)
	}
}

// decodeObject reads the JSON of an object definition.
func decodeObject(raw []byte) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if _, _, err := unstructured.UnstructuredJSONScheme.Decode(raw, nil, object); err != nil {
		return nil, err
	}
	return object, nil
}
