package v1alpha1

// refusal says why an option of PolicyGenerator is not one of VirtualMachineDNS, and what to write instead.
type refusal struct{ message, hint string }

// refusalOf tells whether a field is an option of PolicyGenerator that has no sense here. Fields are paths without indexes.
func refusalOf(path string) (refusal, bool) {
	const (
		oneTemplate = "a resource makes its policy templates itself"
		ofKyverno   = "no Gatekeeper or Kyverno manifests are wrapped"
	)
	r, known := map[string]refusal{
		"spec.policy.complianceType":              {"each DNSEndpoint is mustonlyhave: musthave would leave old addresses in", "remove it"},
		"spec.policy.objectSelector":              {"each DNSEndpoint has a name", "choose virtual machines with spec.source.selector"},
		"spec.policy.consolidateManifests":        {oneTemplate, "remove it; spec.policy.shards spreads DNSEndpoints over several"},
		"spec.policy.orderManifests":              {oneTemplate, "remove it"},
		"spec.policy.manifests":                   {oneTemplate, "wrap manifests of your own with PolicyGenerator"},
		"spec.policy.patches":                     {oneTemplate, "patch the resource or its output with kustomize"},
		"spec.policy.orderPolicies":               {"a resource makes one Policy", "write dependencies"},
		"spec.policy.informGatekeeperPolicies":    {ofKyverno, "remove it"},
		"spec.policy.informKyvernoPolicies":       {ofKyverno, "remove it"},
		"spec.policy.gatekeeperEnforcementAction": {ofKyverno, "remove it"},
		"spec.policy.placement":                   {"the placement has a place of its own", "move it to spec.placement"},
		"spec.placement.placementPath": {
			"no file beside the resource is read",
			"list the Placement under resources: of the kustomization, and write its name under placementName",
		},
		"spec.policySetDefaults":        {"a resource describes each of its sets", "move it to spec.policySets"},
		"spec.placementBindingDefaults": {"bindings are named after what they bind: binding-<name>", "remove it"},
	}[path]
	return r, known
}
