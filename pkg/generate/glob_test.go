package generate

import (
	"regexp"
	"testing"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

func TestGlobs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		globs []string
		yes   []string
		no    []string
	}{
		{globs: []string{"shop"}, yes: []string{"shop"}, no: []string{"shop2", "a-shop", "SHOP"}},
		{globs: []string{"team-*"}, yes: []string{"team-", "team-a"}, no: []string{"team", "my-team-a"}},
		{globs: []string{"*-prod", "dev-?"}, yes: []string{"a-prod", "dev-1"}, no: []string{"a-prod2", "dev-", "dev-12"}},
		{globs: []string{"a.b"}, yes: []string{"a.b"}, no: []string{"axb"}},
	} {
		pattern := regexp.MustCompile(globPattern(test.globs))
		for _, name := range test.yes {
			if !pattern.MatchString(name) {
				t.Errorf("%q does not match %q", test.globs, name)
			}
		}
		for _, name := range test.no {
			if pattern.MatchString(name) {
				t.Errorf("%q matches %q", test.globs, name)
			}
		}
	}
}

func TestGlobsForAll(t *testing.T) {
	t.Parallel()
	for _, list := range [][]string{nil, {"*"}, {"shop", "**"}} {
		if got := globPattern(list); got != "" {
			t.Errorf("%q: got %s, want nothing to check", list, got)
		}
	}
	if got := excludePattern(nil); got != "" {
		t.Errorf("nothing is excluded: got %s", got)
	}
	if !regexp.MustCompile(excludePattern([]string{"*"})).MatchString("shop") {
		t.Error("the glob for everything does not exclude everything")
	}
}

func TestAllowedNames(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(allowedNames([]v1alpha1.AllowedDomain{
		{Domain: "example.com"},
		{Domain: "lab.test", Namespaces: []string{"lab-*", "dev"}},
		{Domain: "all.test", Namespaces: []string{"*"}},
	}))
	for text, want := range map[string]bool{
		"shop example.com":          true,
		"shop www.example.com":      true,
		"shop a.b.example.com":      true,
		"shop badexample.com":       false,
		"shop example.com.evil.org": false,
		"shop examplexcom":          false,
		"lab-1 a.lab.test":          true,
		"dev lab.test":              true,
		"shop a.lab.test":           false,
		"my-lab-1 a.lab.test":       false,
		"shop a.all.test":           true,
	} {
		if got := pattern.MatchString(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
