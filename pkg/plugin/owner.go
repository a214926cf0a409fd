package plugin

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Owner is the policy on the hub that a template belongs to. Its objects carry a label with this name.
type Owner struct {
	Namespace, Name string
}

// String gives namespace.name, the value of the label, or the name alone where there is no namespace.
func (o Owner) String() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "." + o.Name
}

// rawTemplate is an object-templates-raw text in a stream of resources.
type rawTemplate struct {
	owner Owner
	// object names the ConfigurationPolicy, and the Policy around it, for messages.
	object string
	// item is the resource in the stream, and value the text in it.
	item, value *yaml.Node
}

const policyGroup = "policy.open-cluster-management.io/"

// policiesOf collects the ConfigurationPolicies of a stream, alone or inside a Policy, and the texts that some of them hold.
func policiesOf(items []*yaml.RNode) (names []string, templates []rawTemplate) {
	take := func(item, configurationPolicy *yaml.Node, owner Owner, object string) {
		names = append(names, object)
		_, spec := fieldOf(configurationPolicy, "spec")
		if _, value := fieldOf(spec, "object-templates-raw"); value != nil && value.Kind == yaml.ScalarNode {
			templates = append(templates, rawTemplate{owner: owner, object: object, item: item, value: value})
		}
	}
	for _, item := range items {
		node := contentOf(item.YNode())
		if !strings.HasPrefix(textOf(node, "apiVersion"), policyGroup) {
			continue
		}
		owner := Owner{Namespace: textOf(node, "metadata", "namespace"), Name: textOf(node, "metadata", "name")}
		switch textOf(node, "kind") {
		case "ConfigurationPolicy":
			take(node, node, owner, "ConfigurationPolicy "+slashed(owner))
		case "Policy":
			for _, definition := range definitionsOf(node) {
				name := textOf(definition, "metadata", "name")
				take(node, definition, owner, "ConfigurationPolicy "+name+" in Policy "+slashed(owner))
			}
		}
	}
	return names, templates
}

// definitionsOf gives the ConfigurationPolicies inside a Policy.
func definitionsOf(policy *yaml.Node) []*yaml.Node {
	var definitions []*yaml.Node
	_, spec := fieldOf(policy, "spec")
	_, list := fieldOf(spec, "policy-templates")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, entry := range list.Content {
		if _, definition := fieldOf(entry, "objectDefinition"); textOf(definition, "kind") == "ConfigurationPolicy" {
			definitions = append(definitions, definition)
		}
	}
	return definitions
}

// fill replaces the text. It becomes a block of lines, in which no quotes are escaped.
func (t rawTemplate) fill(text string) {
	t.value.SetString(text)
	asBlocks(t.item)
	t.value.Style = yaml.LiteralStyle
}

func asBlocks(node *yaml.Node) {
	node.Style &^= yaml.FlowStyle
	for _, child := range node.Content {
		asBlocks(child)
	}
}

func slashed(o Owner) string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}
