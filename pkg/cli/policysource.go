package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
	"github.com/policyloom/policyloom/pkg/policies"
)

// policySource is where policies come from: files, directories, standard input, kustomizations.
type policySource struct {
	files          []string
	kustomizations []string
}

func (s *policySource) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVarP(&s.files, "filename", "f", nil, "policies in a file or in a directory and all below; - is standard input")
	flags.StringArrayVarP(&s.kustomizations, "kustomize", "k", nil, "policies that kustomize builds from a directory")
	completeManifests(command, "filename")
	completeDirectory(command, "kustomize")
}

func (s *policySource) isEmpty() bool { return len(s.files) == 0 && len(s.kustomizations) == 0 }

// check refuses sources that are not there.
func (s *policySource) check() error {
	var errs []error
	stdin := 0
	for _, file := range s.files {
		if file == standardInput {
			stdin++
			continue
		}
		errs = append(errs, exists(file))
	}
	if stdin > 1 {
		errs = append(errs, errors.New("standard input can be read only once"))
	}
	for _, directory := range s.kustomizations {
		errs = append(errs, exists(directory))
	}
	return errors.Join(errs...)
}

// load gives the manifests of all sources. VirtualMachineDNS resources among them are generated.
func (s *policySource) load(ctx context.Context, stdin io.Reader) ([]manifest.Object, diag.Findings, error) {
	source := policies.Source{FS: osFS{}, Kustomizations: s.kustomizations}
	for _, file := range s.files {
		if file == standardInput {
			source.Streams = append(source.Streams, policies.Stream{Name: stdinName, Reader: stdin})
			continue
		}
		source.Files = append(source.Files, file)
	}
	return policies.Load(ctx, source)
}
