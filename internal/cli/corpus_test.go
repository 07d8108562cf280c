package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/rules"
)

// corpusRun is a run over the real and the odd workflows, which are not part of
// the repository. The tests share it: it is the slow part of them.
type corpusRun struct {
	inputs []lint.Input
	result *lint.Result
}

var corpus = sync.OnceValue(func() corpusRun {
	folder := filepath.Join("..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(folder); err != nil {
		return corpusRun{}
	}
	inputs := find([]string{filepath.Join(folder, "workflows"), filepath.Join(folder, "odd")}, nil, "")
	return corpusRun{inputs, lint.Run(context.Background(), rules.All(), inputs)}
})

func theCorpus(t *testing.T) corpusRun {
	t.Helper()
	c := corpus()
	if c.result == nil {
		t.Skip("the corpus is not here")
	}
	require.Greater(t, len(c.inputs), 100)
	return c
}

func TestCorpusFindingsStandInTheirFiles(t *testing.T) {
	r := theCorpus(t).result
	require.NotEmpty(t, r.Findings)
	require.Greater(t, r.Files, 100)
	for _, p := range r.Problems {
		require.True(t, strings.Contains(p.File, "/odd/"), "%s: %s", p.File, p.Message)
	}
	seen := map[string]bool{}
	for _, f := range r.Findings {
		requirePlace(t, f.At, f.Node.Workflow.File)
		require.True(t, f.At == f.Node.Value.Span() || f.Node.Value.Around(f.At).Exists(), "%s: outside its node", f.Message)
		require.NotEqual(t, f.Node.Value.Span(), f.At, "%s: a whole node", f.Message)
		id := f.Rule.ID + "\n" + f.At.File.Name + "\n" + f.Fingerprint
		require.False(t, seen[id], "a fingerprint twice: %s", id)
		seen[id] = true
		for _, step := range f.Flow {
			requirePlace(t, step.At, step.Node.Workflow.File)
		}
		for _, related := range f.Related {
			requirePlace(t, related.At, related.Node.Workflow.File)
		}
	}
}

func requirePlace(t *testing.T, at source.Span, f *source.File) {
	t.Helper()
	require.Same(t, f, at.File)
	require.GreaterOrEqual(t, at.Start, 0, f.Name)
	require.Less(t, at.Start, at.End, f.Name)
	require.LessOrEqual(t, at.End, f.Len(), f.Name)
}

func TestCorpusReportsAreWellFormed(t *testing.T) {
	c := theCorpus(t)
	t.Run("json", func(t *testing.T) { requireJSON(t, c) })
	t.Run("sarif", func(t *testing.T) {
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, sarifFormat, c.result)))
		require.NoError(t, err)
		require.NoError(t, sarifSchema(t).Validate(log))
	})
}

func requireJSON(t *testing.T, c corpusRun) {
	t.Helper()
	var doc struct {
		Findings []struct {
			File, Pointer      string
			Line, Column       int
			EndLine, EndColumn int
		}
		Errors []struct{ File, Message string }
	}
	require.NoError(t, json.Unmarshal(written(t, "json", c.result), &doc))
	require.Len(t, doc.Findings, len(c.result.Findings))
	require.Len(t, doc.Errors, len(c.result.Problems))
	roots := parsed(t, c.inputs)
	for i, f := range doc.Findings {
		at := c.result.Findings[i].At
		start, end := at.Range(source.Runes)
		require.Equal(t, start, source.Position{Line: f.Line, Column: f.Column})
		require.Equal(t, end, source.Position{Line: f.EndLine, Column: f.EndColumn})
		v, ok := resolve(roots[f.File], f.Pointer)
		require.True(t, ok, "%s: the pointer %q leads nowhere", f.File, f.Pointer)
		require.True(t, v.Span().Start <= at.Start || v.KeySpan().Start <= at.Start, "%s: the pointer %q does not hold the finding", f.File, f.Pointer)
		require.LessOrEqual(t, at.End, v.Span().End, "%s: the pointer %q does not hold the finding", f.File, f.Pointer)
	}
}

func parsed(t *testing.T, inputs []lint.Input) map[string]source.Value {
	t.Helper()
	roots := map[string]source.Value{}
	for _, in := range inputs {
		if doc, err := source.ParseJSON(in.File); err == nil {
			roots[in.File.Name] = doc.Root()
		}
	}
	return roots
}

// resolve follows an RFC 6901 pointer.
func resolve(v source.Value, pointer string) (source.Value, bool) {
	if pointer == "" {
		return v, v.Exists()
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if v.Kind() == source.Array {
			n, err := strconv.Atoi(part)
			if err != nil {
				return v, false
			}
			v = v.Index(n)
			continue
		}
		v = v.Get(part)
	}
	return v, v.Exists()
}

// TestCorpusOrderDoesNotMatter: neither the order of the files nor that of the
// work on several cores shows in a report.
func TestCorpusOrderDoesNotMatter(t *testing.T) {
	c := theCorpus(t)
	shuffled := slices.Clone(c.inputs)
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again := lint.Run(context.Background(), rules.All(), shuffled)
	for _, name := range formatNames() {
		want, got := string(written(t, name, c.result)), string(written(t, name, again))
		require.True(t, want == got, "%s differs: %s", name, firstDifference(want, got))
	}
}

func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return strconv.Quote(s[max(0, i-200):min(len(s), i+200)]) }
	return around(a) + "\nand\n" + around(b)
}

func written(t *testing.T, name string, r *lint.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, format(&b, output{format: name}, r, lintFlags{verbose: true}, false, "v1.2.3"))
	return b.Bytes()
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "sarif", "testdata", "sarif-2.1.0.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", doc))
	schema, err := c.Compile("sarif.json")
	require.NoError(t, err)
	return schema
}
