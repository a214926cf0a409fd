package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/diag"
)

// unmetKey is the key under which the templates of this project hand over the requests that they did not meet as asked.
const unmetKey = "policyloom.dev/unmet"

// observer listens to a template of this project. On a cluster its requests that were not met leave no trace; here they
// become warnings.
type observer struct {
	renderer *renderer
	unmet    map[string]any
}

// functions gives the template function that hands over the unmet requests: the engine's own, and the observer looks on.
func (o *observer) functions(text string) template.FuncMap {
	if !strings.Contains(text, unmetKey) {
		return nil
	}
	toRawJSON, ok := sprig.FuncMap()["toRawJson"].(func(any) string)
	if !ok {
		return nil
	}
	return template.FuncMap{"toRawJson": func(value any) string {
		if fields, isMap := value.(map[string]any); isMap {
			if unmet, found := fields[unmetKey].(map[string]any); found {
				o.unmet = unmet
			}
		}
		return toRawJSON(value)
	}}
}

// report turns the unmet requests into warnings, in the order of the virtual machines.
func (o *observer) report() {
	for _, key := range slices.Sorted(maps.Keys(o.unmet)) {
		request, isMap := o.unmet[key].(map[string]any)
		if !isMap {
			continue
		}
		text := func(field string) string { return fmt.Sprint(request[field]) }
		message, hint := explainUnmet(text("reason"), text("name"), text("interface"), text("by"))
		kind := "VirtualMachineInstance"
		if strings.HasSuffix(text("reason"), "OnMachine") {
			kind = "VirtualMachine"
		}
		o.renderer.findings = append(o.renderer.findings, diag.Finding{
			Severity: diag.Warning,
			Position: o.renderer.machinePosition(kind, text("vm")),
			Object:   o.renderer.name(),
			Field:    kind + " " + text("vm"),
			Message:  message,
			Hint:     hint,
		})
	}
}

// machinePosition gives the place of a virtual machine in the fixtures.
func (r *renderer) machinePosition(kind, name string) diag.Position {
	namespace, name, _ := strings.Cut(name, "/")
	gvk := schema.GroupVersionKind{Group: "kubevirt.io", Version: "v1", Kind: kind}
	object, found, err := r.cluster.Get(gvk, namespace, name)
	if err != nil || !found {
		return r.template.Object.Position
	}
	return object.Position
}

// explainUnmet says why a virtual machine did not get a name, or why the name may not be of use.
func explainUnmet(reason, name, networkInterface, by string) (message, hint string) {
	switch reason {
	case "NoInterface":
		return fmt.Sprintf("name %q is asked for interface %q, which the machine does not report", name, networkInterface),
			"use the name of a network in the spec, or of a device that the guest agent reports"
	case "NameInvalid":
		return fmt.Sprintf("%q is not a domain name", name), "use letters, digits and hyphens, and at least two labels"
	case "NameTooLong":
		return fmt.Sprintf("name %q is longer than spec.names.limits allow", name), "longer names leave no room for the ownership record of external-dns"
	case "NameNotAllowed":
		return fmt.Sprintf("name %q is in none of the allowed domains", name), "see spec.names.allowedDomains"
	case "NameTaken":
		return fmt.Sprintf("name %q is taken by VirtualMachineInstance %s", name, by), "the oldest machine keeps a name that several ask for"
	case "NoAddress":
		return fmt.Sprintf("interface %q has no address that may be published, so name %q has no record", networkInterface, name), ""
	case "ObjectNameTaken":
		return fmt.Sprintf("the DNSEndpoint for interface %q would have the name of that of %s", networkInterface, by), "rename the interface"
	case "ObjectNameInvalid":
		return fmt.Sprintf("interface %q does not make a valid name for a DNSEndpoint", networkInterface), "rename the interface"
	case "InterfaceExcluded":
		return fmt.Sprintf("name %q is asked for interface %q, which the policy excludes", name, networkInterface), "see spec.source.interfaces"
	case "TTLInvalid":
		return fmt.Sprintf("annotation %s: %q is not a TTL, so the names of interface %q have that of the policy", by, name, networkInterface),
			"a whole number of seconds, 1 to 86400"
	case "LabelOnMachine":
		return "the machine runs without a name: the label is on the VirtualMachine, which passes none of its own on",
			"set it in spec.template.metadata.labels and restart the machine"
	case "AnnotationOnMachine":
		return fmt.Sprintf("name %q is asked for interface %q by an annotation of the VirtualMachine, which passes none of its own on", name, networkInterface),
			"set it in spec.template.metadata.annotations and restart the machine"
	case "PodNetwork":
		return fmt.Sprintf("name %q points to interface %q on the pod network, whose address others may not reach and which changes when the machine moves",
			name, networkInterface), ""
	default:
		return fmt.Sprintf("name %q: %s", name, reason), ""
	}
}
