package v1alpha1

import (
	"math"
	"strings"
)

// enum holds the values that a field can have.
type enum struct {
	values []string
	// aliases mean the same as one of values. The custom resource definitions of OCM accept them.
	aliases []string
}

// all lists every value that is accepted.
func (e enum) all() []string { return append(append([]string{}, e.values...), e.aliases...) }

// enumOf gives the values that a field can have; none means any. Fields are patterns as in visitScalars.
func enumOf(pattern string) enum {
	switch strings.Replace(pattern, "spec.policySets[].placement.", "spec.placement.", 1) {
	case "spec.output":
		return enumFrom(OutputPolicy, OutputTemplate)
	case "spec.source.selector.matchExpressions[].operator", "spec.placement.labelSelector.matchExpressions[].operator",
		"spec.policy.namespaceSelector.matchExpressions[].operator":
		return enumFrom("In", "NotIn", "Exists", "DoesNotExist")
	case "spec.names.matchInterfaceBy[]":
		return enumFrom(InterfaceByName, InterfaceByDevice)
	case "spec.records.types[]":
		return enumFrom(RecordA, RecordAAAA)
	case "spec.records.whenNoAddress":
		return enumFrom(RemoveRecords, KeepRecords)
	case "spec.endpoint.per":
		return enumFrom(EndpointPerInterface, EndpointPerVirtualMachine, EndpointPerNamespace)
	case "spec.placement.tolerations[].operator":
		return enumFrom("Equal", "Exists")
	case "spec.placement.tolerations[].effect":
		return enumFrom("NoSelect", "PreferNoSelect", "NoSelectIfNew")
	}
	return policyEnumOf(pattern)
}

// policyEnumOf is enumOf for spec.policy: what the custom resource definitions of Policy and ConfigurationPolicy accept.
func policyEnumOf(pattern string) enum {
	switch pattern {
	case "spec.policy.remediationAction":
		return enum{values: []string{"enforce", "inform"}, aliases: []string{"Enforce", "Inform"}}
	case "spec.policy.pruneObjectBehavior":
		return enumFrom("DeleteIfCreated", "DeleteAll", "None")
	case "spec.policy.severity":
		return enum{
			values:  []string{"low", "medium", "high", "critical"},
			aliases: []string{"Low", "Medium", "High", "Critical"},
		}
	case "spec.policy.metadataComplianceType":
		// The controller reads any spelling; the template hands it on.
		return enumFrom("musthave", "mustonlyhave")
	case "spec.policy.recordDiff":
		return enumFrom("Log", "InStatus", "None")
	case "spec.policy.recreateOption":
		return enumFrom("None", "IfRequired", "Always")
	case "spec.policy.dependencies[].compliance", "spec.policy.extraDependencies[].compliance":
		return enumFrom("Compliant", "NonCompliant", "Pending")
	}
	return enum{}
}

func enumFrom[T ~string](values ...T) enum {
	var e enum
	for _, value := range values {
		e.values = append(e.values, string(value))
	}
	return e
}

// rangeOf gives the least and the greatest number that a field can have. Fields are patterns as in visitScalars.
func rangeOf(pattern string) (least, greatest int64) {
	switch strings.Replace(pattern, "spec.policySets[].placement.", "spec.placement.", 1) {
	case "spec.names.limits.firstLabel":
		return 1, maxLabelLength
	case "spec.names.limits.total":
		return 3, maxNameLength
	case "spec.records.ttl":
		return 1, 86400
	case "spec.policy.shards":
		return 1, maxShards
	case "spec.placement.tolerations[].tolerationSeconds":
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}
