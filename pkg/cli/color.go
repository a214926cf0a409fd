package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/report"
)

var colorValues = []string{"auto", "always", "never"}

// colorOption says whether lines have colours.
type colorOption struct{ when string }

func (o *colorOption) addFlags(command *cobra.Command) {
	command.Flags().StringVar(&o.when, "color", "auto", "colour the text: auto (on a terminal, unless NO_COLOR is set), always, never")
	completeValues(command, "color", colorValues)
}

func (o *colorOption) check(cmd *cobra.Command) error {
	if slices.Contains(colorValues, o.when) {
		return nil
	}
	return withHint(fmt.Sprintf("unknown value %q for --color", o.when), cmp.Or(diag.DidYouMean(o.when, colorValues), "auto, always or never"), cmd)
}

// print calls a function with a writer for the format. Only text has colours.
func (o *colorOption) print(out io.Writer, format string, print func(io.Writer) error) error {
	isText := format == "" || format == "text"
	colored := o.when == "always" || o.when == "auto" && isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if !isText || !colored {
		return print(out)
	}
	w := report.Colored(out)
	if err := print(w); err != nil {
		return err
	}
	return w.Close()
}
