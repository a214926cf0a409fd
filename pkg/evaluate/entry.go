package evaluate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"

	"github.com/policyloom/policyloom/pkg/diag"
)

// entryFields are the fields of an object template.
var entryFields = []string{
	"complianceType", "metadataComplianceType", "objectDefinition", "objectSelector", "recordDiff", "recreateOption",
}

// entry decodes an object template from an object-templates-raw. The controller drops unknown fields and takes an unknown
// compliance type for musthave, both without a word; here they are errors.
func (r *renderer) entry(field string, raw json.RawMessage) (*configpolicyv1.ObjectTemplate, bool) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		r.report(diag.Error, field, "is not a map", "an entry has the fields complianceType and objectDefinition")
		return nil, false
	}
	before := len(r.findings)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(entryFields, name) {
			r.report(diag.Error, field, fmt.Sprintf("unknown field %q", name), diag.DidYouMean(name, entryFields))
		}
	}
	objectTemplate := &configpolicyv1.ObjectTemplate{}
	if err := json.Unmarshal(raw, objectTemplate); err != nil {
		r.report(diag.Error, field, err.Error(), "")
		return nil, false
	}
	r.checkComplianceType(field, objectTemplate)
	if len(objectTemplate.ObjectDefinition.Raw) == 0 || string(objectTemplate.ObjectDefinition.Raw) == "null" {
		r.report(diag.Error, field, "has no objectDefinition", "say which object the entry is about")
	}
	return objectTemplate, len(r.findings) == before
}

func (r *renderer) checkComplianceType(field string, objectTemplate *configpolicyv1.ObjectTemplate) {
	known := []string{"musthave", "mustonlyhave", "mustnothave"}
	complianceType := string(objectTemplate.ComplianceType)
	switch {
	case complianceType == "":
		r.report(diag.Error, field, "has no complianceType", "set musthave, mustonlyhave or mustnothave")
	case !slices.Contains(known, strings.ToLower(complianceType)):
		r.report(diag.Error, field, fmt.Sprintf("unknown complianceType %q", complianceType), diag.DidYouMean(complianceType, known))
	}
}
