package plugin

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
)

var (
	// Steps on the way down to the kustomization that fails. The first attempt to read it as a file is part of the text.
	descent = regexp.MustCompile(`(?s)^(?:accumulation err='.*?': )?` +
		`(?:recursed accumulation of|recursed merging from|couldn't make target for) path '([^']*)': `)
	component = regexp.MustCompile(`(?s)^accumulateDirectory: (".*")$`)
	preamble  = regexp.MustCompile(`^(?:accumulating resources|accumulating components|loading generator plugins|` +
		`failed to load generator): `)
	// Neither a file nor a directory: what failed first is the better message.
	notDirectory  = regexp.MustCompile(`(?s)^accumulation err='(.*)': must build at directory: .*$`)
	malformed     = regexp.MustCompile(`(?s)MalformedYAMLError: .* in File: (.+)$`)
	pluginFailure = regexp.MustCompile(`(?s)^(.*?)\s*: failure in plugin configured via (\S+); (.*?)\s*$`)
	noPlugin      = regexp.MustCompile(`expected file with Go object code at: (.*)\.so`)
	builtin       = regexp.MustCompile("(?s)^trouble configuring builtin (\\w+) with config: `\n.*?\n`: ")
	noFile        = regexp.MustCompile(`evalsymlink failure on '[^']*' : lstat (.*?): (no such file or directory)`)
)

// explain turns an error of kustomize into a finding: what failed in the end, and under File the directory of the
// kustomization where it did, empty for the first one. What a plugin wrote to its standard error stays.
func (s *survey) explain(err error, pluginHome string) diag.Finding {
	finding := diag.Finding{Severity: diag.Error}
	text := err.Error()
	for {
		text = trimPreambles(text)
		if m := descent.FindStringSubmatch(text); m != nil {
			finding.File, text = m[1], text[len(m[0]):]
			continue
		}
		if m := component.FindStringSubmatch(text); m != nil {
			if inner, err := strconv.Unquote(m[1]); err == nil {
				text = inner
				continue
			}
		}
		break
	}
	if m := malformed.FindStringSubmatch(text); m != nil {
		if found, ok := s.malformed(finding.File, m[1]); ok {
			return found
		}
	}
	if m := pluginFailure.FindStringSubmatch(text); m != nil {
		// Plugins name the temporary file that holds their configuration, which means nothing to the user.
		finding.Message = strings.ReplaceAll(strings.TrimSpace(m[1]), m[2], "configuration")
		if finding.Message == "" {
			finding.Message = "a plugin failed without a message: " + m[3]
		}
		return finding
	}
	if m := noPlugin.FindStringSubmatch(text); m != nil {
		return missingPlugin(finding, pluginHome, m[1])
	}
	if m := notDirectory.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = builtin.ReplaceAllString(text, "$1: ")
	text = noFile.ReplaceAllString(text, "$1: $2")
	finding.Message = strings.TrimSpace(s.showAll(text))
	return finding
}

func trimPreambles(text string) string {
	for {
		loc := preamble.FindStringIndex(text)
		if loc == nil {
			return text
		}
		text = text[loc[1]:]
	}
}

// missingPlugin says which kind has no plugin; path is where in the plugin home it would have been.
func missingPlugin(finding diag.Finding, pluginHome, path string) diag.Finding {
	kind := filepath.Base(path)
	apiVersion := filepath.Dir(filepath.Dir(path))
	if relative, err := filepath.Rel(pluginHome, apiVersion); err == nil {
		apiVersion = filepath.ToSlash(relative)
	}
	finding.Message = "there is no plugin for kind " + kind + " of " + apiVersion
	finding.Hint = diag.DidYouMean(apiVersion+" "+kind, knownPlugins())
	if apiVersion == policyGeneratorVersion && kind == policyGeneratorKind {
		finding.Hint = "put the PolicyGenerator program on PATH or into the plugin home of kustomize"
	}
	return finding
}
