package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/plugin"
	"github.com/policyloom/policyloom/pkg/report"
)

var doctorFormats = []string{"text", "json"}

// diagnosis is all that doctor found.
type diagnosis struct {
	Checks []plugin.Check `json:"checks"`
	// Flags are the commands that build a kustomization with the plugin.
	Flags []string `json:"flags"`
	// Findings are those about kustomizations.
	Findings diag.Findings `json:"findings"`
}

// flagsFor gives the commands that build with the plugin.
func flagsFor(enableExec bool) []string {
	if enableExec {
		return []string{"kustomize build --enable-alpha-plugins --enable-exec"}
	}
	return []string{"kustomize build --enable-alpha-plugins", "kubectl kustomize --enable-alpha-plugins"}
}

func (d diagnosis) print(w io.Writer, format string, verbose bool) error {
	if format == "json" {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(d)
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, check := range d.Checks {
		fmt.Fprintf(table, "%s\t%s\t%s\n", check.Status, check.Name, diag.Printable(describe(check)))
	}
	for _, line := range d.Flags {
		fmt.Fprintf(table, "use\tflags\t%s\n", line)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return report.Findings(w, d.Findings, verbose)
}

// describe gives a check in one line, without its name.
func describe(check plugin.Check) string {
	var parts []string
	for _, part := range []string{strings.TrimSpace(check.Path + " " + check.Version), check.Message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	text := strings.Join(parts, ": ")
	if check.Hint != "" {
		text += " (" + check.Hint + ")"
	}
	return text
}
