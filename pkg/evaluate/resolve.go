package evaluate

import (
	"encoding/base64"
	"fmt"
	"maps"
	"strings"
	"text/template"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"github.com/stolostron/kubernetes-dependency-watches/client"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/cluster"
	ours "github.com/policyloom/policyloom/templates"
)

// dialling are template functions that open a network connection. Offline they are an error.
var dialling = []string{"getHostByName"}

// resolve runs the template engine with the options that the config-policy-controller gives it. It gives JSON.
func (r *renderer) resolve(text []byte, isYAML bool, context any, functions template.FuncMap) ([]byte, error) {
	parsed, err := parsedText(text, isYAML)
	if err != nil {
		return nil, err
	}
	return r.execute(text, isYAML, !cluster.MutatesLookups(withoutOwn(parsed), "{{", "}}"), context, functions)
}

// execute is resolve with or without copies of what the template looks up; shared says that it changes none of it.
func (r *renderer) execute(text []byte, isYAML, shared bool, context any, functions template.FuncMap) ([]byte, error) {
	var options []cluster.WatcherOption
	if shared {
		options = append(options, cluster.SharedObjects())
	}
	all := cachedRegexes()
	maps.Copy(all, functions)
	watcher := &missWatcher{DynamicWatcher: r.cluster.Watcher(options...)}
	defer func() { r.missedAPI = r.missedAPI || watcher.missed }()
	engine, err := templates.NewResolverWithDynamicWatcher(
		watcher, templates.Config{SkipBatchManagement: true},
	)
	if err != nil {
		return nil, err
	}
	encryption, err := r.encryption()
	if err != nil {
		return nil, err
	}
	result, err := resolveSafely(engine, text, context, &templates.ResolveOptions{
		InputIsYAML:       isYAML,
		CustomFunctions:   all,
		DenylistFunctions: dialling,
		EncryptionConfig:  encryption,
		Watcher: &client.ObjectIdentifier{
			Group:     r.template.Object.GroupVersionKind().Group,
			Version:   r.template.Object.GroupVersionKind().Version,
			Kind:      r.template.Object.GetKind(),
			Namespace: r.template.Object.GetNamespace(),
			Name:      r.template.Object.GetName(),
		},
	})
	r.sensitive = r.sensitive || result.HasSensitiveData
	return result.ResolvedJSON, err
}

// resolveSafely turns a panic of the engine, which hostile data may provoke, into an error.
func resolveSafely(
	engine *templates.TemplateResolver, text []byte, context any, options *templates.ResolveOptions,
) (result templates.TemplateResult, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the template engine failed: %v", cause)
		}
	}()
	return engine.ResolveTemplate(text, context, options)
}

// withoutOwn cuts off what the texts end in that this project generates. That part changes only what it has made itself, which the
// general analysis cannot see; what stands before it is to be judged as any other text.
func withoutOwn(text string) string {
	_, body, _ := strings.Cut(ours.VirtualMachineDNS, ours.SettingsEnd)
	requests, _, _ := strings.Cut(body, ours.ObjectsBegin)
	for _, own := range []string{body, requests + ours.Report} {
		if before, found := strings.CutSuffix(text, strings.TrimRight(ours.SettingsEnd+own, "\n")); found {
			return before
		}
	}
	return text
}

// parsedText gives the text that the engine parses.
func parsedText(text []byte, isYAML bool) (string, error) {
	if isYAML {
		return string(text), nil
	}
	converted, err := templates.JSONToYAML(text)
	if err != nil {
		return "", fmt.Errorf("failed to convert the policy template to YAML: %w", err)
	}
	return string(converted), nil
}

// encryption gives the options that decrypt what the hub has encrypted, which it says by an annotation.
func (r *renderer) encryption() (templates.EncryptionConfig, error) {
	vector := r.template.Object.GetAnnotations()[propagator.IVAnnotation]
	if vector == "" || r.template.EncryptionKey == nil {
		return templates.EncryptionConfig{}, nil
	}
	iv, err := base64.StdEncoding.DecodeString(vector)
	if err != nil {
		return templates.EncryptionConfig{}, fmt.Errorf("annotation %s: %w", propagator.IVAnnotation, err)
	}
	return templates.EncryptionConfig{
		AESKey: r.template.EncryptionKey, DecryptionEnabled: true, DecryptionConcurrency: 1, InitializationVector: iv,
	}, nil
}
