// Package engine_test runs the policy templates on an engine of the oldest generation that has the functions which they need (v4.1 to v4.3: OCM 0.14, RHACM 2.11).
package engine_test

import (
	"testing"

	"github.com/stolostron/go-template-utils/v4/pkg/templates"
	"k8s.io/client-go/rest"

	"github.com/policyloom/policyloom/test/engines/golden"
)

func TestPolicies(t *testing.T) {
	golden.Run(t, func(url, text string) ([]byte, error) {
		resolver, err := templates.NewResolver(&rest.Config{Host: url}, templates.Config{InputIsYAML: true})
		if err != nil {
			return nil, err
		}
		result, err := resolver.ResolveTemplate([]byte(text), nil, &templates.ResolveOptions{})
		return result.ResolvedJSON, err
	})
}
