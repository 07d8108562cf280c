package report

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/reporttest"
	"github.com/n8nlint/n8nlint/internal/source"
)

func TestSummaryLine(t *testing.T) {
	w := reporttest.Workflows("f.json", `{"nodes":[{"name":"A","type":"n8n-nodes-base.set"}],"connections":{}}`)[0]
	one := func(s lint.Severity) lint.Finding { return lint.Finding{Node: w.Nodes[0], Severity: s} }
	for want, r := range map[string]lint.Result{
		"no findings in 12 workflows (12 files)": {Workflows: 12, Files: 12},
		"no findings in 1 workflow (1 file)":     {Workflows: 1, Files: 1},
		"1 error in 1 of 1 workflow (1 file)":    {Workflows: 1, Files: 1, Findings: []lint.Finding{one(lint.Error)}},
		"1 error, 2 notes in 1 of 5 workflows (3 files)": {
			Workflows: 5, Files: 3, Findings: []lint.Finding{one(lint.Note), one(lint.Error), one(lint.Note)},
		},
		"no findings in 0 workflows (0 files); 1 problem kept the run from being complete": {Problems: []lint.Problem{{}}},
	} {
		require.Equal(t, want, summary(&r))
	}
}

func TestQuietRunsSayNothingWhenClean(t *testing.T) {
	require.Empty(t, render(t, Text, reporttest.Clean(), Options{Quiet: true, Verbose: true}))
}

func TestColorOnlyAddsColor(t *testing.T) {
	plain := string(render(t, Text, reporttest.Result(), Options{Verbose: true}))
	require.NotContains(t, plain, "\x1b")
	colored := string(render(t, Text, reporttest.Result(), Options{Verbose: true, Color: true}))
	require.Contains(t, colored, "\x1b[")
	require.Equal(t, plain, stripped(colored))
}

// stripped takes the colour sequences out.
func stripped(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, "m")
	}
}

func TestTheRulePageIsNamedOnce(t *testing.T) {
	out := string(render(t, Text, reporttest.Result(), Options{}))
	require.Equal(t, 1, strings.Count(out, "n8nlint explain unclaimed-side-effect\n"))
}

func TestLongPathsAreCut(t *testing.T) {
	r := reporttest.Result()
	f := &r.Findings[1]
	nodes := f.Node.Workflow.Nodes
	f.Flow = nil
	for i := range 31 {
		f.Flow = append(f.Flow, lint.Step{Node: nodes[i%3]})
	}
	out := string(render(t, Text, r, Options{}))
	require.Contains(t, out, "→ Create payment → … 19 more … → Claim event →")
	require.NotContains(t, string(render(t, Text, r, Options{Verbose: true})), "more …")
}

func TestStepsOfOtherWorkflowsSayWhichOne(t *testing.T) {
	r := reporttest.Result()
	f := &r.Findings[1]
	other := r.Findings[5].Node.Workflow
	other.Name = "Sub"
	f.Flow = []lint.Step{{Node: f.Node}, {Node: f.Node}, {Node: other.Nodes[1]}, {Message: "a row"}}
	require.Contains(t, string(render(t, Text, r, Options{})),
		"path: Create payment → [free](https://evil.example/) (in \"Sub\") → a row\n")
}

func TestExcerpts(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct{ line, span, before, marked, after string }{
		"short":            {`  "a": "b",`, `"b"`, `"a": `, `"b"`, `,`},
		"inner tab":        {"\t\"a\":\t\"b\"", `"b"`, "\"a\":\t", `"b"`, ``},
		"wide":             {`{"日本": "e\u0301é", "b": 1}`, `1`, `{"日本": "e\u0301é", "b": `, `1`, `}`},
		"long before":      {long + `"b"}`, `"b"`, "…" + strings.Repeat("x", 39), `"b"`, `}`},
		"long after":       {`"b"` + long, `"b"`, ``, `"b"`, strings.Repeat("x", 96) + "…"},
		"long span":        {`"` + long + `"`, `"` + long + `"`, ``, `"` + strings.Repeat("x", 98) + "…", ``},
		"control":          {"\"a\x1b[1m\u202e\": 1", `1`, `"a\x1b[1m\u202e": `, `1`, ``},
		"secret":           {`"password": "abc", "n": 1`, `1`, `"password": "***", "n": `, `1`, ``},
		"secret is marked": {`"value": "Bearer abcdefgh"`, `"Bearer abcdefgh"`, `"value": `, `"Bearer ********"`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			f := source.NewFile("f", []byte("first\n"+c.line+"\nlast"))
			at := strings.LastIndex(string(f.Bytes()), c.span)
			e, ok := excerptOf(source.Span{File: f, Start: at, End: at + len(c.span)})
			require.True(t, ok)
			if c.after == "" && len(c.marked) > 99 {
				require.True(t, strings.HasSuffix(e.marked, "…"))
				e.after = ""
			}
			require.Equal(t, excerpt{c.before, c.marked, c.after}, e)
		})
	}
}

