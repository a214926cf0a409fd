package v1alpha1

import (
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

// source remembers where the fields of a decoded document stand, and which of them could not be decoded. Fields are
// paths such as spec.records.types[0]; the empty path is the document.
type source struct {
	positions map[string]diag.Position
	faulty    map[string]bool
}

// Reference names the resource as findings do: "VirtualMachineDNS name".
func (d *VirtualMachineDNS) Reference() string {
	return strings.TrimSpace(VirtualMachineDNSKind + " " + d.Metadata.Name)
}

// Position gives the place of a field, such as spec.records.ttl, in the file that the resource was decoded from. A field
// that the file does not hold has the place of the closest field around it; a resource that was not decoded has none.
func (d *VirtualMachineDNS) Position(field string) diag.Position {
	if d.source == nil {
		return diag.Position{}
	}
	for {
		position, ok := d.source.positions[field]
		if ok || field == "" {
			return position
		}
		field = parentField(field)
	}
}

// isGiven tells whether a field is in the file. Without a file every field counts as given.
func (d *VirtualMachineDNS) isGiven(field string) bool {
	if d.source == nil {
		return true
	}
	_, ok := d.source.positions[field]
	return ok
}

// isFaulty tells whether a field, or one around it, could not be decoded, so that its value says nothing.
func (d *VirtualMachineDNS) isFaulty(field string) bool {
	if !d.hasFaults() {
		return false
	}
	for ; field != ""; field = parentField(field) {
		if d.source.faulty[field] {
			return true
		}
	}
	return false
}

// hasFaults tells whether any field could not be decoded.
func (d *VirtualMachineDNS) hasFaults() bool { return d.source != nil && len(d.source.faulty) > 0 }

// parentField cuts the last name, index or key off a path.
func parentField(field string) string {
	if strings.HasSuffix(field, "]") {
		return field[:max(strings.LastIndexByte(field, '['), 0)]
	}
	return field[:max(strings.LastIndexByte(field, '.'), 0)]
}

// childField gives the path of a named field inside another.
func childField(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// keyField gives the path of a map's entry.
func keyField(field, key string) string { return field + "[" + key + "]" }
