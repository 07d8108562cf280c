package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// node reads one node as it would stand in an export.
func node(t testing.TB, text string) *graph.Node {
	t.Helper()
	ws, err := graph.Read(source.NewFile("f.json", []byte(`{"nodes":[`+text+`],"connections":{}}`)))
	require.NoError(t, err)
	require.Len(t, ws[0].Nodes, 1)
	return ws[0].Nodes[0]
}

func nodeOf(t testing.TB, kind string, version float64, parameters string) *graph.Node {
	t.Helper()
	if !strings.Contains(kind, "/") && !strings.Contains(kind, ".") {
		kind = "n8n-nodes-base." + kind
	}
	return node(t, fmt.Sprintf(`{"name":"N","type":%q,"typeVersion":%g,"parameters":{%s}}`, kind, version, parameters))
}

func TestEveryRowOfTheTableIsFound(t *testing.T) {
	seen := map[string]int{}
	for line := range strings.Lines(nodesTSV) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "type\t") {
			continue
		}
		seen[strings.SplitN(line, "\t", 2)[0]]++
	}
	require.Greater(t, len(seen), 500)
	for kind, count := range seen {
		require.Len(t, rowsOf(kind), count, kind)
	}
	require.Empty(t, rowsOf("n8n-nodes-base.zzz"))
	require.Empty(t, rowsOf(""))
}

func TestTheTableIsComplete(t *testing.T) {
	kinds := map[Kind]bool{Read: true, Compute: true, Ephemeral: true, Idempotent: true, Repeatable: true, Trigger: true, Logic: true, Query: true, HTTP: true, Code: true, Call: true, Unknown: true}
	classes := map[Class]bool{Event: true, Form: true, Poll: true, Schedule: true, Called: true, Manual: true, Failure: true}
	total, unknown := 0, 0
	for line := range strings.Lines(nodesTSV) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "type\t") {
			continue
		}
		r := parseRow(strings.TrimRight(line, "\n"))
		total++
		require.True(t, kinds[r.Kind], line)
		switch r.Kind {
		case Unknown:
			unknown++
			require.NotEmpty(t, r.Note, "an unknown row says why: %s", line)
		case Trigger:
			require.True(t, classes[r.Trigger], line)
		case Idempotent, Repeatable:
			require.Contains(t, impactOrder, r.Impact, line)
		}
	}
	require.Less(t, float64(unknown)/float64(total), 0.02)
}

