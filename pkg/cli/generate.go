package cli

import (
	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/generate"
	"github.com/policyloom/policyloom/pkg/report"
)

func newGenerate(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "generate FILE...",
		Short: "Print the hub's manifests for VirtualMachineDNS resources",
		Long: `Print the Policy, Placement and PlacementBinding that VirtualMachineDNS resources stand for.

Each FILE holds one or more resources in YAML or JSON; - is standard input. All errors in all files are reported.`,
		Example: `  policyloom generate vm-dns.yaml
  policyloom generate vm-dns.yaml | kubectl apply -f -
  cat vm-dns.yaml | policyloom generate -`,
		Args:              atLeastOneFile,
		ValidArgsFunction: manifestArguments,
		RunE: func(cmd *cobra.Command, files []string) error {
			var resources []*v1alpha1.VirtualMachineDNS
			var findings diag.Findings
			for _, file := range files {
				data, name, err := readFile(file, streams.In)
				if err != nil {
					return err
				}
				decoded, found := decodeResources(name, data, v1alpha1.Decode)
				resources = append(resources, decoded...)
				findings = append(findings, found...)
			}
			if err := report.Findings(streams.Err, findings, isVerbose(cmd)); err != nil {
				return err
			}
			if findings.HasErrors() {
				return errFindings
			}
			output, err := generate.YAML(resources)
			if err != nil {
				return err
			}
			_, err = streams.Out.Write(output)
			return err
		},
	}
}

func atLeastOneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return withHint("name a file, or - for standard input", "", cmd)
	}
	return nil
}

// decodeResources reads resources, fills in defaults and validates.
func decodeResources(
	name string, data []byte, decode func(string, []byte) ([]*v1alpha1.VirtualMachineDNS, diag.Findings),
) ([]*v1alpha1.VirtualMachineDNS, diag.Findings) {
	resources, findings := decode(name, data)
	for _, resource := range resources {
		findings = append(findings, resource.Validate()...)
		resource.Default()
	}
	if len(resources) == 0 && !findings.HasErrors() {
		findings = append(findings, diag.Finding{
			Severity: diag.Error, Position: diag.Position{File: name},
			Message: "holds no " + v1alpha1.VirtualMachineDNSKind,
		})
	}
	findings.Sort()
	return resources, findings
}
