package evaluate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	"open-cluster-management.io/config-policy-controller/pkg/dryrun"
	"sigs.k8s.io/yaml"

	"github.com/policyloom/policyloom/pkg/cluster"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// dryRunCase is a case that the config-policy-controller ships for its own dry-run.
type dryRunCase struct {
	name, dir string
	files     []string
	fullDiffs bool
}

// dryRunCases finds the cases in the directory of the module.
func dryRunCases(t *testing.T) []dryRunCase {
	t.Helper()
	module := ModuleDirectory(t, "open-cluster-management.io/config-policy-controller")
	var cases []dryRunCase
	for _, root := range []string{"pkg/dryrun/testdata", "test/dryrun"} {
		err := filepath.WalkDir(filepath.Join(module, root), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Name() != "policy.yaml" {
				return err
			}
			dir := filepath.Dir(path)
			name, err := filepath.Rel(module, dir)
			c := dryRunCase{name: filepath.ToSlash(name), dir: dir, fullDiffs: strings.HasPrefix(name, "pkg")}
			c.files = inputFiles(t, dir)
			cases = append(cases, c)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(cases) < 55 {
		t.Fatalf("only %d cases in %s", len(cases), module)
	}
	return cases
}

// inputFiles are those that the dry-run reads: input files, and the files in input directories.
func inputFiles(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case !strings.HasPrefix(entry.Name(), "input"):
		case entry.IsDir():
			nested, err := filepath.Glob(filepath.Join(path, "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, nested...)
		default:
			files = append(files, path)
		}
	}
	return files
}

// official runs the controller's own dry-run, and gives what it prints and the status that it comes to.
func (c dryRunCase) official(t *testing.T) (output, failure string, status configpolicyv1.ConfigurationPolicyStatus) {
	t.Helper()
	command := (&dryrun.DryRunner{}).GetCmd()
	var out, errs bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&errs)
	saved := filepath.Join(t.TempDir(), "status.yaml")
	arguments := append([]string{"--no-colors", "--policy", filepath.Join(c.dir, "policy.yaml"), "--status-path", saved}, c.files...)
	if c.fullDiffs {
		arguments = append(arguments, "--full-diffs")
	}
	if mappings := filepath.Join(c.dir, "mappings.yaml"); exists(mappings) {
		arguments = append(arguments, "--mappings-file", mappings)
	}
	command.SetArgs(arguments)
	if err := command.Execute(); err != nil && !errors.Is(err, dryrun.ErrNonCompliant) {
		return "", err.Error(), status
	}
	text, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &status); err != nil {
		t.Fatal(err)
	}
	return out.String(), "", status
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ours evaluates the case, and prints it as the dry-run does.
func (c dryRunCase) ours(t *testing.T, options ...SessionOption) (output string, status configpolicyv1.ConfigurationPolicyStatus) {
	t.Helper()
	fsys := os.DirFS(c.dir)
	objects := []manifest.Object{{Unstructured: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "default"},
	}}}}
	for _, file := range c.files {
		name, err := filepath.Rel(c.dir, file)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, load(t, fsys, name)...)
	}
	template := c.template(t, load(t, fsys, "policy.yaml"))
	objects = append(withDefaultNamespace(t, objects), template.Object)
	inMemory, findings := cluster.New(objects[:len(objects)-1])
	if findings.HasErrors() {
		t.Log(findings)
	}
	if c.fullDiffs {
		options = append(options, FullDiffs())
	}
	session := NewSession(cluster.NewState(inMemory, time.Now), options...)
	result, err := session.Evaluate(context.Background(), []Template{template})
	if err != nil {
		t.Fatal(err)
	}
	known := session.policies[nameOf(template)]
	if known == nil {
		return fmt.Sprint(result.Policies[0].Templates[0].Message, result.Findings), status
	}
	status = known.policy.Status
	var b strings.Builder
	b.WriteString("# Diffs:\n")
	for _, r := range relatedOf(status) {
		fmt.Fprintf(&b, "%s %s %s:\n%s\n", r.APIVersion, r.Kind, strings.TrimPrefix(r.Namespace+"/"+r.Name, "/"), strings.TrimSuffix(r.Diff, "\n"))
	}
	b.WriteString("# Compliance messages:\n")
	for _, message := range result.Policies[0].Templates[0].Messages {
		b.WriteString(message + "\n")
	}
	return b.String(), status
}