func TestOperations(t *testing.T) {
	c := New()
	for _, row := range []struct {
		name, kind string
		version    float64
		parameters string
		want       Kind
		impact     Impact
		at         string
	}{
		{"default operation", "gmail", 2.1, ``, Repeatable, Message, `"N"`},
		{"operation points", "gmail", 2.1, `"operation":"send"`, Repeatable, Message, `"send"`},
		{"reads", "gmail", 2.1, `"operation":"getAll"`, Read, "", `"getAll"`},
		{"tool", "gmailTool", 2.1, ``, Repeatable, Message, `"N"`},
		{"approval", "gmail", 2.1, `"operation":"sendAndWait"`, Repeatable, Message, `"sendAndWait"`},
		{"sheet default reads", "googleSheets", 4.5, ``, Read, "", `"N"`},
		{"sheet append", "googleSheets", 4.5, `"operation":"append"`, Repeatable, Record, `"append"`},
		{"sheet upsert", "googleSheets", 4.5, `"operation":"appendOrUpdate"`, Idempotent, Record, `"appendOrUpdate"`},
		{"postgres default inserts", "postgres", 2.6, ``, Repeatable, Record, `"N"`},
		{"postgres version 1", "postgres", 1, ``, Repeatable, Record, `"N"`},
		{"newer version than known", "postgres", 9.9, `"operation":"select"`, Read, "", `"select"`},
		{"redis default reads", "redis", 1, ``, Read, "", `"N"`},
		{"stripe charge", "stripe", 1, `"resource":"charge","operation":"create"`, Repeatable, Money, `"create"`},
		{"slack", "slack", 2.3, `"text":"x"`, Repeatable, Notice, `"N"`},
		{"expression as operation", "gmail", 2.1, `"operation":"={{ $json.op }}"`, Unknown, "", `"N"`},
		{"unknown operation", "gmail", 2.1, `"operation":"fly"`, Unknown, "", `"N"`},
		{"community node", "n8n-nodes-acme.acme", 1, ``, Unknown, "", `"N"`},
		{"merge routes", "merge", 3, ``, Logic, "", `"N"`},
		{"http absent method reads", "httpRequest", 4.2, `"url":"https://x.example/a"`, Read, "", `"https://x.example/a"`},
		{"http post", "httpRequest", 4.2, `"method":"POST","url":"https://x.example/a"`, Repeatable, Record, `"POST"`},
		{"http version 1", "httpRequest", 1, `"requestMethod":"POST","url":"https://x.example/a"`, Repeatable, Record, `"POST"`},
		{"http put", "httpRequest", 4.2, `"method":"PUT","url":"https://x.example/a/7"`, Idempotent, Record, `"PUT"`},
		{"http method is an expression", "httpRequest", 4.2, `"method":"={{ $json.m }}","url":"https://x.example"`, Unknown, "", `"={{ $json.m }}"`},
		{"http file answer", "httpRequest", 4.2, `"method":"POST","url":"https://x.example/a","options":{"response":{"response":{"responseFormat":"file"}}}`, Compute, "", `"POST"`},
		{"http stripe", "httpRequest", 4.2, `"method":"POST","url":"https://api.stripe.com/v1/charges"`, Repeatable, Money, `"POST"`},
		{"http model", "httpRequest", 4.2, `"method":"POST","url":"https://api.openai.com/v1/chat/completions"`, Compute, "", `"POST"`},
		{"headers only when sent", "httpRequest", 4.2, `"method":"POST","url":"https://x.supabase.co/rest/v1/t","headerParameters":{"parameters":[{"name":"Prefer","value":"resolution=merge-duplicates"}]}`, Repeatable, Record, `"POST"`},
		{"postgrest upsert", "httpRequest", 4.2, `"method":"POST","url":"https://x.supabase.co/rest/v1/t","sendHeaders":true,"headerParameters":{"parameters":[{"name":"Prefer","value":"resolution=merge-duplicates"}]}`, Idempotent, Record, `"POST"`},
		{"graphql query", "graphql", 1, `"endpoint":"https://x.example/graphql","query":"query { a }"`, Read, "", `"https://x.example/graphql"`},
		{"graphql mutation", "graphql", 1, `"endpoint":"https://x.example/graphql","query":"mutation { createThing { id } }"`, Repeatable, Record, `"https://x.example/graphql"`},
		{"agent tool http", "httpRequestTool", 4.2, `"method":"POST","url":"https://x.example/a"`, Repeatable, Record, `"POST"`},
		{"old agent tool http", "@n8n/n8n-nodes-langchain.toolHttpRequest", 1.1, `"method":"POST","url":"https://x.example/{id}"`, Repeatable, Record, `"POST"`},
		{"sql select", "postgres", 2.6, `"operation":"executeQuery","query":"SELECT 1"`, Read, "", `"SELECT 1"`},
		{"sql insert", "postgres", 2.6, `"operation":"executeQuery","query":"INSERT INTO t (a) VALUES (1)"`, Repeatable, Record, `"INSERT INTO t (a) VALUES (1)"`},
		{"sql upsert", "postgres", 2.6, `"operation":"executeQuery","query":"INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING"`, Idempotent, Record, `"INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING"`},
		{"sql sets", "mySql", 2.4, `"operation":"executeQuery","query":"UPDATE t SET a = 1"`, Idempotent, Record, `"UPDATE t SET a = 1"`},
		{"sql counts", "mySql", 2.4, `"operation":"executeQuery","query":"UPDATE t SET n = n + 1"`, Repeatable, Record, `"UPDATE t SET n = n + 1"`},
		{"sql upsert counts", "postgres", 2.6, `"operation":"executeQuery","query":"INSERT INTO t (a,n) VALUES (1,1) ON CONFLICT (a) DO UPDATE SET n = t.n + 1"`, Repeatable, Record, ``},
		{"sql upsert of the new value", "postgres", 2.6, `"operation":"executeQuery","query":"INSERT INTO t (a,n) VALUES (1,1) ON CONFLICT (a) DO UPDATE SET n = excluded.n"`, Idempotent, Record, ``},
		{"sql is an expression", "postgres", 2.6, `"operation":"executeQuery","query":"={{ $json.query }}"`, Unknown, "", `"={{ $json.query }}"`},
		{"stored function", "postgres", 2.6, `"operation":"executeQuery","query":"SELECT * FROM claim_event($1)"`, Unknown, "", ``},
		{"code computes", "code", 2, `"jsCode":"return items"`, Compute, "", `"N"`},
		{"code posts", "code", 2, `"jsCode":"await this.helpers.httpRequest({method:'POST',url:'https://x.example/a'})"`, Repeatable, Record, `this.helpers.httpRequest({method:'POST',url:'https://x.example/a'})`},
		{"code gets", "code", 2, `"jsCode":"await fetch('https://x.example/a')"`, Read, "", ``},
		{"code that cannot be read", "code", 2, `"jsCode":"fetch('x') {{{"`, Unknown, "", `"N"`},
		{"python", "code", 2, `"language":"python","pythonCode":"return []"`, Compute, "", `"N"`},
		{"vector store inserts", "@n8n/n8n-nodes-langchain.vectorStorePinecone", 1, `"mode":"insert"`, Repeatable, Record, `"N"`},
		{"vector store reads by default", "@n8n/n8n-nodes-langchain.vectorStorePinecone", 1, ``, Read, "", `"N"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := c.Of(nodeOf(t, row.kind, row.version, row.parameters))
			require.Equal(t, row.want, op.Kind, op.Why)
			require.Equal(t, row.impact, op.Impact)
			if row.at != "" {
				require.Equal(t, row.at, op.At.Text())
			}
			if op.Kind == Unknown {
				require.NotEmpty(t, op.Why)
			}
		})
	}
}

func TestTriggers(t *testing.T) {
	c := New()
	for kind, want := range map[string]Class{
		"webhook": Event, "telegramTrigger": Event, "stripeTrigger": Event, "formTrigger": Form, "gmailTrigger": Poll,
		"rssFeedReadTrigger": Poll, "emailReadImap": Poll, "scheduleTrigger": Schedule, "cron": Schedule, "redisTrigger": Schedule,
		"executeWorkflowTrigger": Called, "manualTrigger": Manual, "errorTrigger": Failure,
		"@n8n/n8n-nodes-langchain.chatTrigger": Form, "@n8n/n8n-nodes-langchain.mcpTrigger": Called,
	} {
		op := c.Of(nodeOf(t, kind, 1, ``))
		require.Equal(t, Trigger, op.Kind, kind)
		require.Equal(t, want, op.Trigger, kind)
	}
}

func TestTargets(t *testing.T) {
	c := New()
	sheet := func(tab string) Target {
		return c.Of(nodeOf(t, "googleSheets", 4.5, `"operation":"append","documentId":{"__rl":true,"mode":"list","value":"D1"},"sheetName":{"__rl":true,"mode":"list","value":"`+tab+`","cachedResultName":"Run log"}`)).Target
	}
	require.True(t, sheet("gid=0").Same(sheet("gid=0")))
	require.False(t, sheet("gid=0").Same(sheet("gid=1")))
	row := c.Of(nodeOf(t, "postgres", 2.6, `"table":{"__rl":true,"mode":"list","value":"Orders"},"schema":{"__rl":true,"mode":"list","value":"public"}`)).Target
	query := c.Of(nodeOf(t, "postgres", 2.6, `"operation":"executeQuery","query":"SELECT 1 FROM public.orders"`)).Target
	require.True(t, row.Same(query), "%v %v", row, query)
	require.False(t, row.Same(Target{}))
	require.False(t, Target{}.Same(Target{}))
}

func TestLogTables(t *testing.T) {
	c := New()
	for table, want := range map[string]bool{
		"audit_log": true, "ErrorLogs": true, "dead_letter": true, "workflow runs": true, "execution-history": true,
		"orders": false, "catalog": false, "login_tokens": false, "blog": false, "=audit_log": false, "runners": false,
	} {
		op := c.Of(nodeOf(t, "postgres", 2.6, fmt.Sprintf(`"table":%q`, table)))
		require.Equal(t, want, op.Log, table)
	}
}

func TestWords(t *testing.T) {
	require.Equal(t, []string{"dead", "letter", "queue"}, Words("deadLetter_queue"))
	require.Equal(t, []string{"http", "log"}, Words("HTTP-log"))
	require.Equal(t, []string{"größe", "2"}, Words("Größe 2"))
	require.Empty(t, Words("--"))
}

func TestJudgeKeepsThePlace(t *testing.T) {
	op := New().Of(nodeOf(t, "httpRequest", 4.2, `"method":"POST","url":"={{ $env.URL }}"`))
	require.True(t, op.HTTP.AddressUnknown())
	op.Judge("https://api.stripe.com/v1/charges")
	require.Equal(t, Money, op.Impact)
	require.Equal(t, `"POST"`, op.At.Text())
	require.False(t, op.HTTP.AddressUnknown())
}

func BenchmarkOf(b *testing.B) {
	c := New()
	n := nodeOf(b, "httpRequest", 4.2, `"method":"POST","url":"https://api.stripe.com/v1/charges"`)
	for b.Loop() {
		c.Of(n)
	}
}

func TestCallsThatNameTheirOperationInTheBody(t *testing.T) {
	for _, c := range []struct {
		body string
		want Kind
	}{
		{`{"operation": "getone", "id": 1}`, Read},
		{`={"operation": "update", "fields": {"id": "{{ $json.id }}"}}`, Idempotent},
		{`={{ JSON.stringify({ operation: 'update', id: $json.id }) }}`, Idempotent},
		{`{"operation": "update"}`, Repeatable},
		{`{"jsonrpc": "2.0", "method": "call", "params": {"method": "web_search_read"}}`, Read},
		{`{"method": "call", "params": {"args": ["db", 2, "pw", "res.partner", "search_read"]}}`, Read},
		{`{"method": "call", "params": {"args": ["db", 2, "pw", "res.partner", "create"]}}`, Repeatable},
		{`{"action": "create"}`, Repeatable},
	} {
		n := nodeOf(t, "httpRequest", 4.2, fmt.Sprintf(`"method":"POST","url":"https://erp.example.com/api","sendBody":true,"specifyBody":"json","jsonBody":%q`, c.body))
		require.Equal(t, c.want, New().Of(n).Kind, c.body)
	}
}

func TestCountersAreLogs(t *testing.T) {
	for query, want := range map[string]bool{
		"UPDATE articles SET views = views + 1 WHERE id = $1":                                      true,
		"UPDATE articles SET views = views + 1, seen_at = now() WHERE id = $1":                     true,
		"UPDATE accounts SET balance = balance + $2 WHERE id = $1":                                 false,
		"UPDATE stock SET left_over = left_over - 1 WHERE id = $1":                                 false,
		"UPDATE articles SET views = views + 1 WHERE id = $1; INSERT INTO visits (id) VALUES ($1)": false,
		"UPDATE articles SET title = $2 WHERE id = $1":                                             false,
	} {
		n := nodeOf(t, "postgres", 2.6, fmt.Sprintf(`"operation":"executeQuery","query":%q`, query))
		require.Equal(t, want, New().Of(n).Log, query)
	}
}
