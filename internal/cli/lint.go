package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report"
	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/sarif"
	"github.com/n8nlint/n8nlint/rules"
)

// lintFlags are the flags of the lint command.
type lintFlags struct {
	outputs        []string
	selected       []string
	ignored        []string
	failOn         string
	noConfig       bool
	quiet, verbose bool
	color          string
	stdinName      string
}

func newLint(s Streams, version string) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint [PATH ...]",
		Short: "Check workflows in files, folders or globs, or - for standard input",
		Long: `Check n8n workflow exports. PATH is a file, a folder, a glob, or - for standard
input; without one it is the current folder. All workflows of a run are one
project: calls between them are followed.

A folder is searched for .json files; what .gitignore names, and JSON that is no
workflow, is left out. A file that is named is never left out silently.

Exit code: 0 clean, 1 findings at or above --fail-on, 2 the run was not complete.`,
		RunE: func(c *cobra.Command, args []string) error {
			return runLint(c, args, f, s, version)
		},
	}
	flags := c.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", []string{textFormat}, "`FORMAT[=FILE]`: "+strings.Join(formatNames(), ", ")+"; repeatable")
	flags.StringSliceVar(&f.selected, "select", nil, "run only these `RULES`: names, families, all")
	flags.StringSliceVar(&f.ignored, "ignore", nil, "do not run these `RULES`")
	flags.StringVar(&f.failOn, "fail-on", "warning", "lowest `SEVERITY` that makes the exit code 1: error, warning, note, never")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no configuration file")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print findings and problems only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "also print what was not judged, and why")
	flags.StringVar(&f.color, "color", "auto", "`WHEN` to colour text: auto, always, never")
	flags.StringVar(&f.stdinName, "stdin-filename", "<stdin>", "`NAME` for what comes from standard input")
	return c
}

const neverFail = lint.Error + 1

func (f lintFlags) threshold() (lint.Severity, error) {
	if f.failOn == "never" {
		return neverFail, nil
	}
	s, ok := lint.ParseSeverity(f.failOn)
	if !ok {
		return s, fmt.Errorf("--fail-on %q: choose error, warning, note or never", f.failOn)
	}
	return s, nil
}

func runLint(c *cobra.Command, args []string, f lintFlags, s Streams, version string) error {
	threshold, err := f.threshold()
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.color) {
		return fmt.Errorf("--color %q: choose auto, always or never", f.color)
	}
	selected, err := selectRules(rules.All(), trimmed(f.selected), trimmed(f.ignored))
	if err != nil {
		return err
	}
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return err
	}
	if err := f.checkStdin(c, args); err != nil {
		return err
	}
	result := lint.Run(c.Context(), selected, find(args, s.In, f.stdinName))
	if len(selected) == 0 {
		fmt.Fprintln(s.Err, "n8nlint: --select and --ignore leave no rule to run")
	}
	tellProblems(s.Err, outputs, result.Problems)
	if err := writeAll(outputs, result, f, s, version); err != nil {
		return err
	}
	return verdict(result, threshold)
}

// checkStdin refuses a name for standard input where nothing is read from it.
func (f lintFlags) checkStdin(c *cobra.Command, args []string) error {
	if c.Flags().Changed("stdin-filename") && !slices.Contains(args, "-") {
		return errors.New("--stdin-filename names what comes from standard input; add the path -")
	}
	return nil
}

// tellProblems writes the problems of a run to standard error where no text
// report shows them: an exit code of 2 needs a reason on the screen.
func tellProblems(w io.Writer, outputs []output, problems []lint.Problem) {
	if slices.Contains(outputs, output{format: textFormat}) {
		return
	}
	for _, p := range problems {
		where := ""
		if p.File != "" {
			where = clean.Clip(p.File, clean.Message) + ": "
		}
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d: ", strings.TrimSuffix(where, ": "), p.Line, p.Column)
		}
		fmt.Fprintf(w, "n8nlint: %s%s\n", where, clean.Clip(p.Message, clean.Message))
	}
}

func verdict(r *lint.Result, threshold lint.Severity) error {
	if len(r.Problems) > 0 {
		return exit(exitIncomplete)
	}
	for _, f := range r.Findings {
		if f.Severity >= threshold {
			return exit(exitFindings)
		}
	}
	return nil
}

