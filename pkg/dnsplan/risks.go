package dnsplan

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/source/annotations"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// defaultOwner is the owner id of an external-dns that nobody gave one.
const defaultOwner = "default"

// risks reports settings that are dangerous by themselves, and what other releases do.
func (i *instance) risks() diag.Findings {
	var findings diag.Findings
	add := func(severity diag.Severity, message, hint string) {
		findings = append(findings, i.finding(severity, message, hint))
	}
	c := i.config
	if i.ownsNothing() && c.Policy == "sync" {
		add(diag.Warning,
			"the registry noop with the policy sync deletes every record of its zones that it does not want, those made by hand included",
			"use --registry=txt, or --policy=upsert-only")
	}
	if c.TXTOwnerOld != "" {
		add(diag.Warning, fmt.Sprintf("--migrate-from-txt-owner takes over all records of the owner id %q, "+
			"and the policy sync deletes those that the cluster does not ask for", c.TXTOwnerOld), "remove the flag when the migration is done")
	}
	switch {
	case i.version.needsPolicy() && !i.policySet && !i.settings.Assumed:
		add(diag.Error, "external-dns "+i.version.String()+" does not start without --policy", "name the policy, such as --policy=upsert-only")
	case !i.policySet && !i.settings.Assumed:
		add(diag.Info, "the policy is sync because none is named; from 0.22 on external-dns does not start without --policy", "name the policy")
	}
	if i.version.losesAnnotated() && c.AnnotationFilter != "" && slices.Contains(c.Sources, "crd") {
		add(diag.Error, "external-dns 0.22.0 reads no DNSEndpoint where it has an --annotation-filter, "+
			"and the policy sync then deletes all of its records", "use --label-filter, or another release")
	}
	if c.CRDSourceKind != endpointKind.Kind || c.CRDSourceAPIVersion != endpointKind.GroupVersion().String() {
		add(diag.Warning, fmt.Sprintf("external-dns is told to read %s of %s: the plan reads DNSEndpoints, as external-dns does from 0.21 on",
			c.CRDSourceKind, c.CRDSourceAPIVersion), "remove --crd-source-kind and --crd-source-apiversion")
	}
	if i.version.minor < 20 || i.version.minor > 23 {
		add(diag.Warning, fmt.Sprintf("external-dns %s is simulated by the planner of %s", i.version, linked),
			"what is known of 0.20 to 0.23 is taken into account")
	}
	return findings
}

// sharedOwners reports owner ids that several external-dns have, or are likely to have one day.
func sharedOwners(instances []*instance, w world) diag.Findings {
	byOwner := map[string][]*instance{}
	var order []string
	for _, i := range instances {
		if i.owner() == "" {
			continue
		}
		if byOwner[i.owner()] == nil {
			order = append(order, i.owner())
		}
		byOwner[i.owner()] = append(byOwner[i.owner()], i)
	}
	var findings diag.Findings
	for _, i := range instances {
		for _, other := range byOwner[i.config.TXTOwnerOld] {
			if i.owner() != "" && other != i {
				findings = append(findings, i.finding(diag.Error,
					fmt.Sprintf("--migrate-from-txt-owner takes the records of %s, which has that owner id", other.name()),
					"migrate one external-dns only, and stop the one that had the owner id before"))
			}
		}
	}
	for _, owner := range order {
		sharing := byOwner[owner]
		if len(sharing) < 2 {
			if owner == defaultOwner {
				findings = append(findings, sharing[0].finding(diag.Warning,
					`external-dns has the owner id "default", as each has that nobody gave one: two of them take each other's records`,
					"set --txt-owner-id to the name of the cluster before there is a second one"))
			}
			continue
		}
		var names []string
		syncs := false
		for _, i := range sharing {
			names = append(names, i.name())
			syncs = syncs || i.config.Policy == "sync"
		}
		severity, effect := diag.Error, "with the same name on two of them, the last writer has it, in turn"
		switch {
		case !anyMeet(sharing, w):
			severity, effect = diag.Warning, "that does no harm as long as their zones and domain filters keep them apart"
		case syncs:
			effect = "with the policy sync each deletes the records of the others, at each interval"
		}
		findings = append(findings, diag.Finding{
			Severity: severity, Position: sharing[1].settings.Position, Object: sharing[1].settings.Object,
			Message: fmt.Sprintf("%s have the same owner id %q: %s", listed(names), owner, effect),
			Hint:    "give each external-dns a --txt-owner-id of its own, such as the name of its cluster",
		})
	}
	return findings
}

