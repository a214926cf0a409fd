package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/policyloom/policyloom/pkg/progress"
)

// startProgress shows on standard error how far a long work is if that is a terminal; else the bar is nil, which shows nothing.
func startProgress(streams Streams) *progress.Bar {
	if !isTerminal(streams.Err) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return progress.Start(streams.Err, "clusters", progress.Delay)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
