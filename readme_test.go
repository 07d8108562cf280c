package n8nlint_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/cli"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/rules"
)

var update = flag.Bool("update", false, "write what the README shows anew")

var (
	console   = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```")
	shell     = regexp.MustCompile("(?s)```sh\n(.*?)```")
	ruleTable = regexp.MustCompile(`(?s)(<!-- rules: [^\n]* -->\n).*(<!-- end of rules -->)`)
)

const runPrefix = "go run ./cmd/n8nlint "

// output runs a command line of the README in process.
func output(t *testing.T, line string) string {
	t.Helper()
	require.True(t, strings.HasPrefix(line, runPrefix), "the README runs %q", line)
	var out, errs bytes.Buffer
	cli.Main(context.Background(), strings.Fields(strings.TrimPrefix(line, runPrefix)), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "(devel)")
	require.Empty(t, errs.String())
	return out.String()
}

// TestDocs: what the README and the pages under docs show is what the program
// prints.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "README.md") {
		t.Run(page, func(t *testing.T) { checkPage(t, page) })
	}
}

func checkPage(t *testing.T, page string) {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	text := string(data)
	want := console.ReplaceAllStringFunc(text, func(block string) string {
		line := console.FindStringSubmatch(block)[1]
		return "```console\n$ " + line + "\n" + output(t, line) + "```"
	})
	want = ruleTable.ReplaceAllString(want, "${1}"+strings.ReplaceAll(table(), "$", "$$")+"${2}")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, text)
}

func table() string {
	all := rules.All()
	slices.SortFunc(all, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	b.WriteString("| rule | family | strongest | finds |\n| --- | --- | --- | --- |\n")
	for _, r := range all {
		off := ""
		if !r.Default {
			off = " (off unless selected)"
		}
		fmt.Fprintf(&b, "| [%s](rules/%s/%s.md) | %s | %s | %s%s |\n", r.ID, r.Family, strings.ReplaceAll(r.ID, "-", "_"), r.Family, r.Severity, r.Title, off)
	}
	return b.String()
}

// TestREADMECommands: the command lines for the shell run.
func TestREADMECommands(t *testing.T) {
	data, err := os.ReadFile("README.md")
	require.NoError(t, err)
	ran := 0
	for _, block := range shell.FindAllStringSubmatch(string(data), -1) {
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, runPrefix) {
				ran++
				require.NotEmpty(t, output(t, line))
			}
		}
	}
	require.Positive(t, ran)
	require.Contains(t, string(data), "go test ./...")
}
