// Package requests tells which names virtual machines asked for and did not get from a policy of this project. On a cluster such
// requests leave no trace, unless there is a report policy; offline they become warnings.
package requests

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/diag"
)

// unmetKey is the key under which the template hands over the requests that it did not meet as asked.
const unmetKey = "policyloom.dev/unmet"

// shownOfMachine is how many warnings one machine can cause: its owner may ask for any number of names.
const shownOfMachine = 10

var (
	instanceKind = schema.GroupVersionKind{Group: "kubevirt.io", Version: "v1", Kind: "VirtualMachineInstance"}
	machineKind  = schema.GroupVersionKind{Group: "kubevirt.io", Version: "v1", Kind: "VirtualMachine"}
)

// Observer listens to a template of this project.
type Observer struct {
	// selector and prefix are those of the policy: which instances it takes, and by which annotations they ask.
	selector, prefix string
	// namespaces and excluded are regular expressions for the namespaces that take part, and that do not; empty ones do not count.
	namespaces, excluded string
	// optOut is the annotation by which a machine stays out.
	optOut string
	// repeats says that another policy of the same resource looks at the same machines.
	repeats bool
	unmet   map[string]any
}

// settings are the lines in which the generator says what a resource wants.
var settings = regexp.MustCompile("(?m)^\\{\\{- \\$(\\w+) := (\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|[0-9]+) \\}\\}$")

// Observe gives an observer for a policy text, or nil if the text is none of this project's.
func Observe(text string) *Observer {
	if !strings.Contains(text, unmetKey) {
		return nil
	}
	values := map[string]string{}
	for _, match := range settings.FindAllStringSubmatch(text, -1) {
		value, err := strconv.Unquote(match[2])
		if err != nil {
			value = match[2]
		}
		if _, known := values[match[1]]; !known {
			values[match[1]] = value
		}
	}
	return &Observer{
		selector: values["selector"], prefix: values["annotationPrefix"], optOut: values["optOutAnnotation"],
		namespaces: values["namespaces"], excluded: values["excludedNamespaces"], repeats: values["shard"] != "1",
	}
}

// Functions gives the template function that hands over the requests: it is the engine's own, and the observer looks on.
func (o *Observer) Functions() template.FuncMap {
	toRawJSON, ok := sprig.FuncMap()["toRawJson"].(func(any) string)
	if !ok {
		return nil
	}
	return template.FuncMap{"toRawJson": func(value any) string {
		if fields, isMap := value.(map[string]any); isMap {
			if unmet, found := fields[unmetKey].(map[string]any); found {
				o.unmet = unmet
			}
		}
		return toRawJSON(value)
	}}
}

// Findings gives a warning for each request that was not met, and for each machine that seems to ask in a place that no one reads.
// Their places are those of the machines in the fixtures.
func (o *Observer) Findings(on *cluster.Cluster) diag.Findings {
	var findings diag.Findings
	counts := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(o.unmet)) {
		request, isMap := o.unmet[key].(map[string]any)
		if !isMap {
			continue
		}
		text := func(field string) string { return fmt.Sprint(request[field]) }
		if counts[text("vm")]++; counts[text("vm")] > shownOfMachine {
			continue
		}
		message, hint := explain(text("reason"), text("name"), text("interface"), text("by"))
		finding := diag.Finding{
			Severity: diag.Warning, Field: instanceKind.Kind + " " + text("vm"), Message: message, Hint: hint,
		}
		namespace, name, _ := strings.Cut(text("vm"), "/")
		if object, found, err := on.Get(instanceKind, namespace, name); err == nil && found {
			finding.Position = object.Position
		}
		findings = append(findings, finding)
	}
	for i, finding := range findings {
		vm := strings.TrimPrefix(finding.Field, instanceKind.Kind+" ")
		last := i+1 == len(findings) || findings[i+1].Field != finding.Field
		if more := counts[vm] - shownOfMachine; more > 0 && last {
			findings[i].Message += fmt.Sprintf("; and %d more of this machine", more)
		}
	}
	return append(findings, o.nearMisses(on)...)
}
