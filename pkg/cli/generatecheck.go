package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/report"
)

// generateCheck compares what is generated with a file.
type generateCheck struct {
	file string
}

func (c *generateCheck) addFlags(command *cobra.Command) {
	command.Flags().StringVar(&c.file, "check", "", "print nothing but the difference to this file, which must not be any")
	completeManifests(command, "check")
}

func (c *generateCheck) isWanted() bool { return c.file != "" }

// failure makes an error about resources one that keeps the check from being made.
func (c *generateCheck) failure(w io.Writer, err error) error {
	var findings diag.Findings
	if !c.isWanted() || !errors.As(err, &findings) {
		return err
	}
	if err := report.Findings(w, findings, false); err != nil {
		return err
	}
	return errFailed
}

// run prints the difference, if there is one, and fails then.
func (c *generateCheck) run(streams Streams, sources []string, generated []byte) error {
	update := "policyloom generate"
	for _, source := range sources {
		update += " " + shellWord(source)
	}
	update += " > " + shellWord(c.file)
	if err := exists(c.file); err != nil {
		return fmt.Errorf("%w (make it with: %s)", err, update)
	}
	current, err := os.ReadFile(c.file)
	if err != nil {
		return err
	}
	if bytes.Equal(current, generated) {
		return nil
	}
	if err := difflib.WriteUnifiedDiff(printableLines{streams.Out}, difflib.UnifiedDiff{
		A: linesOf(current), FromFile: c.file,
		B: linesOf(generated), ToFile: "generated",
		Context: 3,
	}); err != nil {
		return err
	}
	finding := diag.Finding{
		Severity: diag.Error, Position: diag.Position{File: c.file, Line: firstDifference(current, generated)},
		Message: "differs from what is generated", Hint: "update it with: " + update,
	}
	if err := report.Findings(streams.Err, diag.Findings{finding}, false); err != nil {
		return err
	}
	return errFindings
}

// linesOf splits a text as diff does.
func linesOf(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n\\ No newline at end of file\n"
	}
	return lines
}

// firstDifference gives the number of the first line that differs.
func firstDifference(a, b []byte) int {
	line := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

// printableLines writes text without anything that a terminal would obey.
type printableLines struct{ io.Writer }

func (w printableLines) Write(p []byte) (int, error) {
	var text strings.Builder
	for line := range strings.Lines(string(p)) {
		content, end, _ := strings.Cut(line, "\n")
		text.WriteString(diag.Printable(content) + line[len(content):len(line)-len(end)])
	}
	if _, err := io.WriteString(w.Writer, text.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./=:@%+,-]+$`)

// shellWord gives a text as one word of a shell.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
