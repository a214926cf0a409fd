package requests

import "fmt"

// explain says why a virtual machine did not get a name, or why the name may not be of use.
func explain(reason, name, networkInterface, by string) (message, hint string) {
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
		return "takes no part: the label is on the VirtualMachine, which passes none of its own on",
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
