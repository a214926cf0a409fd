package generate

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// settings gives the lines that assign what the resource says to the variables of the template, for one of the shards.
func settings(dns *v1alpha1.VirtualMachineDNS, shard, shards int) (string, error) {
	spec := dns.Spec
	selector, err := metav1.LabelSelectorAsSelector(spec.Source.Selector)
	if err != nil {
		return "", err
	}
	included, err := parseNetworks(spec.Records.Addresses.Include)
	if err != nil {
		return "", err
	}
	excluded, err := parseNetworks(spec.Records.Addresses.Exclude)
	if err != nil {
		return "", err
	}
	excluded = append(slices.Clone(neverPublished), excluded...)

	var w settingsWriter
	w.set("policy", quote(policyLabel(dns)))
	w.set("selector", quote(selector.String()))
	w.set("optOutAnnotation", quote(spec.Source.OptOutAnnotation))
	w.set("namespaces", raw(globPattern(spec.Source.Namespaces.Include)))
	w.set("excludedNamespaces", raw(excludePattern(spec.Source.Namespaces.Exclude)))
	w.set("interfaces", raw(globPattern(spec.Source.Interfaces.Include)))
	w.set("excludedInterfaces", raw(excludePattern(spec.Source.Interfaces.Exclude)))
	w.set("annotationPrefix", quote(spec.Names.AnnotationPrefix))
	w.set("matchInterfaceBy", list(spec.Names.MatchInterfaceBy))
	w.set("convention", quote(spec.Names.Convention))
	w.set("domain", domain(spec.Names.Domain, spec.Policy.Namespace))
	w.comment("A regular expression for \"<namespace> <name>\"; empty allows every name.")
	w.set("allowedNames", raw(allowedNames(spec.Names.AllowedDomains)))
	w.set("firstLabelLimit", strconv.Itoa(*spec.Names.Limits.FirstLabel))
	w.set("nameLimit", strconv.Itoa(*spec.Names.Limits.Total))
	w.set("allowWildcards", strconv.FormatBool(*spec.Names.AllowWildcards))
	w.set("types", list(spec.Records.Types))
	w.set("ttl", strconv.FormatInt(*spec.Records.TTL, 10))
	w.set("ttlAnnotation", quote(spec.Records.TTLAnnotation))
	w.comment("Regular expressions for addresses; those of IPv6 with eight groups, without leading zeros.")
	if len(included) > 0 {
		w.comment("published: " + join(included))
	}
	w.comment("never published: " + join(family(excluded, true)))
	w.comment("never published: " + join(family(excluded, false)))
	w.set("includedNetworks", networks(included, len(included) == 0))
	w.set("excludedNetworks", networks(excluded, false))
	w.set("keepWithoutAddress", strconv.FormatBool(spec.Records.WhenNoAddress == v1alpha1.KeepRecords))
	w.set("skipLinkDown", strconv.FormatBool(*spec.Records.SkipLinkDown))
	w.set("per", quote(string(spec.Endpoint.Per)))
	w.set("shard", strconv.Itoa(shard))
	w.set("shards", strconv.Itoa(shards))
	w.set("labels", dict(spec.Endpoint.Labels))
	w.set("annotations", dict(spec.Endpoint.Annotations))
	w.set("metadataComplianceType", quote(spec.Policy.MetadataComplianceType))
	w.set("options", dict(objectOptions(spec.Policy)))
	return w.String(), nil
}

// objectOptions are the options of the ConfigurationPolicy that belong to each object of an object-templates-raw.
func objectOptions(policy v1alpha1.Policy) map[string]string {
	options := map[string]string{}
	if policy.RecordDiff != "" {
		options["recordDiff"] = policy.RecordDiff
	}
	if policy.RecreateOption != "" {
		options["recreateOption"] = policy.RecreateOption
	}
	return options
}

// policyLabel is the value of the label that tells whose a DNSEndpoint is.
func policyLabel(dns *v1alpha1.VirtualMachineDNS) string {
	if dns.Spec.Policy.Namespace == "" {
		return dns.Metadata.Name
	}
	return dns.Spec.Policy.Namespace + "." + dns.Metadata.Name
}

// domain gives the domain as a string literal, by way of a hub template where it depends on the cluster: the label, else the
// ConfigMap, else the default. Strings inside hub templates are back-quoted, since the hub may see the text with its double
// quotes escaped. A ConfigMap that does not exist is no error, since that would leave the cluster without the policy.
func domain(d v1alpha1.Domain, namespace string) string {
	if d.ClusterLabel == "" && d.ConfigMap == "" {
		return quote(d.Default)
	}
	text := raw(d.Default)
	if d.ConfigMap != "" {
		text = fmt.Sprintf("(dig `data` .ManagedClusterName %s (lookup `v1` `ConfigMap` %s %s))", text, raw(namespace), raw(d.ConfigMap))
	}
	if d.ClusterLabel != "" {
		text = fmt.Sprintf("index .ManagedClusterLabels %s | default %s", raw(d.ClusterLabel), text)
	}
	// With escapes for all but ASCII: YAML would refuse some of what JSON leaves as it is.
	return "{{hub " + text + " | printf `%+q` hub}}"
}

// allowedNames gives a regular expression for a namespace, a blank and a name that is in one of the domains.
func allowedNames(domains []v1alpha1.AllowedDomain) string {
	if len(domains) == 0 {
		return ""
	}
	alternatives := make([]string, 0, len(domains))
	for _, d := range domains {
		namespace := `\S+`
		if pattern := globs(d.Namespaces, `\S`); pattern != "" {
			namespace = pattern
		}
		alternatives = append(alternatives, namespace+` (\S+\.)?`+regexp.QuoteMeta(d.Domain))
	}
	return "^(" + strings.Join(alternatives, "|") + ")$"
}

func networks(prefixes []netip.Prefix, all bool) string {
	v4, v6 := networkPattern(family(prefixes, true)), networkPattern(family(prefixes, false))
	if all {
		v4, v6 = "", ""
	}
	return fmt.Sprintf("dict\n      \"A\" %s\n      \"AAAA\" %s", raw(v4), raw(v6))
}

func join(prefixes []netip.Prefix) string {
	texts := make([]string, 0, len(prefixes))
	for _, prefix := range prefixes {
		texts = append(texts, prefix.String())
	}
	return strings.Join(texts, " ")
}

// settingsWriter writes one template action a line.
type settingsWriter struct{ strings.Builder }

func (w *settingsWriter) set(name, value string) {
	fmt.Fprintf(w, "{{- $%s := %s }}\n", name, value)
}

func (w *settingsWriter) comment(text string) {
	fmt.Fprintf(w, "{{- /* %s */}}\n", text)
}

func quote(s string) string { return strconv.Quote(s) }

func raw(s string) string { return "`" + s + "`" }

func list[T ~string](items []T) string {
	text := "list"
	for _, item := range items {
		text += " " + quote(string(item))
	}
	return text
}

func dict(items map[string]string) string {
	text := "dict"
	for _, key := range slices.Sorted(maps.Keys(items)) {
		text += " " + quote(key) + " " + quote(items[key])
	}
	return text
}
