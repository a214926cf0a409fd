package propagate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	depclient "github.com/stolostron/kubernetes-dependency-watches/client"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

const (
	disableTemplatesAnnotation = "policy.open-cluster-management.io/disable-templates"
	hubErrorAnnotation         = "policy.open-cluster-management.io/hub-templates-error"
)

// resolution resolves the hub templates of one policy for one cluster.
type resolution struct {
	propagator *Propagator
	cluster    string
	origin     manifest.Object
	root       *policiesv1.Policy
	replica    *policiesv1.Policy

	watcher  depclient.ObjectIdentifier
	recorder *recordingWatcher
	options  templates.ResolveOptions
	hubError *diag.Finding
	findings diag.Findings
	// retried says that the hub does not replicate the policy for now, because it retries an error.
	retried bool
}

// run resolves the templates of the replica.
func (r *resolution) run() Replicated {
	r.watcher = depclient.ObjectIdentifier{
		Group: policiesv1.GroupVersion.Group, Version: policiesv1.GroupVersion.Version, Kind: policiesv1.Kind,
		Namespace: r.replica.Namespace, Name: r.replica.Name,
	}
	if vector := r.propagator.hub.vectors[types.NamespacedName{Namespace: r.replica.Namespace, Name: r.replica.Name}]; vector != "" {
		r.replica.Annotations[propagator.IVAnnotation] = vector
	}
	if disabled, err := strconv.ParseBool(r.replica.Annotations[disableTemplatesAnnotation]); err != nil || !disabled {
		delete(r.replica.Annotations, propagator.TriggerUpdateAnnotation)
		r.resolveAll()
	}
	result := Replicated{
		Cluster: r.cluster, Root: types.NamespacedName{Namespace: r.root.Namespace, Name: r.root.Name},
		RootPosition: r.origin.Position, Policy: r.replica, HubError: r.hubError, EncryptionKey: r.options.AESKey,
	}
	if r.recorder != nil {
		result.Lookups = r.recorder.lookups()
		r.reportLookups(result.Lookups)
	}
	return result
}

// resolveAll resolves one template after the other and stops at the first error, as the hub does.
func (r *resolution) resolveAll() {
	resolver, err := r.resolver()
	if err != nil || resolver == nil {
		r.retried = true
		r.report(diag.Error, "", "the hub template engine cannot be set up")
		return
	}
	// A watcher in memory refuses a batch only if the same policy is being resolved for the same cluster elsewhere; the
	// look-ups themselves would then fail with a message.
	if err := resolver.StartQueryBatch(r.watcher); err == nil {
		defer func() { _ = resolver.EndQueryBatch(r.watcher) }()
	}
	for i, template := range r.replica.Spec.PolicyTemplates {
		if !templates.HasTemplate(template.ObjectDefinition.Raw, propagator.TemplateStartDelim, false) {
			continue
		}
		if !r.resolveOne(resolver, i, template) {
			return
		}
	}
}

// resolver gives the engine and sets the options, which all templates of a policy share. With a service account the
// limits of look-ups fall, and what is looked up is recorded, since the account's rights decide.
func (r *resolution) resolver() (*templates.TemplateResolver, error) {
	r.options = templates.ResolveOptions{
		Watcher:         &r.watcher,
		CustomFunctions: map[string]any{"getHostByName": noNameResolution},
	}
	if r.serviceAccount() != "" {
		r.recorder = &recordingWatcher{DynamicWatcher: r.propagator.watcher, seen: map[Lookup]bool{}}
		return newResolver(r.recorder)
	}
	r.options.LookupNamespace = r.root.Namespace
	r.options.ClusterScopedAllowList = []templates.ClusterScopedObjectIdentifier{
		{Group: managedClusterGVK.Group, Kind: managedClusterGVK.Kind, Name: r.cluster},
	}
	return r.propagator.resolver, nil
}

