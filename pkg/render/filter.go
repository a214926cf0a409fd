package render

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// checkPolicies refuses a source without policies and filters that name none.
func (c *chain) checkPolicies() (diag.Findings, error) {
	var known []string
	for name, object := range c.roots {
		known = append(known, name.Name, name.String())
		if !c.wanted(name.Namespace, name.Name) {
			c.unwanted[manifest.Reference(object.Unstructured)] = true
		}
	}
	var findings diag.Findings
	for _, object := range c.alone {
		known = append(known, object.GetName())
		if c.policiesOnly && c.wanted(object.GetNamespace(), object.GetName()) {
			findings = append(findings, diag.Finding{
				Severity: diag.Warning, Position: object.Position, Object: manifest.Reference(object.Unstructured),
				Message: "is in no Policy, so the hub does not replicate it",
			})
		}
	}
	if len(known) == 0 && !c.states {
		return diag.Findings{{
			Severity: diag.Error, Message: "there is no Policy and no ConfigurationPolicy to render",
			Hint: "name files with --filename or a kustomization with --kustomize",
		}}, nil
	}
	slices.Sort(known)
	return findings, unknownNames("policy", c.names, slices.Compact(known))
}

// clusters gives the names of the clusters to work on. The error says that one is asked for that does not exist.
func (c *chain) clusters(filter []string) ([]string, error) {
	all := slices.Sorted(maps.Keys(c.fixtures))
	if len(filter) == 0 {
		return all, nil
	}
	err := unknownNames("managed cluster", filter, all)
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(filter, name) }), err
}

// unknownNames gives an error for each name that is not known.
func unknownNames(what string, names, known []string) error {
	var errs []error
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		message := fmt.Sprintf("there is no %s %q", what, name)
		if hint := diag.DidYouMean(name, known); hint != "" {
			message += " (" + hint + ")"
		}
		errs = append(errs, errors.New(message))
	}
	return errors.Join(errs...)
}

// wanted tells whether the filter lets a policy through.
func (c *chain) wanted(namespace, name string) bool {
	return len(c.names) == 0 || slices.Contains(c.names, name) || slices.Contains(c.names, namespace+"/"+name)
}

// ofWanted leaves the findings out that are about root policies which the filter does not let through.
func (c *chain) ofWanted(findings diag.Findings) diag.Findings {
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return c.unwanted[f.Object] })
}
