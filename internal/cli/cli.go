// Package cli is the command line: it finds files, runs the rules and writes
// reports.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Streams are the standard streams of the process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// The exit codes.
const (
	exitClean      = 0
	exitFindings   = 1
	exitIncomplete = 2
)

// exit is an error that says only how the process ends.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Home is where the project and its rule pages live.
const Home = "https://github.com/n8nlint/n8nlint"

// Main runs the command line and gives the exit code: 0 clean, 1 findings at or
// above --fail-on, 2 not complete.
func Main(ctx context.Context, args []string, s Streams, version string) int {
	root := newRoot(s, buildVersion(version))
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var code exit
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(s.Err, "n8nlint: %v\n", err)
	return exitIncomplete
}

func newRoot(s Streams, version string) *cobra.Command {
	root := &cobra.Command{
		Use:   "n8nlint",
		Short: "Finds what a repeated event does twice in n8n workflows",
		Long: `n8nlint reads exports of n8n workflows and answers: when this event arrives
twice, when this call times out, when this run crashes, what happens twice, or
never?`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		DisableFlagsInUseLine: true,
	}
	root.SetVersionTemplate("n8nlint {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	})
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddCommand(newLint(s, version), newExplain(s), newRules(s), newVersion(s, version))
	return root
}

// unknownCommand refuses a first word that is no command. A path there is what
// somebody types who expects lint to be left out.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if _, err := os.Stat(word); err == nil || isGlob(word) || word == "-" {
		return fmt.Errorf("no command is called %q; to check it: n8nlint lint %s", word, word)
	}
	var commands []string
	for _, sub := range c.Commands() {
		commands = append(commands, sub.Name())
	}
	return fmt.Errorf("no command is called %q; see n8nlint --help%s", word, suggestion(word, commands))
}

func newVersion(s Streams, version string) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.Out, "n8nlint", version)
			return err
		},
	}
}

// buildVersion is the release's version, or what the Go toolchain knows of the
// module that was built.
func buildVersion(set string) string {
	if set != "" {
		return set
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && terminal(int(f.Fd()))
}