func (r *resolution) serviceAccount() string {
	if options := r.root.Spec.HubTemplateOptions; options != nil {
		return options.ServiceAccountName
	}
	return ""
}

// errOffline is the error of template functions that would need a network.
var errOffline = errors.New("is not available offline")

func noNameResolution(string) (string, error) {
	return "", fmt.Errorf("asking a DNS server %w: the hub would resolve the name", errOffline)
}

// resolveOne resolves a template in place. It returns false if it failed.
func (r *resolution) resolveOne(resolver *templates.TemplateResolver, index int, template *policiesv1.PolicyTemplate) bool {
	raw := template.ObjectDefinition.Raw
	if strings.Contains(string(raw), "ManagedClusterLabels") {
		r.options.ContextTransformers = append(r.options.ContextTransformers, addManagedClusterLabels(r.cluster))
	}
	encrypts := templates.UsesEncryption(raw, propagator.TemplateStartDelim, propagator.TemplateStopDelim)
	if encrypts && !r.options.EncryptionEnabled {
		r.prepareEncryption(index, template)
	}
	r.options.DenylistFunctions = nil
	result, err := resolveSafely(resolver, raw, r.context(), &r.options)
	if err != nil {
		r.fail(index, template, err)
		return false
	}
	template.ObjectDefinition.Raw = result.ResolvedJSON
	if encrypts && r.options.EncryptionEnabled {
		annotate(template, propagator.IVAnnotation, r.replica.Annotations[propagator.IVAnnotation])
	}
	if bytes.Contains(template.ObjectDefinition.Raw, []byte(propagator.TemplateStartDelim)) {
		r.leftover(index, template)
	}
	return true
}

// resolveSafely turns a panic of the engine, which hostile data may provoke, into an error.
func resolveSafely(
	resolver *templates.TemplateResolver, raw []byte, context any, options *templates.ResolveOptions,
) (result templates.TemplateResult, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the template engine failed: %v", cause)
		}
	}()
	return resolver.ResolveTemplate(raw, context, options)
}

// leftover reports a hub template that the look-ups of another one brought in: it is not resolved again.
func (r *resolution) leftover(index int, template *policiesv1.PolicyTemplate) {
	finding := r.report(diag.Error, fmt.Sprintf("spec.policy-templates[%d].objectDefinition", index),
		fmt.Sprintf("%s holds an unresolved %s after the hub templates were resolved", templateName(index, parseTemplate(template)), propagator.TemplateStartDelim))
	finding.Hint = "hub templates inside looked-up values, such as those of a ConfigMap, are not resolved"
}

// report adds a finding about the root policy on this cluster and returns it for amendments.
func (r *resolution) report(severity diag.Severity, field, message string) *diag.Finding {
	finding := strict.Finding(r.origin, field, message)
	finding.Severity, finding.Cluster = severity, r.cluster
	r.findings = append(r.findings, finding)
	return &r.findings[len(r.findings)-1]
}

// reportLookups says which rights the service account needs.
func (r *resolution) reportLookups(lookups []Lookup) {
	if len(lookups) == 0 {
		return
	}
	names := make([]string, 0, len(lookups))
	for _, lookup := range lookups {
		names = append(names, lookup.String())
	}
	finding := r.report(diag.Info, "spec.hubTemplateOptions.serviceAccountName", fmt.Sprintf(
		"the service account %s/%s needs the verbs list and watch for: %s", r.root.Namespace, r.serviceAccount(), strings.Join(names, ", ")))
	finding.Hint = "its rights are not checked offline"
}

// annotate sets an annotation of a template. What is no object is left alone.
func annotate(template *policiesv1.PolicyTemplate, key, value string) {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal(template.ObjectDefinition.Raw, object); err != nil {
		return
	}
	annotations := maps.Clone(object.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	if annotations[key] == value {
		return
	}
	annotations[key] = value
	object.SetAnnotations(annotations)
	if data, err := json.Marshal(object); err == nil {
		template.ObjectDefinition.Raw = data
	}
}
