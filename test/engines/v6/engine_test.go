// Package engine_test runs the policy templates on the last engine before v7 (OCM 0.16; RHACM 2.12 has v6.3).
package engine_test

import (
	"testing"

	"github.com/stolostron/go-template-utils/v6/pkg/templates"
	"k8s.io/client-go/rest"

	"github.com/policyloom/policyloom/test/engines/golden"
)

func TestPolicies(t *testing.T) {
	golden.Run(t, func(url, text string) ([]byte, error) {
		resolver, err := templates.NewResolver(&rest.Config{Host: url}, templates.Config{})
		if err != nil {
			return nil, err
		}
		result, err := resolver.ResolveTemplate([]byte(text), nil, &templates.ResolveOptions{InputIsYAML: true})
		return result.ResolvedJSON, err
	})
}
