package evaluate

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
)

// The controller writes its status for each object that it changes, and compares each related object with all others, so the time
// grows with the square of the number of object templates. It gets up to wholeLimit at once, and more of them in slices of sliceSize.
const (
	wholeLimit = 32
	sliceSize  = 4
)

// retryAfter is when the controller tries again where an API is missing.
const retryAfter = 10 * time.Second

// inSlices lets the controller evaluate the object templates of a policy in slices, and joins the results to what it would have given
// for all of them at once. Pruning comes last, over the objects that no slice is about any more.
func (c controller) inSlices(ctx context.Context, policy *configpolicyv1.ConfigurationPolicy, size int) evaluation {
	whole := policy.Spec.ObjectTemplates
	known := newRelatedIndex(policy.Status.RelatedObjects)
	joined := joined{}
	var result evaluation
	for offset := 0; offset < len(whole); offset += size {
		part := partOf(policy, whole[offset:min(offset+size, len(whole))])
		part.Status.RelatedObjects = known.of(part.Spec.ObjectTemplates)
		one := c.reconcile(ctx, part)
		joined.add(one.policy.Status, offset, len(part.Spec.ObjectTemplates))
		result.err, result.retry = errors.Join(result.err, one.err), result.retry || one.retry
		if ctx.Err() != nil {
			break
		}
	}
	after := policy.DeepCopy()
	after.Status.CompliancyDetails = joined.details
	after.Status.RelatedObjects = joined.sorted()
	after.Status.ComplianceState = joined.compliance()
	if !skipsPruning(result) {
		c.prune(ctx, policy, gone(policy.Status.RelatedObjects, after.Status.RelatedObjects))
	}
	result.policy = after
	message := defaultMessage(after)
	if custom := policy.Spec.CustomMessage; custom.Compliant != "" || custom.NonCompliant != "" {
		// Nothing is left to change: the controller looks once more at all of them, and words its message.
		once := policy.DeepCopy()
		once.Status.RelatedObjects, once.Status.History = nil, nil
		if history := c.reconcile(ctx, once).policy.Status.History; len(history) > 0 {
			message = history[0].Message
		}
	}
	if history := after.Status.History; len(history) == 0 || history[0].Message != message {
		result.messages = []string{message}
		after.Status.History = append([]configpolicyv1.HistoryEvent{{Message: message}}, history[:min(len(history), 9)]...)
	}
	return result
}

// partOf gives a policy with some of the object templates, which prunes nothing.
func partOf(policy *configpolicyv1.ConfigurationPolicy, templates []*configpolicyv1.ObjectTemplate) *configpolicyv1.ConfigurationPolicy {
	part := *policy
	part.Spec.ObjectTemplates = templates
	part.Spec.PruneObjectBehavior = ""
	part.Spec.CustomMessage = configpolicyv1.CustomMessage{}
	part.Finalizers = nil
	part.Status = configpolicyv1.ConfigurationPolicyStatus{ComplianceState: policy.Status.ComplianceState}
	return &part
}

// prune lets the controller evaluate the policy without any object templates, related to nothing but the objects to prune.
func (c controller) prune(ctx context.Context, policy *configpolicyv1.ConfigurationPolicy, objects []configpolicyv1.RelatedObject) {
	if len(objects) == 0 {
		return
	}
	empty := *policy
	empty.Spec.ObjectTemplates = nil
	empty.Spec.CustomMessage = configpolicyv1.CustomMessage{}
	empty.Status = configpolicyv1.ConfigurationPolicyStatus{ComplianceState: policy.Status.ComplianceState, RelatedObjects: objects}
	c.reconcile(ctx, &empty)
}

// skipsPruning tells whether the controller would prune nothing: where it could not tell which objects a template is about. What the
// API server refused is no such reason.
func skipsPruning(result evaluation) bool {
	if result.retry {
		return true
	}
	for _, err := range flatten(result.err) {
		if _, isStatus := err.(apierrors.APIStatus); !isStatus { //nolint:errorlint // a wrapped one comes from a template
			return true
		}
	}
	return false
}

