package plugin

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Diagnose finds what would silently do nothing, or break, if the kustomize command built a directory: what is listed where it
// has no effect, functions that kustomize skips, names that no longer fit together. With enableExec the command is known to have
// the flag of that name. The error is as that of Build.
func Diagnose(ctx context.Context, o Options, enableExec bool) (diag.Findings, error) {
	survey := inspect(o.Dir)
	findings := append(survey.functionFindings(enableExec), survey.behaviors...)
	output, built, err := Build(ctx, o)
	if err != nil {
		return nil, err
	}
	findings = append(findings, built...)
	broken, err := survey.brokenBindings(output)
	if err != nil {
		return nil, err
	}
	findings = append(findings, broken...)
	findings.Sort()
	return findings, nil
}

// functionFindings reports resources of ours that are KRM functions.
func (s *survey) functionFindings(enableExec bool) diag.Findings {
	var findings diag.Findings
	for _, l := range s.listings {
		field, place := functionPlace(l.node)
		program := functionPath(l.node)
		if place == nil || program == "" || l.source == "" || l.list == "resources" {
			continue
		}
		if !enableExec {
			findings = append(findings, l.finding(place, field,
				"kustomize skips the function silently, unless it runs with --enable-exec; kubectl kustomize has no such flag",
				"run kustomize build --enable-alpha-plugins --enable-exec, and doctor with --enable-exec, too; "+
					"or remove the annotation and run policyloom install-plugin"))
		}
		if !isProgram(l.directory, program) {
			findings = append(findings, l.finding(place, field, "there is no program "+program,
				"name policyloom by a path from the directory of the kustomization"))
		}
	}
	return findings
}

// isProgram tells whether kustomize would find the program of a function.
func isProgram(directory, program string) bool {
	if !strings.ContainsRune(filepath.ToSlash(program), '/') {
		_, err := exec.LookPath(program)
		return err == nil
	}
	if !filepath.IsAbs(program) {
		program = filepath.Join(directory, program)
	}
	return isExecutable(program)
}
