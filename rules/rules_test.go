package rules_test

import (
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

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/rules"
)

var update = flag.Bool("update", false, "write the .want files anew")

const fixtures = "../testdata/workflows"

func run(t *testing.T, rule *lint.Rule, inputs ...lint.Input) *lint.Result {
	t.Helper()
	r := lint.Run(context.Background(), []*lint.Rule{rule}, inputs)
	require.Empty(t, r.Problems)
	return r
}

func TestRulesAreValid(t *testing.T) {
	require.NoError(t, lint.Validate(rules.All()))
}

// TestFixtures: every bad case gives what its .want says, every good case
// nothing, and every rule has both.
func TestFixtures(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			cases := casesOf(t, rule.ID)
			kinds := map[string]int{}
			for _, c := range cases {
				kind, _, _ := strings.Cut(filepath.Base(c), "-")
				kinds[kind]++
				t.Run(filepath.Base(c), func(t *testing.T) { checkCase(t, rule, c, kind) })
			}
			require.Positive(t, kinds["bad"], "a rule needs a bad case")
			require.GreaterOrEqual(t, kinds["good"], 2, "a rule needs two good cases")
		})
	}
}

// casesOf are the files and folders of a rule's fixtures.
func casesOf(t *testing.T, id string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(fixtures, id))
	require.NoError(t, err, "every rule has a folder of fixtures")
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), ".json") {
			list = append(list, filepath.Join(fixtures, id, e.Name()))
		}
	}
	return list
}

func inputsOf(t *testing.T, path string) (inputs []lint.Input) {
	t.Helper()
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(path, "*.json"))
	}
	slices.Sort(files)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		inputs = append(inputs, lint.Input{File: source.NewFile(filepath.Base(f), data), Named: true})
	}
	return inputs
}

func checkCase(t *testing.T, rule *lint.Rule, path, kind string) {
	got := describe(run(t, rule, inputsOf(t, path)...))
	if kind == "good" {
		require.Empty(t, got)
		return
	}
	require.Equal(t, "bad", kind, "a case is called bad-… or good-…")
	require.NotEmpty(t, got)
	want := strings.TrimSuffix(path, ".json") + ".want"
	if *update {
		require.NoError(t, os.WriteFile(want, []byte(got), 0o644))
	}
	text, err := os.ReadFile(want)
	require.NoError(t, err)
	require.Equal(t, string(text), got)
}

// describe writes one line a finding: place, severity and confidence, the text
// under the span, the message.
func describe(r *lint.Result) string {
	var b strings.Builder
	for _, f := range r.Findings {
		start, end := f.At.Range(source.Runes)
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d %s/%s `%s` %s\n", f.At.File.Name, start.Line, start.Column, end.Line, end.Column,
			f.Severity, f.Confidence, f.At.Text(), f.Message)
	}
	return b.String()
}

var headings = []string{"## What it finds", "## Why it matters", "## Problem", "## Fix", "## When it is fine"}

var example = regexp.MustCompile("(?s)```json (bad|good)\n(.*?)```")

// TestPages: every page has its parts, its bad examples get exactly this rule's
// finding, its good ones none.
func TestPages(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			at := 0
			for _, h := range headings {
				i := strings.Index(rule.Doc[at:], h+"\n")
				require.GreaterOrEqual(t, i, 0, "%q is missing or in another order", h)
				at += i
			}
			seen := map[string]int{}
			for _, m := range example.FindAllStringSubmatch(rule.Doc, -1) {
				seen[m[1]]++
				r := run(t, rule, lint.Input{File: source.NewFile("example.json", []byte(m[2])), Named: true})
				if m[1] == "good" {
					require.Empty(t, describe(r))
				} else {
					require.NotEmpty(t, r.Findings)
				}
			}
			require.Positive(t, seen["bad"])
			require.Positive(t, seen["good"])
		})
	}
}

// TestPageStandsBesideItsRule: the page's file is named after the rule.
func TestPageStandsBesideItsRule(t *testing.T) {
	for _, rule := range rules.All() {
		data, err := os.ReadFile(filepath.Join(string(rule.Family), strings.ReplaceAll(rule.ID, "-", "_")+".md"))
		require.NoError(t, err)
		require.Equal(t, rule.Doc, string(data))
	}
}

// TestOneFaultOneFinding: all rules together say nothing twice about a node of
// a fixture, and nothing depends on the order of the rules.
func TestAllRulesOnAllFixtures(t *testing.T) {
	for _, rule := range rules.All() {
		for _, c := range casesOf(t, rule.ID) {
			inputs := inputsOf(t, c)
			all := rules.All()
			first := lint.Run(context.Background(), all, inputs)
			require.Empty(t, first.Problems)
			slices.Reverse(all)
			require.Equal(t, describe(first), describe(lint.Run(context.Background(), all, inputs)), c)
			for _, f := range first.Findings {
				require.NotEmpty(t, f.At.Text(), c)
				require.NotEmpty(t, f.Fix, c)
				require.NotContains(t, f.Message, "\n", c)
			}
		}
	}
}
