package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/reporttest"
)

func decoded(t *testing.T, r *lint.Result) map[string]any {
	t.Helper()
	var doc map[string]any
	require.NoError(t, json.Unmarshal(render(t, JSON, r, Options{}), &doc))
	return doc
}

// The key names are a contract with scripts.
func TestJSONKeysAreTheContract(t *testing.T) {
	doc := decoded(t, reporttest.Result())
	keys := func(v any) []string {
		var names []string
		for name := range v.(map[string]any) {
			names = append(names, name)
		}
		return names
	}
	list := func(v any) map[string]any { return v.([]any)[0].(map[string]any) }
	require.ElementsMatch(t, []string{"version", "tool", "summary", "findings", "notJudged", "errors"}, keys(doc))
	require.EqualValues(t, 1, doc["version"])
	require.ElementsMatch(t, []string{
		"rule", "severity", "confidence", "message", "fix", "file", "line", "column", "endLine", "endColumn",
		"workflow", "workflowId", "node", "nodeId", "pointer", "flow", "related", "fingerprint",
	}, keys(list(doc["findings"])))
	places := []string{"message", "node", "file", "line", "column", "endLine", "endColumn"}
	require.ElementsMatch(t, places, keys(list(list(doc["findings"])["related"])))
	require.ElementsMatch(t, places, keys(list(doc["findings"].([]any)[1].(map[string]any)["flow"])))
	require.ElementsMatch(t, []string{"file", "node", "reason"}, keys(list(doc["notJudged"])))
	require.ElementsMatch(t, []string{"file", "line", "column", "message"}, keys(list(doc["errors"])))
}

func TestJSONListsAreNeverNull(t *testing.T) {
	for _, r := range []*lint.Result{{}, {Findings: []lint.Finding{{}}}} {
		require.NotContains(t, string(render(t, JSON, r, Options{})), "null")
	}
}

func TestJSONPointersLeadToTheValue(t *testing.T) {
	doc := decoded(t, reporttest.Result())
	for i, want := range []string{
		"/nodes/1/parameters/query", "/nodes/2/parameters/url",
		"/nodes/2/parameters/headerParameters/parameters/0/value", "/nodes/3/parameters/toEmail",
		"/0/nodes/1/parameters/text", "/0/nodes/0/name", "/0/nodes/0/parameters/path",
	} {
		require.Equal(t, want, doc["findings"].([]any)[i].(map[string]any)["pointer"])
	}
}

func TestJSONPointersStayShort(t *testing.T) {
	key := strings.Repeat("k", 5000)
	w := reporttest.Workflows("f.json", `{"nodes":[{"name":"A","type":"n8n-nodes-base.set","parameters":{"`+key+`":[1]}}],"connections":{}}`)[0]
	n := w.Nodes[0]
	require.Equal(t, "/nodes/0/parameters", pointer(n.Parameter(key).Index(0).Span(), n))
}

func TestJSONKeepsHostileNamesExactly(t *testing.T) {
	doc := decoded(t, reporttest.Result())
	hostile := doc["findings"].([]any)[5].(map[string]any)
	require.Equal(t, "##[error]\x1b[31mred\u202egpj.exe", hostile["node"])
	require.Equal(t, "::stop-commands::x\n::error::owned", hostile["workflow"])
}
