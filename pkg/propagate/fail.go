package propagate

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	depclient "github.com/stolostron/kubernetes-dependency-watches/client"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/strict"
	"github.com/policyloom/policyloom/pkg/templatetext"
)

// fail marks the template as the hub does, unless the hub would retry, and reports the error.
func (r *resolution) fail(index int, template *policiesv1.PolicyTemplate, err error) {
	failure := newFailure(template.ObjectDefinition.Raw, err)
	base := fmt.Sprintf("spec.policy-templates[%d].objectDefinition", index)
	field := base
	if failure.field != "" {
		field += "." + failure.field
	}
	message := fmt.Sprintf("hub template of %s: %s", templateName(index, parseTemplate(template)), failure.message)
	if failure.line > 0 {
		message = fmt.Sprintf("hub template of %s, line %d: %s", templateName(index, parseTemplate(template)), failure.line, failure.message)
	}
	finding := r.report(diag.Error, field, message)
	if block, ok := r.origin.BlockPosition(strict.Path(field)...); ok && failure.line > 0 {
		block.Line += failure.line - 1
		block.Column = 0
		finding.Position = block
	}
	finding.Hint = cmp.Or(r.hint(err), templatetext.Hint(failure.message))
	if r.retried = retryable(err); r.retried {
		finding.Message += "; the hub retries and does not replicate the policy"
	} else {
		annotate(template, hubErrorAnnotation, err.Error())
	}
	copied := *finding
	r.hubError = &copied
}

// retryable tells whether the propagator retries after the error instead of replicating the policy with it.
func retryable(err error) bool {
	return errors.Is(err, templates.ErrMissingAPIResource) || errors.Is(err, depclient.ErrWatchStopping) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err)
}

func (r *resolution) hint(err error) string {
	var clusterScoped templates.ClusterScopedLookupRestrictedError
	switch {
	case errors.Is(err, templates.ErrRestrictedNamespace):
		return fmt.Sprintf("hub templates may read only namespace %s; spec.hubTemplateOptions.serviceAccountName lifts the limit", r.root.Namespace)
	case errors.As(err, &clusterScoped):
		return fmt.Sprintf("of cluster-scoped objects hub templates may read only ManagedCluster %s; spec.hubTemplateOptions.serviceAccountName lifts the limit", r.cluster)
	case errors.Is(err, templates.ErrMissingAPIResource):
		return "the hub's fixtures know no such API"
	case apierrors.IsNotFound(err):
		return "the fixtures of the hub hold no such object, and neither do the files with the policies"
	}
	return ""
}

// failure is an error of the template engine, taken apart.
type failure struct {
	// field is the path of the failing template inside the object; line counts within the field's text, and is 0 for
	// fields of one line and where the line is not known.
	field   string
	line    int
	message string
}

var (
	// errorPlace is how text/template begins its errors; the engine calls all its templates tmpl.
	errorPlace = regexp.MustCompile(`^template: tmpl:(\d+)(?::(\d+))?: (?:executing "tmpl" at )?`)
	// errorCall ends what an error says about the template; what follows is the called function's own message.
	errorCall = regexp.MustCompile(`error calling \w+: `)
)

// newFailure takes an error apart that the engine gave for the JSON of a template. The engine's own message begins with
// the whole template, so only what it wraps is kept.
func newFailure(raw []byte, err error) failure {
	cause := err
	for !errorPlace.MatchString(cause.Error()) {
		next := errors.Unwrap(cause)
		if next == nil {
			return failure{message: oneLine(withoutTemplate(raw, safeMessage(raw, err)))}
		}
		cause = next
	}
	text := cause.Error()
	match := errorPlace.FindStringSubmatch(text)
	line, _ := strconv.Atoi(match[1])
	column, _ := strconv.Atoi(match[2])
	f := failure{message: oneLine(safeText(raw, err, text[len(match[0]):]))}
	f.field, f.line = templatetext.Field(raw, line, column)
	return f
}

func withoutTemplate(raw []byte, text string) string {
	return strings.ReplaceAll(text, " "+string(raw), "")
}

func safeMessage(raw []byte, err error) string { return safeText(raw, err, err.Error()) }

// safeText cuts the message of a called function off if the template reads Secrets: functions quote the values that they
// cannot take. Errors of the look-ups themselves name objects only and are kept.
func safeText(raw []byte, err error, text string) string {
	readsSecrets := templates.UsesEncryption(raw, propagator.TemplateStartDelim, propagator.TemplateStopDelim) ||
		strings.Contains(string(raw), "Secret")
	aboutObjects := apierrors.ReasonForError(err) != "" || errors.Is(err, templates.ErrRestrictedNamespace) ||
		errors.Is(err, templates.ErrMissingAPIResource) || errors.Is(err, templates.ErrInvalidInput)
	if !readsSecrets || aboutObjects {
		return text
	}
	if at := errorCall.FindStringIndex(text); at != nil {
		return text[:at[1]-2] + " (the message is left out, as the template reads Secrets)"
	}
	return text
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
