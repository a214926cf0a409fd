package generate

import (
	"fmt"
	"strings"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/templates"
)

// Template gives the object-templates-raw text of a resource that has its defaults and is valid. It makes all DNSEndpoints,
// however many shards the resource asks for.
func Template(dns *v1alpha1.VirtualMachineDNS) (string, error) {
	return shardTemplate(dns, 1, 1)
}

// shardTemplate is Template for the DNSEndpoints of one shard, counted from 1.
func shardTemplate(dns *v1alpha1.VirtualMachineDNS, shard, shards int) (string, error) {
	before, after, err := around()
	if err != nil {
		return "", err
	}
	lines, err := settings(dns, shard, shards)
	return strings.TrimRight(before+lines+after, "\n"), err
}

// reportTemplate gives the object-templates-raw text of the report policy.
func reportTemplate(dns *v1alpha1.VirtualMachineDNS) (string, error) {
	before, after, err := around()
	if err != nil {
		return "", err
	}
	requests, _, found := strings.Cut(after, templates.ObjectsBegin)
	if !found {
		return "", fmt.Errorf("the template has no objects to replace")
	}
	lines, err := settings(dns, 1, 1)
	return strings.TrimRight(before+lines+requests+templates.Report, "\n"), err
}

// around gives the template before and after its settings.
func around() (before, after string, err error) {
	before, rest, found := strings.Cut(templates.VirtualMachineDNS, templates.SettingsBegin)
	_, after, foundEnd := strings.Cut(rest, templates.SettingsEnd)
	if !found || !foundEnd {
		return "", "", fmt.Errorf("the template has no settings to replace")
	}
	return before + templates.SettingsBegin, templates.SettingsEnd + after, nil
}