func load(t *testing.T, fsys fs.FS, name string) []manifest.Object {
	t.Helper()
	objects, findings := manifest.LoadFS(fsys, name)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return objects
}

// withDefaultNamespace does as the dry-run does with objects that name no namespace.
func withDefaultNamespace(t *testing.T, objects []manifest.Object) []manifest.Object {
	t.Helper()
	known, _ := cluster.New(nil)
	for _, object := range objects {
		if resource, err := known.Resource(object.GroupVersionKind()); err == nil && resource.Namespaced && object.GetNamespace() == "" {
			object.SetNamespace("default")
		}
	}
	return objects
}

// template gives the ConfigurationPolicy of the case as the dry-run evaluates it.
func (c dryRunCase) template(t *testing.T, objects []manifest.Object) Template {
	t.Helper()
	object := objects[0]
	if object.GetKind() == "Policy" {
		templates, _, err := unstructured.NestedSlice(object.Object, "spec", "policy-templates")
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range templates {
			definition, _, _ := unstructured.NestedMap(item.(map[string]any), "objectDefinition")
			if definition["kind"] == "ConfigurationPolicy" {
				object.Unstructured = &unstructured.Unstructured{Object: definition}
				break
			}
		}
	}
	spec := object.Object["spec"].(map[string]any)
	spec["evaluationInterval"] = map[string]any{"compliant": "10s", "noncompliant": "10s"}
	return Template{Object: object, RemediationAction: "inform"}
}

// comparable leaves out of a status what is another at each run.
func comparable(t *testing.T, status configpolicyv1.ConfigurationPolicyStatus) string {
	t.Helper()
	status = *status.DeepCopy()
	status.LastEvaluated, status.LastEvaluatedGeneration, status.History = "", 0, nil
	for _, detail := range status.CompliancyDetails {
		for i := range detail.Conditions {
			detail.Conditions[i].LastTransitionTime.Reset()
		}
	}
	for _, related := range status.RelatedObjects {
		if related.Properties != nil {
			related.Properties.UID = ""
		}
	}
	text, err := yaml.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The cases of the controller's own dry-run give the messages, diffs and statuses that they give there, and docs/fidelity.md says how
// many. A case that did not would have to be listed there, with its reason.
func TestDryRunCases(t *testing.T) {
	equal, failing := 0, 0
	for _, c := range dryRunCases(t) {
		t.Run(c.name, func(t *testing.T) {
			wanted, failure, wantStatus := c.official(t)
			if failure == "" {
				equal++
			} else {
				failing++
			}
			_, wanted, _ = strings.Cut(wanted, "# Diffs:")
			for name, options := range map[string][]SessionOption{"whole": {WholePolicies()}, "as usual": nil, "one by one": {SliceSize(1)}} {
				output, status := c.ours(t, options...)
				if failure != "" {
					// The tool gives up where the controller would try again, and prints no message. Ours is the one of the controller.
					if reason := strings.TrimPrefix(failure, "unable to complete the dryrun reconcile: "); !strings.Contains(output, "NonCompliant; violation - "+reason) {
						t.Errorf("%s: got %s, want %s", name, output, reason)
					}
					continue
				}
				if diff := cmp.Diff("# Diffs:"+wanted, output); diff != "" {
					t.Errorf("%s: the output differs (-official +ours):\n%s", name, diff)
				}
				if diff := cmp.Diff(comparable(t, wantStatus), comparable(t, status)); diff != "" {
					t.Errorf("%s: the status differs (-official +ours):\n%s", name, diff)
				}
			}
		})
	}
	Documented(t, "dry-run", fmt.Sprintf("%d cases give the same messages, diffs and statuses, byte for byte. In %d more the dry-run ends with an error of a template, "+
		"and here\nthe policy is not compliant with just that message. No case differs.\n", equal, failing))
}
