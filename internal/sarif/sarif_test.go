package sarif

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func options() Options {
	return Options{
		Tool: "n8nlint", Version: "v1.2.3", InformationURI: "https://example.com/n8nlint",
		HelpURI: func(rule string) string { return "https://example.com/n8nlint/rules/" + rule },
	}
}

func write(t testing.TB, r *lint.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, r, options()))
	return b.Bytes()
}

func TestGoldenFiles(t *testing.T) {
	for name, r := range map[string]*lint.Result{"result.sarif": reporttest.Result(), "clean.sarif": reporttest.Clean()} {
		t.Run(name, func(t *testing.T) {
			raw := write(t, r)
			check(t, raw)
			var got bytes.Buffer
			require.NoError(t, json.Indent(&got, raw, "", "  "))
			path := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String(), "run the test with -update where the change is meant")
		})
	}
}

// check validates a log against the schema, and asserts what a schema cannot say.
func check(t testing.TB, raw []byte) log {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	require.NoError(t, schema(t).Validate(value))
	var l log
	require.NoError(t, json.Unmarshal(raw, &l))
	require.Len(t, l.Runs, 1)
	noEmptyStrings(t, "", value)
	r := l.Runs[0]
	require.Equal(t, "utf16CodeUnits", r.ColumnKind)
	require.NotNil(t, r.Results)
	require.LessOrEqual(t, len(r.Results), 25000)
	for i, d := range r.Tool.Driver.Rules {
		checkRule(t, d)
		require.True(t, i == 0 || r.Tool.Driver.Rules[i-1].ID < d.ID, "sorted, each once")
	}
	seen := map[string]bool{}
	for _, result := range r.Results {
		checkResult(t, r, result)
		for key, mark := range result.PartialFingerprints {
			id := strings.Join([]string{result.RuleID, result.Locations[0].Physical.Artifact.URI, key, mark}, "\n")
			require.False(t, seen[id], "a fingerprint twice: %s", id)
			seen[id] = true
		}
	}
	return l
}

func checkRule(t testing.TB, d descriptorJSON) {
	t.Helper()
	require.NotEqual(t, d.ID, d.Name)
	require.NotEmpty(t, d.Help.Text)
	require.NotEmpty(t, d.Help.Markdown)
	for _, text := range []string{d.Short.Text, d.Full.Text} {
		require.NotEmpty(t, text)
		require.LessOrEqual(t, utf8.RuneCountInString(text), 1024)
	}
}

var linkTo = regexp.MustCompile(`\[[^\[\]]*\]\(([^)]*)\)`)

func checkResult(t testing.TB, r runJSON, result resultJSON) {
	t.Helper()
	require.Less(t, result.RuleIndex, len(r.Tool.Driver.Rules))
	require.Equal(t, result.RuleID, r.Tool.Driver.Rules[result.RuleIndex].ID)
	require.Len(t, result.Locations, 1)
	ids := map[string]bool{}
	for _, related := range result.Related {
		require.False(t, ids[strconv.Itoa(related.ID)])
		ids[strconv.Itoa(related.ID)] = true
		checkLocation(t, related)
	}
	for _, m := range linkTo.FindAllStringSubmatch(result.Message.Text, -1) {
		require.True(t, ids[m[1]], "%q leads nowhere", m[0])
	}
	checkLocation(t, result.Locations[0])
	for _, flow := range result.CodeFlows {
		for _, step := range flow.ThreadFlows[0].Locations {
			checkLocation(t, step.Location)
		}
	}
}

func checkLocation(t testing.TB, l locationJSON) {
	t.Helper()
	require.Regexp(t, `^[A-Za-z0-9\-._~/%]+$`, strings.TrimPrefix(l.Physical.Artifact.URI, "file:"))
	region := l.Physical.Region
	require.Positive(t, region.StartLine)
	require.Positive(t, region.StartColumn)
	require.True(t, region.EndLine > region.StartLine || region.EndLine == region.StartLine && region.EndColumn >= region.StartColumn)
}

