// Package cli is the command line: flags in, one call of a core package, a printer out.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/plugin"
	"github.com/policyloom/policyloom/pkg/report"
)

// Exit codes of the program.
const (
	// ExitFine means that there is nothing to complain about.
	ExitFine = 0
	// ExitFindings means that something in the input is wrong.
	ExitFindings = 1
	// ExitUsage means that the command was used in a wrong way, or failed by itself.
	ExitUsage = 2
	// ExitChanges means with --detailed-exitcode that there are changes and nothing to complain about.
	ExitChanges = 2
	// ExitFailed takes the place of ExitUsage there.
	ExitFailed = 3
)

// detailedFlag asks for an exit code of its own for changes.
const detailedFlag = "detailed-exitcode"

// Streams are the standard streams of the program.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// grace is the time to clean up after the context ends. A read of a pipe that no one writes to does not notice.
const grace = time.Second

// Main runs the program with os.Args and gives the exit code, not long after the context ends in any case. Under kustomize it is
// a plugin or a KRM function.
func Main(ctx context.Context, args []string, streams Streams) int {
	done := make(chan int, 1)
	go func() { done <- detailed(args, execute(ctx, args, streams)) }()
	select {
	case code := <-done:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-done:
		return code
	case <-time.After(grace):
		return detailed(args, exitCode(ctx.Err(), streams.Err, false))
	}
}

// codeOfChanges stands for ExitChanges until it is clear what the user asked for.
const codeOfChanges = -1

// detailed tells changes from failures, if the user asked for that.
func detailed(args []string, code int) int {
	asked := slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--"+detailedFlag || strings.HasPrefix(arg, "--"+detailedFlag+"=")
	})
	switch {
	case code == codeOfChanges:
		return ExitChanges
	case code == ExitUsage && asked:
		return ExitFailed
	default:
		return code
	}
}

func execute(ctx context.Context, args []string, streams Streams) int {
	call := plugin.Call{Args: args, Getenv: os.Getenv, Stdin: streams.In, Stdout: streams.Out}
	if call.IsFunction() {
		findings, err := call.RunFunction(pluginProgram)
		_ = report.Findings(streams.Err, findings, false)
		if err == nil && findings.HasErrors() {
			err = errFindings
		}
		return exitCode(err, streams.Err, false)
	}
	if call.IsPlugin() {
		return exitCode(call.Run(pluginProgram), streams.Err, false)
	}
	root := newRoot(streams)
	root.SetArgs(asInGo(args[1:]))
	// Whoever prints help does not look whether that worked.
	help := &rememberingWriter{w: streams.Out}
	root.SetOut(help)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = help.err
	}
	return exitCode(err, streams.Err, isVerbose(root))
}

// rememberingWriter remembers the first error of a writer.
type rememberingWriter struct {
	w   io.Writer
	err error
}

func (r *rememberingWriter) Write(data []byte) (int, error) {
	n, err := r.w.Write(data)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

// errFindings says that findings, which are printed already, make the command fail.
var errFindings = errors.New("there are errors")

// errChanges says that there are changes, and that the user asked for an exit code that says so.
var errChanges = errors.New("there are changes")

// errFailed says that errors, which are printed already, kept the command from doing what it was asked for.
var errFailed = errors.New("failed")

// exitCode prints an error and gives the exit code for it.
func exitCode(err error, w io.Writer, verbose bool) int {
	var findings diag.Findings
	switch {
	case err == nil:
		return ExitFine
	case errors.Is(err, errFindings):
		return ExitFindings
	case errors.Is(err, errChanges):
		return codeOfChanges
	case errors.Is(err, errFailed):
		return ExitUsage
	case errors.As(err, &findings):
		_ = report.Findings(w, findings, verbose)
		return ExitFindings
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "error: interrupted")
		return ExitUsage
	case errors.Is(err, syscall.EPIPE):
		// Whoever reads the output has seen enough.
		return ExitUsage
	default:
		for _, e := range parts(err) {
			fmt.Fprintln(w, "error: "+diag.Printable(e.Error()))
		}
		return ExitUsage
	}
}

// parts takes joined errors apart.
func parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		errs = append(errs, parts(e)...)
	}
	return errs
}