// flatten gives the single errors of joined and aggregated ones.
func flatten(err error) []error {
	var list []error
	switch e := err.(type) { //nolint:errorlint // only the outermost kinds are taken apart
	case nil:
		return nil
	case utilerrors.Aggregate:
		list = e.Errors()
	case interface{ Unwrap() []error }:
		list = e.Unwrap()
	default:
		return []error{err}
	}
	var flat []error
	for _, inner := range list {
		flat = append(flat, flatten(inner)...)
	}
	return flat
}

// joined collects the statuses of the slices.
type joined struct {
	details []configpolicyv1.TemplateStatus
	related []configpolicyv1.RelatedObject
	at      map[configpolicyv1.ObjectResource]int
}

func (j *joined) add(status configpolicyv1.ConfigurationPolicyStatus, offset, count int) {
	// The controller fills in the details that are missing before the last that it has.
	for len(j.details) < offset && len(status.CompliancyDetails) > 0 {
		j.details = append(j.details, configpolicyv1.TemplateStatus{Conditions: []configpolicyv1.Condition{}})
	}
	for _, detail := range status.CompliancyDetails[:min(count, len(status.CompliancyDetails))] {
		for i, condition := range detail.Conditions {
			detail.Conditions[i].Message = shiftIndex(condition.Message, offset)
		}
		j.details = append(j.details, detail)
	}
	if j.at == nil {
		j.at = map[configpolicyv1.ObjectResource]int{}
	}
	for _, related := range status.RelatedObjects {
		at, found := j.at[related.Object]
		if !found {
			j.at[related.Object] = len(j.related)
			j.related = append(j.related, related)
			continue
		}
		// The rule of the controller's addOrUpdateRelatedObject.
		if known := j.related[at]; known.Compliant != related.Compliant || !reflect.DeepEqual(known.Properties, related.Properties) {
			j.related[at] = related
		}
	}
}

// sorted gives the related objects in the order of the controller.
func (j *joined) sorted() []configpolicyv1.RelatedObject {
	slices.SortStableFunc(j.related, func(a, b configpolicyv1.RelatedObject) int {
		return strings.Compare(relatedKey(a.Object), relatedKey(b.Object))
	})
	if j.related == nil {
		return []configpolicyv1.RelatedObject{}
	}
	return j.related
}

func relatedKey(o configpolicyv1.ObjectResource) string {
	return o.Kind + "\x00" + o.Metadata.Namespace + "\x00" + o.Metadata.Name
}

// compliance is that of the controller's addForUpdate.
func (j *joined) compliance() configpolicyv1.ComplianceState {
	if len(j.details) == 0 {
		return configpolicyv1.UnknownCompliancy
	}
	for _, detail := range j.details {
		if detail.ComplianceState == configpolicyv1.NonCompliant {
			return configpolicyv1.NonCompliant
		}
	}
	return configpolicyv1.Compliant
}

// atIndex matches the place of an object template in messages of the controller.
var atIndex = regexp.MustCompile(`(object[ -]template at index \[?)(\d+)`)

// shiftIndex corrects the place of an object template, which the controller counts from the beginning of its slice.
func shiftIndex(message string, offset int) string {
	if offset == 0 || !strings.Contains(message, "at index ") {
		return message
	}
	return atIndex.ReplaceAllStringFunc(message, func(found string) string {
		parts := atIndex.FindStringSubmatch(found)
		index, err := strconv.Atoi(parts[2])
		if err != nil {
			return found
		}
		return parts[1] + strconv.Itoa(index+offset)
	})
}

// defaultMessage is the controller's, for a policy whose slices it evaluated one by one.
func defaultMessage(policy *configpolicyv1.ConfigurationPolicy) string {
	if policy.Status.ComplianceState == configpolicyv1.UnknownCompliancy {
		return "ComplianceState is still unknown"
	}
	var message strings.Builder
	message.WriteString(string(policy.Status.ComplianceState))
	for _, detail := range policy.Status.CompliancyDetails {
		message.WriteString("; ")
		if len(detail.Conditions) == 0 {
			// Here the template of the controller fails.
			return string(policy.Status.ComplianceState)
		}
		message.WriteString(detail.Conditions[0].Type + " - " + detail.Conditions[0].Message)
	}
	const longest, mark = 4096, "...[truncated]"
	if text := message.String(); len(text) > longest {
		return text[:longest-len(mark)] + mark
	}
	return message.String()
}
