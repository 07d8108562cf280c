package graph

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/source"
)

// odd is a kind of input that real collections hold, and what it gets.
type odd struct {
	// files are the files of the corpus that are of the kind.
	files string
	text  string
	// err is the exact error, without the file's name; "" where the file is read.
	err string
	// workflows, nodes, edges and stickies are counted over the whole file.
	workflows, nodes, edges, stickies int
	// odd are the oddities: line, column and a part of the reason.
	odd []string
	// check asserts what a number does not show.
	check func(*testing.T, []*Workflow)
}

const (
	hook   = `{"name":"Hook","type":"n8n-nodes-base.webhook","typeVersion":2,"parameters":{"path":"p"}}`
	charge = `{"name":"Charge","type":"n8n-nodes-base.httpRequest","typeVersion":4.2,"parameters":{"method":"POST"}}`
	toward = `{"Hook":{"main":[[{"node":"Charge","type":"main","index":0}]]}}`
	small  = `{"nodes":[` + hook + `,` + charge + `],"connections":` + toward + `}`
)

// flow is a workflow of hook and charge with the connections given, each part on
// a line of its own: the connections stand on line 4.
func flow(connections string) string {
	return "{\"nodes\":[\n" + hook + ",\n" + charge + "],\n\"connections\":" + connections + "}"
}

// single is a workflow of one node without connections.
func single(node string) string { return `{"nodes":[` + node + `],"connections":{}}` }

