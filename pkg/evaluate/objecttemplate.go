package evaluate

import (
	"fmt"
	"text/template"
)

// resolveObject resolves the templates of an object definition for one target. skipped tells that the template called
// skipObject; the error does not count then, as in the controller.
func (r *renderer) resolveObject(raw []byte, at target) (resolved []byte, skipped bool, err error) {
	resolved, err = r.resolve(raw, false, templateContext(at), template.FuncMap{
		"skipObject": func(arguments ...any) (string, error) {
			switch len(arguments) {
			case 0:
				skipped = true
			case 1:
				skip, ok := arguments[0].(bool)
				if !ok && !skipped {
					return "", fmt.Errorf("expected boolean but received '%v'", arguments[0])
				}
				skipped = skipped || skip
			default:
				return "", fmt.Errorf("expected one optional boolean argument but received %d arguments", len(arguments))
			}
			return "", nil
		},
	})
	return resolved, skipped, err
}

// templateContext gives the variables .Object, .ObjectNamespace and .ObjectName as far as the controller sets them.
func templateContext(at target) any {
	switch {
	case at.name != "" && at.namespace != "":
		return struct {
			Object          map[string]any
			ObjectNamespace string
			ObjectName      string
		}{at.existing, at.namespace, at.name}
	case at.name != "":
		return struct {
			Object     map[string]any
			ObjectName string
		}{at.existing, at.name}
	case at.namespace != "":
		return struct{ ObjectNamespace string }{at.namespace}
	default:
		return nil
	}
}