func noEmptyStrings(t testing.TB, where string, value any) {
	t.Helper()
	switch v := value.(type) {
	case string:
		require.NotEmpty(t, v, where)
		require.NotContains(t, v, "\x1b", where)
	case []any:
		for i, inner := range v {
			noEmptyStrings(t, fmt.Sprintf("%s/%d", where, i), inner)
		}
	case map[string]any:
		for key, inner := range v {
			noEmptyStrings(t, where+"/"+key, inner)
		}
	}
}

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "sarif-2.1.0.json"))
	require.NoError(t, err)
	sum := sha256.Sum256(raw)
	require.Equal(t, "1c49a0f2b60444c71bb14878e21e0d882198eff4c539861b133093ad89ed798c", hex.EncodeToString(sum[:]))
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("sarif.json", doc))
	compiled, err := compiler.Compile("sarif.json")
	require.NoError(t, err)
	return compiled
}

type log struct {
	Runs []runJSON `json:"runs"`
}

type runJSON struct {
	ColumnKind string `json:"columnKind"`
	Tool       struct {
		Driver struct {
			Rules []descriptorJSON `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Results     []resultJSON `json:"results"`
	Invocations []struct {
		Successful    bool `json:"executionSuccessful"`
		Notifications []struct {
			Level   string `json:"level"`
			Message text   `json:"message"`
		} `json:"toolExecutionNotifications"`
	} `json:"invocations"`
}

type text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type descriptorJSON struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Short text   `json:"shortDescription"`
	Full  text   `json:"fullDescription"`
	Help  text   `json:"help"`
}

type resultJSON struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             text              `json:"message"`
	Locations           []locationJSON    `json:"locations"`
	Related             []locationJSON    `json:"relatedLocations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	CodeFlows           []struct {
		ThreadFlows []struct {
			Locations []struct {
				Importance string       `json:"importance"`
				Location   locationJSON `json:"location"`
			} `json:"locations"`
		} `json:"threadFlows"`
	} `json:"codeFlows"`
}

type locationJSON struct {
	ID       int `json:"id"`
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine   int `json:"startLine"`
			StartColumn int `json:"startColumn"`
			EndLine     int `json:"endLine"`
			EndColumn   int `json:"endColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

func TestColumnsCountUTF16(t *testing.T) {
	w := reporttest.Workflows("f.json", `{"nodes":[{"name":"😀ü","type":"n8n-nodes-base.set","parameters":{}}],"connections":{}}`)[0]
	r := &lint.Result{Rules: reporttest.Rules(), Findings: []lint.Finding{{
		At: w.Nodes[0].Value.Get("type").Span(), Node: w.Nodes[0], Rule: reporttest.Rules()[0], Message: "m",
	}}}
	region := check(t, write(t, r)).Runs[0].Results[0].Locations[0].Physical.Region
	require.Equal(t, 32, region.StartColumn, "😀 counts two, ü one")
	require.Equal(t, 32+len(`"n8n-nodes-base.set"`), region.EndColumn)
}

func TestTheStrongestFindingsAreKept(t *testing.T) {
	const more = 30
	run := newRun(reporttest.Large(mostResults+more), options())
	require.Len(t, run.Results, mostResults)
	rank := map[string]int{"error": 2, "warning": 1, "note": 0}
	for i := 1; i < len(run.Results); i++ {
		before, here := *run.Results[i-1].Level, *run.Results[i].Level
		if rank[before] < rank[here] {
			t.Fatalf("result %d is a %s behind a %s", i, here, before)
		}
	}
	notes := run.Invocations[0].ToolExecutionNotifications
	require.Len(t, notes, 1)
	require.Contains(t, *notes[0].Message.Text, "25000 of 25030 findings")
	require.True(t, *run.Invocations[0].ExecutionSuccessful)
}

func TestLongFlowsAndRelatedPlacesAreCut(t *testing.T) {
	r := reporttest.Result()
	f := &r.Findings[1]
	last := lint.Step{At: f.At, Node: f.Node, Message: "the last"}
	for range 2000 {
		f.Flow = append(f.Flow, f.Flow[0])
		f.Related = append(f.Related, lint.Related{At: f.At, Node: f.Node})
	}
	f.Flow = append(f.Flow, last)
	for _, result := range check(t, write(t, r)).Runs[0].Results {
		if len(result.CodeFlows) == 0 || len(result.Related) < 2 {
			continue
		}
		steps := result.CodeFlows[0].ThreadFlows[0].Locations
		require.Len(t, steps, mostSteps)
		require.Equal(t, "essential", steps[mostSteps-1].Importance)
		require.Len(t, result.Related, mostLocations)
		require.Contains(t, result.Message.Text, "(10) and 1990 more.")
		return
	}
	t.Fatal("the finding is missing")
}

func TestProblemsMakeTheRunUnsuccessful(t *testing.T) {
	run := check(t, write(t, reporttest.Result())).Runs[0]
	require.False(t, run.Invocations[0].Successful)
	require.Len(t, run.Invocations[0].Notifications, 3)
	require.Contains(t, run.Invocations[0].Notifications[0].Message.Text, "(line 3, column 7)")
	require.True(t, check(t, write(t, reporttest.Clean())).Runs[0].Invocations[0].Successful)
}

func TestBareFindingsAreWrittenValid(t *testing.T) {
	w := reporttest.Workflows("", `{"nodes":[{"name":"","type":"n8n-nodes-base.set"}],"connections":{}}`)[0]
	r := &lint.Result{Findings: []lint.Finding{
		{Node: w.Nodes[0]},
		{At: w.Value.Span(), Message: strings.Repeat("m", 1<<20), Rule: &lint.Rule{ID: "bare"}},
	}, Problems: []lint.Problem{{}}}
	results := check(t, write(t, r)).Runs[0].Results
	require.Equal(t, "unknown", results[0].RuleID)
	require.Less(t, len(results[1].Message.Text), 5000)
	// A finding with no place at all cannot be shown, but must not break the file.
	r.Findings = []lint.Finding{{Rule: &lint.Rule{ID: "bare"}, Related: []lint.Related{{}}, Flow: []lint.Step{{}}}}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(write(t, r)))
	require.NoError(t, err)
	require.NoError(t, schema(t).Validate(value))
}

func TestHostileTextStaysText(t *testing.T) {
	compiled := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.SampledFrom([]string{"", "[a](1)", "](2)", "[x", "::e", "##[x]", "\x1b", "\u202e", "\xff", "<b>"})
		name := rapid.String().Draw(t, "name") + hostile.Draw(t, "tail")
		quoted, _ := json.Marshal(name)
		w := reporttest.Workflows(hostile.Draw(t, "file")+"f", `{"name":`+string(quoted)+`,"nodes":[{"name":`+string(quoted)+`,"type":"n8n-nodes-base.set"}],"connections":{}}`)[0]
		n := w.Nodes[0]
		r := &lint.Result{Findings: []lint.Finding{{
			At: n.Place(), Node: n, Rule: &lint.Rule{ID: "a-rule", Title: name}, Message: name + " is bad",
			Related: []lint.Related{{At: n.Place(), Node: n, Message: name}}, Flow: []lint.Step{{At: n.Place(), Node: n}},
		}}}
		var b bytes.Buffer
		if err := Write(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(b.Bytes(), "\x1b\u202e") || bytes.Contains(b.Bytes(), []byte("##[")) {
			t.Fatalf("%q", b.String())
		}
		value, err := jsonschema.UnmarshalJSON(&b)
		if err == nil {
			err = compiled.Validate(value)
		}
		if err != nil {
			t.Fatal(err)
		}
		text := value.(map[string]any)["runs"].([]any)[0].(map[string]any)["results"].([]any)[0].(map[string]any)["message"].(map[string]any)["text"].(string)
		if links := linkTo.FindAllString(text, -1); len(links) != 1 || !strings.HasSuffix(text, "](1).") {
			t.Fatalf("%q has the links %q", text, links)
		}
	})
}

func TestOnlySemanticVersionsAreCalledSo(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "1.2.3", "0.1.0-rc.1": "0.1.0-rc.1", "(devel)": "", "1.2": "", "": ""} {
		driver := newDriver(Options{Version: version})
		require.Equal(t, want, stringOf(driver.SemanticVersion))
		require.Equal(t, strings.TrimPrefix(version, "v"), stringOf(driver.Version))
		require.Equal(t, "n8nlint", driver.Name)
		require.Nil(t, driver.InformationURI)
	}
}

func stringOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestFileURIs(t *testing.T) {
	for name, want := range map[string]string{
		"flows/My flow.json":   "flows/My%20flow.json",
		"HTTP: get.json":       "HTTP%3A%20get.json",
		"./a/../b#1?x%.json":   "b%231%3Fx%25.json",
		"größe/😀.json":         "gr%C3%B6%C3%9Fe/%F0%9F%98%80.json",
		"/abs/x y.json":        "file:///abs/x%20y.json",
		`C:\flows\x.json`:      "file:///C:/flows/x.json",
		"a\n\xff\x1b[31m.json": "a%0A%FF%1B%5B31m.json",
		"":                     "stdin",
		"-":                    "-",
	} {
		got, relative := fileURI(name)
		require.Equal(t, want, got)
		require.Equal(t, !strings.HasPrefix(want, "file:"), relative, name)
	}
}

func TestPagesBecomeHelp(t *testing.T) {
	page := "# title\r\n\r\nFirst line\r\ngoes *on* and **on**  \nafter a break, `a_b *c*` [x](https://e.example).\n\n## Part\n\n- item\n  more\n  - inner\n1. one\n   two\n\n" +
		"```sql\nSELECT *\n  FROM t\n```\n\n| a | b |\n| - | - |\n\n    code\n    more\n\n> quote\n"
	require.Equal(t, "First line goes *on* and **on**\nafter a break, `a_b *c*` [x](https://e.example).\n\n## Part\n\n- item more\n  - inner\n1. one two\n\n"+
		"```sql\nSELECT *\n  FROM t\n```\n\n| a | b |\n| - | - |\n\n    code\n    more\n\n> quote", unwrap(body(page)))
	require.Equal(t, "First line goes on and on", firstParagraph(page))
	require.Equal(t, "First line goes on and on\nafter a break, a_b *c* x (https://e.example).\n\nPart\n\n- item more\n  - inner\n1. one two\n\n"+
		"    SELECT *\n      FROM t\n\n| a | b |\n| - | - |\n\n    code\n    more\n\n> quote", plain(body(page)))
	require.Equal(t, "text", firstParagraph("# t\n\n- list\n\n```\ncode\n```\n\ntext\n"))
	require.Empty(t, firstParagraph("# t\n"))
}

func TestWriteErrorsAreReturned(t *testing.T) {
	require.ErrorIs(t, Write(failing{}, reporttest.Result(), options()), errFull)
}

var errFull = errors.New("disk full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// Every finding on one line of 8 MB: columns must not be counted from the line's
// start again for each.
func BenchmarkMinified(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"connections":{},"nodes":[`)
	for i := range 25000 {
		fmt.Fprintf(&text, `{"name":"N%d","type":"n8n-nodes-base.set","notes":"%s"},`, i, strings.Repeat("ü", 130))
	}
	text.WriteString(`{"name":"end","type":"n8n-nodes-base.set"}]}`)
	w := reporttest.Workflows("f.json", text.String())[0]
	r := &lint.Result{Rules: reporttest.Rules()}
	for i, n := range w.Nodes {
		r.Findings = append(r.Findings, lint.Finding{At: n.Place(), Node: n, Rule: r.Rules[0], Message: "m", Fingerprint: strconv.Itoa(i)})
	}
	for b.Loop() {
		require.NoError(b, Write(io.Discard, r, Options{}))
	}
}

func BenchmarkLarge(b *testing.B) {
	r := reporttest.Large(50_000)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, Write(io.Discard, r, options()))
	}
}
