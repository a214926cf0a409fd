package evaluate

import (
	"text/template"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"github.com/stolostron/kubernetes-dependency-watches/client"

	"github.com/policyloom/policyloom/pkg/cluster"
)

// dialling are template functions that open a network connection. Offline they are an error.
var dialling = []string{"getHostByName"}

// resolve runs the template engine with the options that the config-policy-controller gives it. It gives JSON.
func (r *renderer) resolve(text []byte, isYAML bool, context any, functions template.FuncMap) ([]byte, error) {
	var options []cluster.WatcherOption
	if !cluster.MutatesLookups(string(text), "{{", "}}") {
		options = append(options, cluster.SharedObjects())
	}
	engine, err := templates.NewResolverWithDynamicWatcher(
		r.cluster.Watcher(options...), templates.Config{SkipBatchManagement: true},
	)
	if err != nil {
		return nil, err
	}
	result, err := engine.ResolveTemplate(text, context, &templates.ResolveOptions{
		InputIsYAML:       isYAML,
		CustomFunctions:   functions,
		DenylistFunctions: dialling,
		Watcher: &client.ObjectIdentifier{
			Group:     r.template.Object.GroupVersionKind().Group,
			Version:   r.template.Object.GroupVersionKind().Version,
			Kind:      r.template.Object.GetKind(),
			Namespace: r.template.Object.GetNamespace(),
			Name:      r.template.Object.GetName(),
		},
	})
	return result.ResolvedJSON, err
}
