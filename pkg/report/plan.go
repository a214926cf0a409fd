package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/dnsplan"
)

// PlanFormats are the names that Plan knows.
var PlanFormats = []string{"text", "markdown", "json", "yaml"}

// Plan prints a plan in a format, which is text where it has no name. Records that stay are printed on request.
func Plan(w io.Writer, format string, p dnsplan.Plan, untouched bool) error {
	if !untouched {
		p = withoutUntouched(p)
	}
	switch format {
	case "text", "":
		return textPlan(w, p)
	case "markdown":
		return markdownPlan(w, p)
	case "json":
		text, err := jsonText(p, "", "  ")
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	case "yaml":
		text, err := plainYAML(p)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	default:
		return PlanFormat(format)
	}
}

// PlanFormat gives an error for a name that is none of PlanFormats.
func PlanFormat(format string) error {
	for _, known := range append(PlanFormats, "") {
		if format == known {
			return nil
		}
	}
	hint := diag.DidYouMean(format, PlanFormats)
	if hint == "" {
		hint = "one of " + strings.Join(PlanFormats, ", ")
	}
	return fmt.Errorf("unknown output format %q (%s)", format, hint)
}

func withoutUntouched(p dnsplan.Plan) dnsplan.Plan {
	zones := make([]dnsplan.Zone, 0, len(p.Zones))
	for _, zone := range p.Zones {
		zone.Untouched = nil
		zones = append(zones, zone)
	}
	p.Zones = zones
	return p
}
