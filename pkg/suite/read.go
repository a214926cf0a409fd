package suite

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/strict"
)

// start is when cases start that say nothing else.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// read decodes a test and checks it, as far as that needs no other file. The test is nil if it has errors.
func read(object manifest.Object, document int) (*Test, diag.Findings) {
	t := &Test{object: object, document: document, now: start, patterns: map[string]*regexp.Regexp{}}
	var findings diag.Findings
	if version := object.GetAPIVersion(); version != v1alpha1.APIVersion {
		findings = append(findings, t.finding("apiVersion", fmt.Sprintf("unknown apiVersion %q", version), "write apiVersion: "+v1alpha1.APIVersion))
	}
	_, found := strict.Decode(object, &t.PolicyTest)
	findings = append(findings, found...)
	if !found.HasErrors() {
		c := checker{test: t}
		c.check()
		findings = append(findings, c.findings...)
	}
	if findings.HasErrors() {
		return nil, findings
	}
	return t, findings
}

func (t *Test) finding(field, message, hint string) diag.Finding {
	f := strict.Finding(t.object, field, message)
	f.Hint = hint
	return f
}

func pathOf(field string) []any { return strict.Path(field) }

// checker checks what the types of a test do not say.
type checker struct {
	test     *Test
	findings diag.Findings
}

func (c *checker) report(field, message, hint string) {
	c.findings = append(c.findings, c.test.finding(field, message, hint))
}

func (c *checker) check() {
	spec := &c.test.Spec
	if name := c.test.Metadata.Name; name == "" {
		c.report("metadata.name", "the test needs a name", "")
	} else if strings.ContainsAny(name, "/ ") {
		c.report("metadata.name", fmt.Sprintf("%.60q has a blank or a slash, which --run could not tell from the name of a case", name), "use letters, digits and hyphens")
	}
	if len(spec.Policies) == 0 {
		c.report("spec.policies", "the test names no policies", "write policies: [{file: policy.yaml}] or [{kustomize: .}]")
	}
	for i, source := range spec.Policies {
		if (source.File == "") == (source.Kustomize == "") {
			c.report(fmt.Sprintf("spec.policies[%d]", i), "needs one of file and kustomize", "")
		}
	}
	c.fixtures()
	if spec.Now != "" {
		now, err := time.Parse(time.RFC3339, spec.Now)
		if err != nil {
			c.report("spec.now", fmt.Sprintf("%.60q is no time", spec.Now), "write it as 2026-01-31T12:00:00Z")
		}
		c.test.now = now
	}
	if len(spec.Cases) == 0 {
		c.report("spec.cases", "the test has no cases", "")
	}
	names := map[string]bool{}
	for i := range spec.Cases {
		field := fmt.Sprintf("spec.cases[%d]", i)
		c.name(field, spec.Cases[i].Name, names)
		c.testCase(field, &spec.Cases[i])
	}
}

// name checks that a case has a name, and one of its own.
func (c *checker) name(field, name string, taken map[string]bool) {
	switch {
	case strings.TrimSpace(name) == "":
		c.report(field+".name", "needs a name", "")
	case strings.Contains(name, "\n"):
		c.report(field+".name", "a name is one line", "")
	case taken[name]:
		c.report(field+".name", fmt.Sprintf("another case is called %.60q, too", name), "give each case a name of its own")
	}
	taken[name] = true
}

func (c *checker) fixtures() {
	spec := &c.test.Spec
	switch {
	case spec.Fleet != "" && (spec.Hub != nil || len(spec.Clusters) > 0):
		c.report("spec.fleet", "excludes hub and clusters", "put what they hold into given: of a case, or into the directory")
	case spec.Fleet == "" && len(spec.Clusters) == 0 && spec.Hub == nil:
		c.report("spec.fleet", "the test has no fixtures", "write fleet: DIRECTORY, or clusters: with the objects of each managed cluster")
	}
	names := map[string]bool{}
	for i, cluster := range spec.Clusters {
		field := fmt.Sprintf("spec.clusters[%d].name", i)
		if problems := validation.IsDNS1123Label(cluster.Name); len(problems) > 0 {
			c.report(field, fmt.Sprintf("a managed cluster cannot have the name %.60q", cluster.Name), problems[0])
		}
		if names[cluster.Name] {
			c.report(field, "another cluster has this name", "")
		}
		names[cluster.Name] = true
	}
}

func (c *checker) testCase(field string, test *v1alpha1.TestCase) {
	if test.Expect == nil && len(test.Steps) == 0 {
		c.report(field, "expects nothing", "write expect:, or steps: that have one")
	}
	for i := range test.Given {
		c.event(fmt.Sprintf("%s.given[%d]", field, i), &test.Given[i])
	}
	c.expectation(field+".expect", test.Expect)
	for i := range test.Steps {
		step := fmt.Sprintf("%s.steps[%d]", field, i)
		if strings.TrimSpace(test.Steps[i].Name) == "" {
			c.report(step+".name", "needs a name that says what happens", "")
		}
		for j := range test.Steps[i].Do {
			c.event(fmt.Sprintf("%s.do[%d]", step, j), &test.Steps[i].Do[j])
		}
		c.expectation(step+".expect", test.Steps[i].Expect)
	}
}

// pattern compiles a regular expression, which may be empty.
func (c *checker) pattern(field, text string) {
	if text == "" {
		return
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		c.report(field, "is no regular expression: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "), "")
		return
	}
	c.test.patterns[text] = compiled
}
