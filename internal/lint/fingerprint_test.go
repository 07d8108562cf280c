package lint_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
)

const ordered = `{"id":"w","name":"N","nodes":[
{"name":"A","type":"n8n-nodes-base.noOp","position":[0,0],"parameters":{"a":1,"b":2}},
{"name":"B","type":"n8n-nodes-base.noOp","position":[200,0],"parameters":{"a":1}}],
"connections":{"A":{"main":[[{"node":"B","type":"main","index":0}]]}}}`

// everyParameter reports each parameter, with its name as the key.
func everyParameter(id string) *lint.Rule {
	return rule(id, func(p *lint.Pass) error {
		for _, n := range p.Workflow.Nodes {
			for v := range n.Parameters.Children() {
				p.Report(lint.Finding{At: v.Span(), Node: n, Message: "parameter", Key: v.Key()})
			}
		}
		return nil
	})
}

// byPlace are the fingerprints under the node and the parameter of the finding.
func byPlace(t *testing.T, name, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range run([]*lint.Rule{everyParameter("every-parameter")}, file(name, text)).Findings {
		require.NotEmpty(t, f.Fingerprint)
		out[f.Node.Name+"."+f.Key] = f.Fingerprint
	}
	return out
}

func TestFingerprintsSurvive(t *testing.T) {
	want := byPlace(t, "f.json", ordered)
	require.Len(t, want, 3)
	lines := strings.Split(ordered, "\n")
	for name, text := range map[string]string{
		"moved nodes":     strings.Replace(ordered, "[0,0]", "[950,-40]", 1),
		"nodes reordered": lines[0] + "\n" + strings.TrimSuffix(lines[2], "],") + ",\n" + strings.TrimSuffix(lines[1], ",") + "],\n" + lines[3],
		"keys reordered":  strings.Replace(ordered, `{"a":1,"b":2}`, `{"b":2,"a":1}`, 1),
		"indented":        indented(t, ordered),
		"minified":        minified(t, ordered),
		"CRLF":            strings.ReplaceAll(ordered, "\n", "\r\n"),
		"byte order mark": "\xef\xbb\xbf" + ordered,
		"in an array":     "[" + ordered + "]",
		"of the API":      `{"data":[` + ordered + `],"nextCursor":null}`,
		"another value":   strings.Replace(ordered, `"b":2`, `"b":77`, 1),
		"one more node":   strings.Replace(ordered, `"nodes":[`, `"nodes":[{"name":"New","type":"n8n-nodes-base.noOp"},`, 1),
		"workflow name":   strings.Replace(ordered, `"name":"N"`, `"name":"Another"`, 1),
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, want, byPlace(t, "f.json", text)) })
	}
	t.Run("file moved", func(t *testing.T) { require.Equal(t, want, byPlace(t, "elsewhere/g.json", ordered)) })
}

func TestFingerprintsTellApart(t *testing.T) {
	want := byPlace(t, "f.json", ordered)
	for name, text := range map[string]string{
		"a workflow of another id": strings.Replace(ordered, `"id":"w"`, `"id":"v"`, 1),
		"a node of another name":   strings.ReplaceAll(strings.ReplaceAll(ordered, `"A"`, `"AA"`), `"B"`, `"BB"`),
	} {
		t.Run(name, func(t *testing.T) {
			for _, mark := range byPlace(t, "f.json", text) {
				for _, other := range want {
					require.NotEqual(t, other, mark)
				}
			}
		})
	}
	r := run([]*lint.Rule{everyParameter("one-rule"), everyParameter("other-rule")}, file("f.json", ordered))
	requireUnique(t, r, 6)
}

func TestWithoutAnIDTheNameCountsThenTheFile(t *testing.T) {
	noID := strings.Replace(ordered, `"id":"w",`, "", 1)
	require.Equal(t, byPlace(t, "f.json", noID), byPlace(t, "g.json", noID))
	require.NotEqual(t, byPlace(t, "f.json", noID), byPlace(t, "f.json", strings.Replace(noID, `"name":"N"`, `"name":"M"`, 1)))
	nameless := strings.Replace(noID, `"name":"N",`, "", 1)
	require.Equal(t, byPlace(t, "f.json", nameless), byPlace(t, "f.json", minified(t, nameless)))
	require.NotEqual(t, byPlace(t, "f.json", nameless), byPlace(t, "g.json", nameless))
}

func TestFingerprintsAreUnique(t *testing.T) {
	// Two files with one workflow, two nodes of one name, and findings that
	// nothing tells apart.
	same := strings.ReplaceAll(ordered, `"B"`, `"A"`)
	r := run([]*lint.Rule{everyNode("every-node"), everyParameter("every-parameter")},
		file("f.json", ordered), file("g.json", ordered), file("h.json", "["+same+","+same+"]"))
	requireUnique(t, r, 4*5)
}

func requireUnique(t *testing.T, r *lint.Result, findings int) {
	t.Helper()
	require.Empty(t, r.Problems)
	require.Len(t, r.Findings, findings)
	seen := map[string]bool{}
	for _, f := range r.Findings {
		key := f.At.File.Name + " " + f.Fingerprint // a copy of a file has the same ones
		require.False(t, seen[key], key)
		seen[key] = true
	}
}

func indented(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, []byte(text), "", "  "))
	return b.String()
}

func minified(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(text)))
	return b.String()
}
