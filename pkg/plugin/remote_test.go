package plugin

import (
	"slices"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestIsRemote(t *testing.T) {
	for path, want := range map[string]struct{ url, repository bool }{
		"https://example.com/a.yaml":           {true, true},
		"HTTP://example.com":                   {true, true},
		"https:relative":                       {true, false},
		"ssh://git@example.com/a/b":            {false, true},
		"file:///repo":                         {false, true},
		"git::https://example.com/a":           {false, true},
		"git::git@example.com:a/b":             {false, true},
		"git@example.com:a/b.git":              {false, true},
		"git@example.com:b.git":                {false, true},
		"org-12@github.com/a/b":                {false, true},
		"github.com/a/b":                       {false, true},
		"GitHub.com:a/b":                       {false, true},
		"../github.com/a/b":                    {false, false},
		"github.community/a/b":                 {false, false},
		"team@prod":                            {false, false},
		"team@prod/base":                       {false, false},
		"team@prod/west/base":                  {false, true},
		"../git@example.com:a/b":               {false, false},
		"base":                                 {false, false},
		"./base.git/sub":                       {false, false},
		"":                                     {false, false},
		"apiVersion: v1\nurl: https://x.test/": {false, true},
	} {
		if got := isURL(path); got != want.url {
			t.Errorf("isURL(%q) is %v", path, got)
		}
		if got := isRepository(path); got != want.repository {
			t.Errorf("isRepository(%q) is %v", path, got)
		}
	}
}

func TestReferences(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"lists":             {"{resources: [a, b], crds: [c]}", []string{"resources[0]=a", "resources[1]=b", "crds[0]=c"}},
		"fields everywhere": {"{x: [{path: a}], openapi: {path: b}}", []string{"x[0].path=a", "openapi.path=b"}},
		"data":              {"{labels: {path: a}, commonAnnotations: {files: b}, patches: [{patch: 'path: c'}]}", nil},
		"lists elsewhere":   {"{spec: {resources: [a]}, resources: {x: [b]}}", nil},
		"aliases":           {"{x: &x [a], resources: *x, components: *x}", []string{"resources[0]=a", "components[0]=a"}},
		"merged":            {"{x: &x {resources: [a]}, <<: *x}", []string{"resources[0]=a"}},
		"cycle":             {"resources: &x [a, *x]", []string{"resources[0]=a"}},
		"no mapping":        {"[a, b]", nil},
	} {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(test.text), &document); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range references(&document) {
			got = append(got, r.field+"="+r.node.Value)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q has the references %q, not %q", name, test.text, got, test.want)
		}
	}
}