// selectRules takes the default rules, or the selected ones, less the ignored.
func selectRules(all []*lint.Rule, selected, ignored []string) (out []*lint.Rule, err error) {
	for _, word := range append(slices.Clone(selected), ignored...) {
		if !slices.ContainsFunc(all, func(r *lint.Rule) bool { return named(r, word) }) {
			return nil, fmt.Errorf("no rule or family is called %q; see n8nlint rules%s", word, suggestion(word, ruleNames(all)))
		}
	}
	for _, r := range all {
		in := r.Default && len(selected) == 0
		in = in || slices.ContainsFunc(selected, func(word string) bool { return named(r, word) })
		if in && !slices.ContainsFunc(ignored, func(word string) bool { return named(r, word) }) {
			out = append(out, r)
		}
	}
	return out, nil
}

// trimmed allows blanks behind the commas of a list.
func trimmed(words []string) (out []string) {
	for _, w := range words {
		out = append(out, strings.TrimSpace(w))
	}
	return out
}

func named(r *lint.Rule, word string) bool {
	return word == "all" || word == r.ID || word == string(r.Family)
}

func ruleNames(all []*lint.Rule) (names []string) {
	for _, r := range all {
		names = append(names, r.ID, string(r.Family))
	}
	return names
}

// output is one --output flag.
type output struct {
	format string
	file   string // "" is standard output
}

const (
	textFormat  = "text"
	sarifFormat = "sarif"
)

func formatNames() []string { return append(report.Names(), sarifFormat) }

func parseOutputs(flags []string) (out []output, err error) {
	onStdout := 0
	seen := map[string]bool{}
	for _, flag := range flags {
		format, file, toFile := strings.Cut(flag, "=")
		if !slices.Contains(formatNames(), format) {
			return nil, fmt.Errorf("--output %q: no such format; choose one of %s%s", flag, strings.Join(formatNames(), ", "), suggestion(format, formatNames()))
		}
		switch {
		case toFile && file == "":
			return nil, fmt.Errorf("--output %q: the name of the file is missing", flag)
		case !toFile:
			onStdout++
		case seen[filepath.Clean(file)]:
			return nil, fmt.Errorf("--output %q: another report goes to the same file", flag)
		default:
			seen[filepath.Clean(file)] = true
		}
		out = append(out, output{format: format, file: file})
	}
	if onStdout > 1 {
		return nil, fmt.Errorf("two formats cannot share standard output; write one of them to a file: --output %s=FILE", out[0].format)
	}
	return out, nil
}

func writeAll(outputs []output, r *lint.Result, f lintFlags, s Streams, version string) error {
	var errs []error
	for _, o := range outputs {
		errs = append(errs, write(o, r, f, s, version))
	}
	return errors.Join(errs...)
}

func write(o output, r *lint.Result, f lintFlags, s Streams, version string) error {
	if o.file == "" {
		return format(s.Out, o, r, f, useColor(f.color, s.Out), version)
	}
	var b bytes.Buffer
	if err := format(&b, o, r, f, f.color == "always", version); err != nil {
		return err
	}
	if err := os.WriteFile(o.file, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("cannot write the %s report: %w", o.format, err)
	}
	return nil
}

func format(w io.Writer, o output, r *lint.Result, f lintFlags, color bool, version string) error {
	if o.format == sarifFormat {
		return sarif.Write(w, r, sarif.Options{Tool: "n8nlint", Version: version, InformationURI: Home, HelpURI: helpURI})
	}
	write, _ := report.ByName(o.format)
	return write(w, r, report.Options{
		Info:  report.Info{Tool: "n8nlint", Version: version, InformationURI: Home},
		Color: color, Quiet: f.quiet, Verbose: f.verbose,
	})
}

// helpURI is the address of a rule's page.
func helpURI(id string) string {
	for _, r := range rules.All() {
		if r.ID == id {
			return fmt.Sprintf("%s/blob/main/rules/%s/%s.md", Home, r.Family, strings.ReplaceAll(id, "-", "_"))
		}
	}
	return ""
}