func oddKinds() map[string]odd {
	return map[string]odd{
		// Shapes.
		"array of one":        {files: "array-of-one", text: "[" + small + "]", workflows: 1, nodes: 2, edges: 1},
		"array of workflows":  {files: "array-of-workflows", text: "[" + small + "," + small + "]", workflows: 2, nodes: 4, edges: 2, check: indexed},
		"reply of the API":    {files: "api-list-data", text: `{"data":[` + small + "," + small + `],"nextCursor":null}`, workflows: 2, nodes: 4, edges: 2, check: indexed},
		"template site":       {files: "template-api-wrapped", text: `{"workflow":{"id":5,"name":"T","workflow":` + small + `}}`, workflows: 1, nodes: 2, edges: 1},
		"one line":            {files: "single-line-minified huge-1200kb", text: small, workflows: 1, nodes: 2, edges: 1},
		"large":               {files: "huge-1200kb", text: flow(toward)[:10] + strings.Repeat(`{"name":"S","type":"n8n-nodes-base.stickyNote","parameters":{"content":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}},`, 10000) + flow(toward)[10:], workflows: 1, nodes: 2, edges: 1, stickies: 10000},
		"no nodes":            {files: "nodes-empty", text: `{"nodes":[],"connections":{}}`, workflows: 1},
		"only sticky notes":   {files: "only-sticky-notes", text: single(`{"name":"N","type":"n8n-nodes-base.stickyNote"}`), workflows: 1, stickies: 1},
		"a JSON string":       {files: "workflow-as-json-string", text: `{"workflow":"{\"nodes\":[],\"connections\":{}}"}`, err: `1:1: the workflow stands under "workflow" as a JSON string; save the text of that string as the file`},
		"another tool's":      {files: "not-n8n-nodes-and-connections", text: `{"nodes":[{"type":"input"}],"edges":[]}`, err: "1:1: no n8n workflow in this JSON (an object with nodes and connections)"},
		"another, with types": {files: "not-n8n-nodes-and-connections", text: `{"nodes":[{"type":"input"}],"connections":{}}`, err: "1:1: no n8n workflow in this JSON (an object with nodes and connections)"},

		// Bytes.
		"byte order mark":   {files: "bom-utf8", text: "\xef\xbb\xbf" + small, workflows: 1, nodes: 2, edges: 1, check: startsAt(0)},
		"UTF-16":            {files: "utf16le-bom", text: utf16LE(small), workflows: 1, nodes: 2, edges: 1, check: startsAt(0)},
		"CRLF":              {files: "crlf-line-endings", text: strings.ReplaceAll(flow(`{"Hook":{"main":[[{"node":"Nowhere"}]]}}`), "\n", "\r\n"), workflows: 1, nodes: 2, odd: []string{`4:41 an edge of "Hook" leads to "Nowhere"`}},
		"Latin-1":           {files: "latin1-not-utf8", text: single("{\"name\":\"Gr\xfc\xdfe\",\"type\":\"n8n-nodes-base.noOp\"}"), workflows: 1, nodes: 1, check: named("Gr\uFFFD\uFFFDe")},
		"lone surrogate":    {files: "lone-surrogate", text: single(`{"name":"x\udc00","type":"n8n-nodes-base.noOp"}`), workflows: 1, nodes: 1, check: named("x\uFFFD")},
		"surrogate pair":    {files: "surrogate-pair-escapes", text: strings.ReplaceAll(small, "Charge", `\ud83d\ude80 Charge`), workflows: 1, nodes: 2, edges: 1, check: named("🚀 Charge")},
		"control character": {files: "raw-control-char-in-string", text: "{\"nodes\":[{\"name\":\"a\nb\"}]}", err: `1:21: a raw control character inside a JSON string; write it as an escape such as \n (in "/nodes/0/name")`},
		"empty":             {files: "empty-file", text: "", err: "1:1: the file is empty; export the workflow again"},
		"Git LFS":           {files: "git-lfs-pointer", text: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", err: "1:1: a Git LFS pointer stands in place of the file; run git lfs pull"},
		"cut off":           {files: "truncated", text: flow(toward)[:150], err: `3:49: the JSON ends in the middle; the file is cut off (in "/nodes/1/type")`},
		"missing comma":     {files: "broken-in-the-middle-cjk", text: "{\"名\":\"x\",\"nodes\":[\n {}\n {}]}", err: `3:2: not valid JSON: invalid character '{' after array element (expecting ',' or ']') (in "/nodes")`},
		"behind wide text":  {text: `{"新闻":"抓取" "nodes":[]}`, err: `1:12: not valid JSON: invalid character '"' after object value (expecting ',' or '}')`},
		"comment":           {files: "missing-comma", text: "{\"nodes\":[{\"name\":\"A\"\n // none\n}]}", err: `2:2: not valid JSON: invalid character '/' after object value (expecting ',' or '}') (in "/nodes/0")`},
		"a second document": {files: "trailing-second-document-crlf", text: small + "\r\n}tail", err: "2:1: more text after the end of the JSON value; remove it or split the file"},
		"deep parameters":   {files: "deep-nesting-3000", text: single(`{"name":"A","type":"n8n-nodes-base.set","parameters":` + strings.Repeat(`{"a":`, 3000) + "1" + strings.Repeat("}", 3000) + "}"), workflows: 1, nodes: 1, check: deep},

		// Names.
		"duplicate keys":       {files: "duplicate-json-keys", text: `{"nodes":[{"name":"A","name":"B","type":"n8n-nodes-base.noOp"}],"connections":{"B":{"main":[[{"node":"B"}]]}},"connections":{}}`, workflows: 1, nodes: 1, check: named("B")},
		"two of one name":      {files: "duplicate-node-names duplicate-node-names-2", text: "{\"nodes\":[" + hook + ",\n" + charge + ",\n" + charge + `],"connections":` + toward + "}", workflows: 1, nodes: 3, edges: 1, odd: []string{`3:9 two nodes are called "Charge"; n8n joins edges by name`}, check: lastOfTheName},
		"digits":               {files: "node-name-only-digits", text: strings.ReplaceAll(small, "Charge", "2"), workflows: 1, nodes: 2, edges: 1, check: named("2")},
		"a number":             {files: "number-as-node-name", text: strings.ReplaceAll(small, `{"name":"Hook"`, `{"name":42`), workflows: 1, nodes: 2, odd: []string{`1:216 connections start at "Hook", but no node has this name`}, check: named("42")},
		"blanks at the end":    {files: "node-name-whitespace", text: strings.ReplaceAll(small, "Charge", " Charge "), workflows: 1, nodes: 2, edges: 1, check: named(" Charge ")},
		"blanks in one place":  {files: "node-name-whitespace", text: strings.Replace(small, `"name":"Charge"`, `"name":"Charge "`, 1), workflows: 1, nodes: 2, odd: []string{`1:246 an edge of "Hook" leads to "Charge", but no node has this name`}},
		"__proto__":            {files: "node-named-proto", text: strings.ReplaceAll(small, "Charge", "__proto__"), workflows: 1, nodes: 2, edges: 1, check: named("__proto__")},
		"sticky without name":  {files: "node-without-name", text: `{"nodes":[` + hook + `,` + charge + `,{"type":"n8n-nodes-base.stickyNote"},{"type":"n8n-nodes-base.stickyNote"}],"connections":` + toward + `}`, workflows: 1, nodes: 2, edges: 1, stickies: 2},
		"node without name":    {files: "node-without-name", text: single(`{"type":"n8n-nodes-base.noOp"},{"type":"n8n-nodes-base.set"}`), workflows: 1, nodes: 2},
		"edges by id":          {files: "connections-keyed-by-id-mangled", text: flow(`{"3f2a":{"main":[[{"node":"error-handler-3f2a"}]]}}`), workflows: 1, nodes: 2, odd: []string{`4:16 connections start at "3f2a", but no node has this name`}},
		"edges by id of names": {files: "connections-keyed-by-id-mangled", text: flow(`{"Hook":{"main":[[{"node":"error-handler-3f2a"}]]}}`), workflows: 1, nodes: 2, odd: []string{`4:41 an edge of "Hook" leads to "error-handler-3f2a"`}},

		// Connections.
		"null":                 {files: "connections-null", text: flow("null"), workflows: 1, nodes: 2},
		"an array":             {files: "connections-array", text: flow(`[{"from":"Hook","to":"Charge"}]`), workflows: 1, nodes: 2, odd: []string{"4:15 connections is not an object; no edge could be read"}},
		"an entry is an array": {files: "connection-entry-not-object", text: flow(`{"Hook":[[{"node":"Charge","type":"main","index":0}]]}`), workflows: 1, nodes: 2, odd: []string{`4:23 the connections of "Hook" are not an object and were left out`}},
		"a port is no list":    {files: "connection-entry-not-object", text: flow(`{"Hook":{"main":{"node":"Charge"}}}`), workflows: 1, nodes: 2, odd: []string{`4:31 the outputs of "Hook" are not a list and were left out`}},
		"a group is an edge":   {files: "output-group-not-array", text: flow(`{"Hook":{"main":[{"node":"Charge"}]}}`), workflows: 1, nodes: 2, odd: []string{`4:32 output 0 of "Hook" is not a list of edges and was left out`}},
		"an unknown port":      {files: "output-group-not-array", text: flow(`{"Hook":{"output":[{"node":"Charge"}]}}`), workflows: 1, nodes: 2, odd: []string{`4:24 "output" is no kind of connection in n8n; the edges of "Hook" under it never run`}},
		"port error":           {files: "error-as-connection-type", text: flow(`{"Hook":{"main":[[{"node":"Charge"}]],"error":[[{"node":"Charge"}]]}}`), workflows: 1, nodes: 2, edges: 1, odd: []string{`4:53 "error" is no kind of connection in n8n`}},
		"port onError":         {files: "onerror-as-connection-type", text: flow(`{"Hook":{"main":[[{"node":"Charge"}]],"onError":[[{"node":"Charge"}]]}}`), workflows: 1, nodes: 2, edges: 1, odd: []string{`4:53 "onError" is no kind of connection in n8n`}},
		"an edge is a list":    {files: "edge-not-object", text: flow(`{"Hook":{"main":[["Charge","main",0]]}}`), workflows: 1, nodes: 2, odd: []string{`4:33 an edge of "Hook" is not an object`, `4:42 an edge of "Hook" is not an object`, `4:49 an edge of "Hook" is not an object`}},
		"an edge has no index": {files: "edge-without-index", text: flow(`{"Hook":{"main":[[{"node":"Charge","type":"main"}]]}}`), workflows: 1, nodes: 2, edges: 1, check: output(0, 0)},
		"null for an output":   {files: "null-output-group null-output-group-2", text: flow(`{"Hook":{"main":[null,[{"node":"Charge","type":"main","index":0}]]}}`), workflows: 1, nodes: 2, edges: 1, check: output(1, 0)},
		"to itself":            {files: "self-loop", text: flow(`{"Charge":{"main":[[{"node":"Charge","type":"main","index":0}]]}}`), workflows: 1, nodes: 2, edges: 1, check: ends},
		"a cycle":              {files: "cycle-without-loop-node", text: flow(`{"Hook":{"main":[[{"node":"Charge"}]]},"Charge":{"main":[[{"node":"Hook"}]]}}`), workflows: 1, nodes: 2, edges: 2, check: ends},

		// Settings and parameters.
		"no parameters":         {files: "node-without-parameters node-without-parameters-min", text: single(`{"name":"A","type":"n8n-nodes-base.function"}`), workflows: 1, nodes: 1, check: noParameters},
		"settings is text":      {files: "settings-not-object", text: strings.Replace(small, `{"nodes"`, `{"settings":"{\"executionOrder\":\"v1\"}","nodes"`, 1), workflows: 1, nodes: 2, edges: 1, check: noSettings},
		"errorWorkflow object":  {files: "retryonfail-not-bool", text: strings.Replace(small, `{"nodes"`, `{"settings":{"errorWorkflow":{"enabled":false}},"nodes"`, 1), workflows: 1, nodes: 2, edges: 1, check: noSettings},
		"retryOnFail is object": {files: "retryonfail-not-bool", text: single(`{"name":"A","type":"n8n-nodes-base.slack","retryOnFail":{"enabled":true}}`), workflows: 1, nodes: 1, check: noRetry},
		"typeVersion is text":   {files: "typeversion-string", text: single(`{"name":"A","type":"n8n-nodes-base.set","typeVersion":"3.4"}`), workflows: 1, nodes: 1, check: version(3.4)},
		"no typeVersion":        {files: "error-as-connection-type", text: single(`{"name":"A","type":"n8n-nodes-base.set"}`), workflows: 1, nodes: 1, check: version(1)},
		"method is code":        {files: "expression-in-http-method", text: strings.Replace(small, `"POST"`, `"={{ $json.method }}"`, 1), workflows: 1, nodes: 2, edges: 1, check: parameter("Charge", "method", "={{ $json.method }}")},
		"query is code":         {files: "dynamic-sql-expression", text: single(`{"name":"A","type":"n8n-nodes-base.postgres","parameters":{"query":"={{ $json.query }}"}}`), workflows: 1, nodes: 1, check: parameter("A", "query", "={{ $json.query }}")},
	}
}

func TestOddInputs(t *testing.T) {
	for name, c := range oddKinds() {
		t.Run(name, func(t *testing.T) {
			ws, err := Read(source.NewFile("f.json", []byte(c.text)))
			if c.err != "" {
				require.EqualError(t, err, "f.json:"+c.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, ws, c.workflows)
			requireCounts(t, c, ws)
			if c.check != nil {
				c.check(t, ws)
			}
		})
	}
}

func requireCounts(t *testing.T, c odd, ws []*Workflow) {
	t.Helper()
	var nodes, out, in, stickies int
	var odd []string
	for _, w := range ws {
		nodes += len(w.Nodes)
		stickies += len(w.Stickies)
		for _, n := range w.Nodes {
			out += len(n.Out)
			in += len(n.In)
		}
		for _, o := range w.Odd {
			p := w.File.Position(o.At.Start, source.Runes)
			odd = append(odd, fmt.Sprintf("%d:%d %s", p.Line, p.Column, o.Reason))
			require.NotEmpty(t, o.At.Text())
		}
	}
	require.Equal(t, c.nodes, nodes, "nodes")
	require.Equal(t, c.edges, out, "edges")
	require.Equal(t, out, in, "each edge at both ends")
	require.Equal(t, c.stickies, stickies, "sticky notes")
	require.Len(t, odd, len(c.odd), "%q", odd)
	for i, want := range c.odd {
		require.True(t, strings.HasPrefix(odd[i], want), "%q, want %q", odd[i], want)
	}
}

func indexed(t *testing.T, ws []*Workflow) {
	for i, w := range ws {
		require.Equal(t, i, w.Index)
		require.Same(t, w, w.Node("Hook").Workflow)
	}
}

func startsAt(offset int) func(*testing.T, []*Workflow) {
	return func(t *testing.T, ws []*Workflow) {
		require.Equal(t, offset, ws[0].Value.Span().Start)
		require.Equal(t, `"Charge"`, ws[0].Node("Charge").Place().Text())
	}
}

func named(name string) func(*testing.T, []*Workflow) {
	return func(t *testing.T, ws []*Workflow) {
		require.NotNil(t, ws[0].Node(name))
		require.Equal(t, name, ws[0].Node(name).Name)
	}
}

func lastOfTheName(t *testing.T, ws []*Workflow) {
	require.Same(t, ws[0].Nodes[2], ws[0].Node("Charge"))
	require.Empty(t, ws[0].Nodes[1].In)
	require.Len(t, ws[0].Nodes[2].In, 1)
}

func deep(t *testing.T, ws []*Workflow) {
	v, depth := ws[0].Node("A").Parameters, 0
	for v.Kind() == source.Object {
		v = v.Get("a")
		depth++
	}
	require.Equal(t, 3000, depth)
	require.Equal(t, "1", v.Text())
	require.Len(t, v.Pointer(), len("/nodes/0/parameters")+3000*len("/a"))
}

func output(from, to int) func(*testing.T, []*Workflow) {
	return func(t *testing.T, ws []*Workflow) {
		e := ws[0].Node("Hook").MainOut()[0]
		require.Equal(t, from, e.Output)
		require.Equal(t, to, e.Input)
		require.Equal(t, `"Charge"`, e.At.Text())
	}
}

func ends(t *testing.T, ws []*Workflow) {
	n := ws[0].Node("Charge")
	require.True(t, Reachable(n, nil)[n])
	require.True(t, CanReach(n)[n])
}

func noParameters(t *testing.T, ws []*Workflow) {
	n := ws[0].Node("A")
	require.False(t, n.Parameter("method").Exists())
	require.Equal(t, `"A"`, n.Place().Text())
	require.False(t, ws[0].Blank(), "one node alone was not blanked")
}

func noSettings(t *testing.T, ws []*Workflow) { require.Zero(t, ws[0].Settings) }

func noRetry(t *testing.T, ws []*Workflow) { require.False(t, ws[0].Node("A").RetryOnFail) }

func version(v float64) func(*testing.T, []*Workflow) {
	return func(t *testing.T, ws []*Workflow) { require.InDelta(t, v, ws[0].Node("A").TypeVersion, 0) }
}

func parameter(node, key, want string) func(*testing.T, []*Workflow) {
	return func(t *testing.T, ws []*Workflow) {
		require.Equal(t, want, ws[0].Node(node).Parameter(key).Str())
	}
}

func utf16LE(s string) string {
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

// TestOddCorpus reads the odd files themselves, which are not part of the
// repository: each is read or refused as its kind is.
func TestOddCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "odd")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the corpus is not here")
	}
	kinds := kindsByFile()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			require.Contains(t, kinds, name, "no kind in this test stands for the file")
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			ws, err := Read(source.NewFile(name, data))
			want := kinds[name]
			if want.err == "" {
				require.NoError(t, err)
				require.NotEmpty(t, ws)
				return
			}
			require.Error(t, err)
			require.Equal(t, firstWords(want.err), firstWords(strings.TrimPrefix(err.Error(), name+":")))
		})
	}
}

func kindsByFile() map[string]odd {
	kinds := map[string]odd{}
	for _, c := range oddKinds() {
		for _, file := range strings.Fields(c.files) {
			kinds[file] = c
		}
	}
	return kinds
}

// firstWords are the beginning of an error's reason, without its position.
func firstWords(err string) string {
	_, reason, _ := strings.Cut(err, ": ")
	words := strings.Fields(reason)
	return strings.Join(words[:min(len(words), 6)], " ")
}
