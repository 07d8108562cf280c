// Command n8nlint finds what a repeated event does twice in n8n workflows.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/n8nlint/n8nlint/internal/cli"
)

// version is set by the release build.
var version string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, version)
	stop()
	os.Exit(code)
}
