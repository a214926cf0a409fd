// Package plugin connects policyloom and kustomize, both ways: kustomize runs policyloom as a plugin or as a KRM function,
// which generates or fills in templates, and policyloom runs kustomize in process with itself as a plugin.
package plugin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Options say what to build, and with which plugins.
type Options struct {
	// Dir is the directory of the kustomization.
	Dir string
	// Executable is the policyloom program, which kustomize runs as a plugin. Default: the running program.
	Executable string
	// PolicyGenerator is the path of the PolicyGenerator plugin. Default: see FindPolicyGenerator.
	PolicyGenerator string
}

// Built is what a build gives.
type Built struct {
	// Output is a YAML stream.
	Output []byte
	// Origins say where each of its documents comes from.
	Origins []Origin
}

// Build gives what `kustomize build --enable-alpha-plugins` prints for a directory, byte for byte, without any set-up:
// policyloom, PolicyGenerator and all plugins of the user's plugin home can be used in it. A VirtualMachineDNS that is a KRM
// function is run, too, by this program, which is what kustomize prints with --enable-exec. Remote resources, Helm charts and
// all other KRM functions are findings, since nothing here dials out. So is a VirtualMachineDNS that has no effect. The error says
// that there was no build at all; it is that of ctx if ctx ends first.
//
// kustomize takes the plugin home and the directory of its temporary files from the environment of the process, so Build
// changes KUSTOMIZE_PLUGIN_HOME and TMPDIR while it runs, and one Build waits for the other. If ctx ends while a plugin
// runs, Build comes back at once; the variables are restored as soon as that plugin has ended.
func Build(ctx context.Context, o Options) ([]byte, diag.Findings, error) {
	built, findings, err := build(ctx, o, false)
	return built.Output, findings, err
}

// BuildWithOrigins is Build that also says where each object comes from.
func BuildWithOrigins(ctx context.Context, o Options) (Built, diag.Findings, error) {
	return build(ctx, o, true)
}

func build(ctx context.Context, o Options, withOrigins bool) (Built, diag.Findings, error) {
	survey := inspect(o.Dir)
	if survey.findings.HasErrors() {
		return Built{}, survey.findings, nil
	}
	endTurn, err := takeTurn(ctx)
	if err != nil {
		return Built{}, nil, err
	}
	workshop, err := newWorkshop(o)
	if err != nil {
		endTurn()
		return Built{}, nil, fmt.Errorf("preparing the build: %w", err)
	}
	restore, err := setEnvironment(workshop.environment())
	if err != nil {
		workshop.remove()
		endTurn()
		return Built{}, nil, fmt.Errorf("preparing the build: %w", err)
	}

	done := make(chan result, 1)
	go func() {
		r := workshop.run(survey, withOrigins)
		restore()
		workshop.remove()
		endTurn()
		done <- r
	}()
	select {
	case r := <-done:
		return r.built, r.findings, r.err
	case <-ctx.Done():
		// kustomize cannot be stopped. Without its plugin home it fails at the next step, so nobody has to wait for it.
		workshop.remove()
		return Built{}, nil, ctx.Err()
	}
}

type result struct {
	built    Built
	findings diag.Findings
	err      error
}

// workshop is the temporary directory of one build.
type workshop struct {
	root string
}

func newWorkshop(o Options) (*workshop, error) {
	executable := o.Executable
	if executable == "" {
		var err error
		if executable, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	root, err := os.MkdirTemp("", "policyloom-build-")
	if err != nil {
		return nil, err
	}
	w := &workshop{root: root}
	for _, directory := range []string{w.home(), w.temporary(), w.reports()} {
		if err := os.Mkdir(directory, 0o700); err != nil {
			w.remove()
			return nil, err
		}
	}
	if err := fillHome(w.home(), executable, o.PolicyGenerator); err != nil {
		w.remove()
		return nil, err
	}
	return w, nil
}

func (w *workshop) home() string      { return filepath.Join(w.root, "plugins") }
func (w *workshop) temporary() string { return filepath.Join(w.root, "tmp") }
func (w *workshop) reports() string   { return filepath.Join(w.root, "reports") }

// environment names the directories to kustomize and to its plugins. kustomize leaves a file behind for each plugin
// that fails, which is why it gets a temporary directory of its own.
func (w *workshop) environment() map[string]string {
	return map[string]string{
		konfig.KustomizePluginHomeEnv: w.home(),
		reportEnv:                     w.reports(),
		"TMPDIR":                      w.temporary(),
		"TMP":                         w.temporary(),
		"TEMP":                        w.temporary(),
	}
}

func (w *workshop) remove() { _ = os.RemoveAll(w.root) }

// run is the build itself, with the options that the kustomize command has.
func (w *workshop) run(s *survey, withOrigins bool) (r result) {
	defer func() {
		if cause := recover(); cause != nil {
			r = result{err: fmt.Errorf("kustomize gave up on %s: %v", s.shown, cause)}
		}
	}()
	plugins := types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	plugins.HelmConfig = types.HelmConfig{}
	kustomizer := krusty.MakeKustomizer(&krusty.Options{
		Reorder:          krusty.ReorderOptionUnspecified,
		LoadRestrictions: types.LoadRestrictionsRootOnly,
		PluginConfig:     plugins,
	})
	var built Built
	var files filesys.FileSystem = functionFS{filesys.MakeFsOnDisk(), s.functions}
	traced := &originFS{FileSystem: files, root: s.root}
	if withOrigins {
		files = traced
	}
	resources, buildErr := kustomizer.Run(files, s.root)
	if buildErr == nil && withOrigins {
		built.Origins, buildErr = originsOf(s, resources, traced.asked)
	}
	if buildErr == nil {
		built.Output, buildErr = resources.AsYaml()
	}
	reports, err := readReports(w.reports())
	if err != nil {
		return result{err: err}
	}
	var findings diag.Findings
	for _, report := range reports {
		findings = append(findings, report.Findings...)
	}
	if buildErr != nil {
		built = Built{}
		if !findings.HasErrors() {
			findings = append(findings, s.explain(buildErr, w.home()))
		}
	}
	for i := range findings {
		findings[i] = s.locate(findings[i])
	}
	if buildErr == nil {
		if unused := s.unused(reports); len(unused) > 0 {
			built, findings = Built{}, append(findings, unused...)
		}
	}
	if unfilled, err := s.unfilled(built.Output); err != nil {
		return result{err: err}
	} else if len(unfilled) > 0 {
		built, findings = Built{}, append(findings, unfilled...)
	}
	findings.Sort()
	return result{built: built, findings: findings}
}
