package plugin

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzInspect puts any text where a kustomization and the configuration of a plugin are.
func FuzzInspect(f *testing.F) {
	for _, pattern := range []string{"testdata/build/*/*.yaml", "testdata/build/*/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte("resources: &a [*a, ., .., config.yaml]\ngenerators: [config.yaml, kustomization.yaml]"))
	f.Add([]byte("&a metadata: {annotations: *a, configFn: {}, name: [x]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		directory := t.TempDir()
		write(t, filepath.Join(directory, "config.yaml"), string(data))
		write(t, filepath.Join(directory, "kustomization.yaml"), string(data))
		write(t, filepath.Join(directory, "top", "kustomization.yaml"), "resources: [..]\ngenerators: [../config.yaml]\n")
		s := inspect(filepath.Join(directory, "top"))
		for _, finding := range s.findings {
			if finding.Message == "" || finding.File == "" || finding.Line == 0 {
				t.Errorf("a finding without a message or a place: %+v", finding)
			}
		}
		for _, c := range s.configs {
			c.is("VirtualMachineDNS x")
			fieldPlace(c.node, string(data))
		}
	})
}

// FuzzExplain feeds any error of kustomize.
func FuzzExplain(f *testing.F) {
	f.Add("accumulating resources: accumulation err='accumulating resources from '../b': '/b' must resolve to a file': " +
		"recursed accumulation of path '/b': VirtualMachineDNS vm-dns: spec.x: boom\n: " +
		"failure in plugin configured via /tmp/kust-plugin-config-1; exit status 1")
	f.Add(`accumulating components: accumulateDirectory: "recursed accumulation of path '/c': boom"`)
	f.Add("accumulation err='accumulation err='x': must build at directory: y': must build at directory: z")
	f.Add(": failure in plugin configured via x; exit status 1")
	f.Add("expected file with Go object code at: .so")
	f.Fuzz(func(t *testing.T, text string) {
		s := &survey{root: "/b", shown: "b", files: map[string]string{"/b": "b/kustomization.yaml"}}
		finding := s.explain(errors.New(text), "/home")
		if strings.TrimSpace(text) != "" && len(finding.Message) > len(text)+100 {
			t.Errorf("%q became the longer %q", text, finding.Message)
		}
	})
}
