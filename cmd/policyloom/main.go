// Command policyloom generates Open Cluster Management policies that give virtual machines DNS names, and renders any OCM
// policy offline. Called as a kustomize plugin it generates.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/policyloom/policyloom/pkg/cli"
	"github.com/policyloom/policyloom/pkg/pace"
)

func main() {
	pace.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Only the first signal asks for an orderly end.
	context.AfterFunc(ctx, stop)
	code := cli.Main(ctx, os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