func TestExcerptOfSeveralLinesShowsTheFirst(t *testing.T) {
	f := source.NewFile("f", []byte("{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}"))
	at := strings.Index(string(f.Bytes()), "[")
	e, ok := excerptOf(source.Span{File: f, Start: at, End: f.Len() - 3})
	require.True(t, ok)
	require.Equal(t, excerpt{`"a": `, `[`, ``}, e)
}

func TestExcerptsAreNarrowWhateverTheSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "\t", "ü", "日", "😀", "\u0301", "\xff", "\x1b", "\n", "\r", strings.Repeat("y", 200)}), 0, 60)
		f := source.NewFile("f", []byte(strings.Join(pieces.Draw(t, "text"), "")))
		start := rapid.IntRange(-1, f.Len()+1).Draw(t, "start")
		end := rapid.IntRange(-1, f.Len()+1).Draw(t, "end")
		e, ok := excerptOf(source.Span{File: f, Start: start, End: end})
		if !ok {
			return
		}
		whole := e.before + e.marked + e.after
		if columns(whole) > excerptColumns+3 || strings.ContainsAny(whole, "\x1b\n\r") || !utf8.ValidString(whole) {
			t.Fatalf("%q", whole)
		}
		indent, carets := e.carets()
		if columns(indent) != columns(e.before) || len(carets) != max(1, columns(e.marked)) {
			t.Fatalf("%q is under %q", indent+carets, whole)
		}
	})
}

func TestHugeAndMissingPartsDoNoHarm(t *testing.T) {
	huge := strings.Repeat("n", 1<<20)
	n := &graph.Node{Name: huge, ID: huge, Workflow: &graph.Workflow{Name: huge, ID: huge}}
	r := &lint.Result{Findings: []lint.Finding{
		{},
		{Node: n, Message: huge, Fix: huge, Flow: []lint.Step{{Node: n}, {}}, Related: []lint.Related{{Node: n}, {Message: huge}}},
	}, NotJudged: []lint.NotJudged{{}, {Node: n, Reason: huge}}, Problems: []lint.Problem{{Message: huge}}}
	for _, name := range Names() {
		format, ok := ByName(name)
		require.True(t, ok)
		require.Less(t, len(render(t, format, r, Options{Verbose: true})), 100_000, name)
	}
	_, ok := ByName("no such format")
	require.False(t, ok)
}

func TestNothingHostileIsWritten(t *testing.T) {
	hostile := rapid.SampledFrom([]string{"::error::x", "##[error]x", "##vso[x]", "\x1b[31m", "\n::error::y", "\r", "\u202e", "\u009b", "\xff", "ok"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(hostile, 1, 4).Draw(t, "text"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		quoted, _ := json.Marshal(text)
		w := reporttest.Workflows(text, `{"name":`+string(quoted)+`,"nodes":[{"name":`+string(quoted)+`,"type":"n8n-nodes-base.set"}],"connections":{}}`)[0]
		n := w.Nodes[0]
		r := &lint.Result{
			Findings: []lint.Finding{{
				At: n.Place(), Node: n, Message: text, Fix: text, Rule: &lint.Rule{ID: "a-rule"},
				Flow: []lint.Step{{At: n.Place(), Node: n, Message: text}}, Related: []lint.Related{{At: n.Place(), Node: n, Message: text}},
			}},
			NotJudged: []lint.NotJudged{{File: w.File, Node: n, Reason: text}},
			Problems:  []lint.Problem{{File: text, Message: text}, {Message: text}},
		}
		for _, name := range Names() {
			format, _ := ByName(name)
			var out strings.Builder
			if err := format(&out, r, Options{Verbose: true, Info: info}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(out.String(), "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.ContainsAny(line, "\x1b\r\u202e\u009b") ||
					strings.Contains(line, "##[") || strings.Contains(line, "##vso[") || !utf8.ValidString(line) {
					t.Fatalf("%s: %q", name, line)
				}
			}
		}
	})
}

func TestWriteErrorsAreReturned(t *testing.T) {
	for _, name := range Names() {
		format, _ := ByName(name)
		require.ErrorIs(t, format(failing{}, reporttest.Result(), Options{}), errFull, name)
	}
}

var errFull = errors.New("disk full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func BenchmarkText(b *testing.B) { benchmark(b, Text) }
func BenchmarkJSON(b *testing.B) { benchmark(b, JSON) }

func benchmark(b *testing.B, format Format) {
	r := reporttest.Large(50_000)
	for b.Loop() {
		require.NoError(b, format(io.Discard, r, Options{Info: info}))
	}
}
