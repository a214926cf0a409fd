package fleet

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// settingsFile may hold settings of a cluster, or manifests like any other file.
const settingsFile = "cluster.yaml"

const (
	missingAPIs = "missingAPIs"
	externalDNS = "externalDNS"
)

// ExternalDNS says how an external-dns of a cluster runs.
type ExternalDNS struct {
	// Name tells several of a cluster apart.
	Name string `json:"name"`
	// Version is that of external-dns, such as 0.21.
	Version string `json:"version"`
	// Args are its arguments.
	Args []string `json:"args"`
	// Position is where it is written.
	Position diag.Position `json:"-"`
}

// clusterSettings are what cluster.yaml says.
type clusterSettings struct {
	missing     []string
	externalDNS []ExternalDNS
}

var apiVersionPattern = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// readSettings reads the settings of a cluster. isSettings is false for a file with manifests.
func readSettings(fsys fs.FS, file string) (settings clusterSettings, isSettings bool, findings diag.Findings) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return settings, true, diag.Findings{diag.Unreadable(file, err)}
	}
	documents, findings := manifest.Decode(file, data, manifest.AnyMap())
	for i, document := range documents {
		if document.Object["apiVersion"] != nil || document.Object["kind"] != nil {
			return settings, false, nil
		}
		if i > 0 {
			findings = append(findings, settingsFinding(document, "settings are one document", "put all of them into the first"))
			continue
		}
		missing, problems := checkSettings(document)
		instances, found := readExternalDNS(document)
		settings.missing, settings.externalDNS = missing, instances
		findings = append(append(findings, problems...), found...)
	}
	return settings, true, findings
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
		if key == missingAPIs || key == externalDNS {
			continue
		}
		hint := diag.DidYouMean(key, []string{missingAPIs, externalDNS})
		if hint == "" {
			hint = "cluster.yaml knows missingAPIs and externalDNS; manifests have apiVersion and kind"
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

// readExternalDNS reads how external-dns runs on the cluster: one of them, or a list.
func readExternalDNS(document manifest.Object) (list []ExternalDNS, findings diag.Findings) {
	var decoded struct {
		ExternalDNS []ExternalDNS `json:"externalDNS"`
	}
	value := document.Object[externalDNS]
	if value == nil {
		return nil, nil
	}
	object := document
	object.Unstructured = &unstructured.Unstructured{Object: map[string]any{externalDNS: value}}
	_, single := value.(map[string]any)
	if single {
		object.Object = map[string]any{externalDNS: []any{value}}
	}
	ok, found := strict.Decode(object, &decoded)
	for i := range found {
		found[i].Object = ""
		if single {
			found[i].Field = strings.Replace(found[i].Field, externalDNS+"[0]", externalDNS, 1)
			found[i].Position = document.FieldPosition(strict.Path(found[i].Field)...)
		}
	}
	if !ok {
		return nil, found
	}
	names := map[string]bool{}
	for i, instance := range decoded.ExternalDNS {
		path := []any{externalDNS, i}
		if single {
			path = path[:1]
		}
		instance.Position = document.FieldPosition(path...)
		if len(instance.Args) == 0 {
			found = append(found, settingsFinding(document, "external-dns takes arguments", "write args: [--txt-owner-id=prod-1]", path...))
		}
		if names[instance.Name] {
			found = append(found, settingsFinding(document, fmt.Sprintf("the name %.60q is there twice", instance.Name), "name each external-dns of the cluster", path...))
		}
		names[instance.Name] = true
		list = append(list, instance)
	}
	return list, found
}
