// Package diag holds diagnostics as data: what is wrong, where, and what to do about it. Packages collect findings and
// return them all; only a printer turns them into text.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says what a finding means for the exit status.
type Severity string

const (
	// Error makes the command fail.
	Error Severity = "error"
	// Warning is shown and leaves the exit status alone.
	Warning Severity = "warning"
	// Info is shown only when the user asks for details.
	Info Severity = "info"
)

// Position is a place in a file. Line and Column count from 1; 0 means unknown.
type Position struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String gives file:line:column without the parts that are unknown.
func (p Position) String() string {
	parts := make([]string, 0, 3)
	if p.File != "" {
		parts = append(parts, p.File)
	}
	if p.Line > 0 {
		parts = append(parts, fmt.Sprint(p.Line))
		if p.Column > 0 {
			parts = append(parts, fmt.Sprint(p.Column))
		}
	}
	return strings.Join(parts, ":")
}

// Finding is one diagnostic.
type Finding struct {
	Severity Severity `json:"severity"`
	Position
	// Cluster is the managed cluster that the finding belongs to, if it belongs to one. A printer may put several names here.
	Cluster string `json:"cluster,omitempty"`
	// Object names the object as "Kind namespace/name".
	Object string `json:"object,omitempty"`
	// Field is the path of the field inside the object, such as spec.records.ttl.
	Field string `json:"field,omitempty"`
	// Message says what is wrong, in one line.
	Message string `json:"message"`
	// Hint says what to do.
	Hint string `json:"hint,omitempty"`
	// Excerpt holds lines that show the place, such as those of a template around a fault. Printers put them below the finding.
	Excerpt string `json:"excerpt,omitempty"`
}

// String gives the finding in one line, its parts in the order place, cluster, object, field, message, hint.
func (f Finding) String() string {
	var parts []string
	if place := f.Position.String(); place != "" {
		parts = append(parts, place)
	}
	switch {
	case strings.Contains(f.Cluster, " "):
		parts = append(parts, "clusters "+f.Cluster)
	case f.Cluster != "":
		parts = append(parts, "cluster "+f.Cluster)
	}
	if f.Object != "" {
		parts = append(parts, f.Object)
	}
	if f.Field != "" {
		parts = append(parts, f.Field)
	}
	text := strings.Join(append(parts, f.Message), ": ")
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	return Printable(text)
}

// Findings are several diagnostics. As an error it stands for all of them.
type Findings []Finding

// Error gives one line for each finding.
func (l Findings) Error() string {
	lines := make([]string, 0, len(l))
	for _, f := range l {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Err gives the findings as an error if one of them is an error, else nil.
func (l Findings) Err() error {
	if l.HasErrors() {
		return l
	}
	return nil
}

// HasErrors tells whether one of the findings has the severity Error.
func (l Findings) HasErrors() bool {
	return slices.ContainsFunc(l, func(f Finding) bool { return f.Severity == Error })
}

// Sort puts the findings into a stable order: by file, line, column, cluster, object, field and message.
func (l Findings) Sort() {
	slices.SortStableFunc(l, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Message, b.Message),
		)
	})
}
