package fleet

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// settingsFile may hold settings of a cluster, or manifests like any other file.
const settingsFile = "cluster.yaml"

const missingAPIs = "missingAPIs"

var apiVersionPattern = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// readSettings reads the settings of a cluster. isSettings is false for a file with manifests.
func readSettings(fsys fs.FS, file string) (missing []string, isSettings bool, findings diag.Findings) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, true, diag.Findings{diag.Unreadable(file, err)}
	}
	documents, findings := manifest.Decode(file, data, manifest.AnyMap())
	for i, document := range documents {
		if document.Object["apiVersion"] != nil || document.Object["kind"] != nil {
			return nil, false, nil
		}
		if i > 0 {
			findings = append(findings, settingsFinding(document, "settings are one document", "put all of them into the first"))
			continue
		}
		found, problems := checkSettings(document)
		missing, findings = append(missing, found...), append(findings, problems...)
	}
	return missing, true, findings
}

func settingsFinding(document manifest.Object, message, hint string, path ...any) diag.Finding {
	f := diag.Finding{Severity: diag.Error, Position: document.FieldPosition(path...), Message: message, Hint: hint}
	if len(path) > 0 {
		f.Field = fmt.Sprint(path[0])
	}
	if len(path) > 1 {
		f.Field = fmt.Sprintf("%v[%v]", path[0], path[1])
	}
	return f
}

func checkSettings(document manifest.Object) (missing []string, findings diag.Findings) {
	for _, key := range sortedKeys(document.Object) {
		if key == missingAPIs {
			continue
		}
		hint := diag.DidYouMean(key, []string{missingAPIs})
		if hint == "" {
			hint = "cluster.yaml knows missingAPIs; manifests have apiVersion and kind"
		}
		findings = append(findings, settingsFinding(document, "unknown field", hint, key))
	}
	list, ok := document.Object[missingAPIs].([]any)
	if !ok && document.Object[missingAPIs] != nil {
		findings = append(findings, settingsFinding(document, "must be a list of strings", "write missingAPIs: [kubevirt.io]", missingAPIs))
	}
	for i, element := range list {
		api, ok := element.(string)
		switch {
		case !ok:
			findings = append(findings, settingsFinding(document, "must be a string", "", missingAPIs, i))
		case !isAPI(api):
			findings = append(findings, settingsFinding(document, fmt.Sprintf("%.60q names no API", api),
				"write a group (kubevirt.io), a version (kubevirt.io/v1) or a resource (virtualmachineinstances.kubevirt.io)", missingAPIs, i))
		case slices.Contains(missing, api):
			f := settingsFinding(document, fmt.Sprintf("%q is there twice", api), "", missingAPIs, i)
			f.Severity = diag.Warning
			findings = append(findings, f)
		default:
			missing = append(missing, api)
		}
	}
	return missing, findings
}

// isAPI tells whether s has the form of a group, group/version or resource.group.
func isAPI(s string) bool {
	group, version, versioned := strings.Cut(s, "/")
	return len(validation.IsDNS1123Subdomain(group)) == 0 && (!versioned || apiVersionPattern.MatchString(version))
}