// anyMeet tells whether two of them can have to do with one name.
func anyMeet(instances []*instance, w world) bool {
	for n, i := range instances {
		if slices.ContainsFunc(instances[n+1:], func(other *instance) bool { return i.meets(other, w) }) {
			return true
		}
	}
	return false
}

// listed joins names, and counts those that are too many.
func listed(names []string) string {
	const shown = 5
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// badRecords reports wanted records that cannot have an owner, or claim another one.
func (i *instance) badRecords() diag.Findings {
	var findings diag.Findings
	for _, t := range i.desired {
		for _, w := range t.wants {
			if key, value, spoofs := spoof(t.Labels); spoofs && strings.HasPrefix(w.resource, "crd/") {
				findings = append(findings, w.finding(i, diag.Error,
					fmt.Sprintf("%s: the label %q: %.100q adds to the ownership record, which can hand the record to another owner", t.DNSName, key, value),
					"labels of endpoints must hold no comma, equals sign or quote, and nothing that a user chooses"))
			}
			if i.config.Provider == externaldns.ProviderRFC2136 && strings.ContainsAny(t.DNSName, " \t\r\n;\"()") {
				findings = append(findings, w.finding(i, diag.Error,
					fmt.Sprintf("%.100q is no name: the provider rfc2136 writes records as text, so that it adds a record of its author's choice, "+
						"past all filters", t.DNSName),
					"check names before they reach external-dns"))
			}
			if i.config.Registry == externaldns.RegistryTXT && strings.HasPrefix(t.DNSName, "*.") && i.config.TXTWildcardReplacement == "" {
				findings = append(findings, w.finding(i, diag.Error,
					fmt.Sprintf("%s: external-dns has no --txt-wildcard-replacement, so that most DNS servers refuse the ownership record "+
						"of a wildcard", t.DNSName),
					"set --txt-wildcard-replacement, such as any"))
			}
		}
	}
	return findings
}

// spoof finds a label that breaks out of the text of an ownership record, which is a list key=value,key=value.
func spoof(labels endpoint.Labels) (key, value string, found bool) {
	for k, v := range labels {
		if k == endpoint.ResourceLabelKey || !strings.ContainsAny(k+v, `,="`) {
			continue
		}
		if !found || k < key {
			key, value, found = k, v, true
		}
	}
	return key, value, found
}

func (w *want) finding(i *instance, severity diag.Severity, message, hint string) diag.Finding {
	return diag.Finding{Severity: severity, Position: w.where(), Cluster: i.settings.Cluster, Object: w.object, Message: message, Hint: hint}
}

// otherPrefix reports Services whose annotations have a prefix that external-dns does not read.
func (i *instance) otherPrefix(objects []manifest.Object) diag.Findings {
	var findings diag.Findings
	for _, prefix := range []string{annotations.DefaultAnnotationPrefix, gaPrefix} {
		if prefix == i.config.AnnotationPrefix {
			continue
		}
		for _, object := range objects {
			written := object.GetAnnotations()
			if _, has := written[prefix+"hostname"]; !has {
				continue
			}
			if _, has := written[i.config.AnnotationPrefix+"hostname"]; has {
				continue
			}
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: object.Position, Cluster: i.settings.Cluster, Object: manifest.Reference(object.Unstructured),
				Message: fmt.Sprintf("external-dns %s reads annotations that begin with %s, not %shostname", i.version, i.config.AnnotationPrefix, prefix),
				Hint:    "change the annotation, or set --annotation-prefix=" + prefix,
			})
		}
	}
	return findings
}
