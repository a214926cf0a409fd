// Package templates holds the policy templates that the generator fills in. Each is an object-templates-raw text that works
// by itself, with the default settings.
package templates

import _ "embed"

// VirtualMachineDNS makes DNSEndpoints of VirtualMachineInstances. The generator replaces the lines between SettingsBegin and
// SettingsEnd.
//
//go:embed vm-dns.tmpl
var VirtualMachineDNS string

// Report takes the place of what comes after ObjectsBegin in VirtualMachineDNS: instead of DNSEndpoints it gives the virtual
// machines that asked for names that they did not get.
//
//go:embed report.tmpl
var Report string

const (
	// SettingsBegin is the line before the settings of a template.
	SettingsBegin = "{{- /* settings: begin */}}\n"
	// SettingsEnd is the line after the settings of a template.
	SettingsEnd = "{{- /* settings: end */}}\n"
	// ObjectsBegin is the line before the part that gives objects.
	ObjectsBegin = "{{- /* objects: begin */}}\n"
)
