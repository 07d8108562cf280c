package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// described writes an access in one line: verb, table, what it writes and asks.
func described(a *RowAccess) string {
	verbs := map[RowVerb]string{ReadsRows: "reads", InsertsRows: "inserts", UpsertsRows: "upserts", UpdatesRows: "updates", DeletesRows: "deletes"}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", verbs[a.Verb], strings.Join(a.Target.Parts, "."))
	for _, s := range a.Writes {
		fmt.Fprintf(&b, " %s:=%s", s.Column, stateName(s))
	}
	for _, s := range a.Asks {
		sign := "="
		if s.Negated {
			sign = "!="
		}
		fmt.Fprintf(&b, " %s%s%s", s.Column, sign, stateName(s))
	}
	for _, flag := range []struct {
		name string
		is   bool
	}{{"keyed", a.Keyed}, {"aged", a.Aged}, {"counts", a.Counts}, {"open", a.Open}} {
		if flag.is {
			b.WriteString(" " + flag.name)
		}
	}
	return b.String()
}

func stateName(s State) string {
	if !s.Known {
		return "?"
	}
	return s.Text
}

func rowsFor(t *testing.T, n object) (list []string) {
	t.Helper()
	n["name"] = "Rows"
	facts := analyze(t, workflow(
		node("Start", "webhook", 2, object{"path": "x"}),
		node("Config", "set", 3.4, object{"assignments": object{"assignments": []object{{"name": "state", "type": "string", "value": "sent"}}}}),
		n, "Start -> Config -> Rows"))
	for _, a := range facts[0].RowsOf(facts[0].Workflow.Node("Rows")) {
		list = append(list, described(a))
	}
	return list
}

func rowsQuery(kind string, version float64, text, replacement string) object {
	p := object{"operation": "executeQuery", "query": text}
	if replacement != "" {
		p["options"] = object{"queryReplacement": replacement}
	}
	return node("Rows", kind, version, p)
}

func TestStatementAccesses(t *testing.T) {
	cases := []struct {
		name, text, replacement string
		want                    []string
	}{
		{"claim", "INSERT INTO claims (k, status) VALUES ($1, 'pending') ON CONFLICT (k) DO NOTHING RETURNING k", "={{ [$json.id] }}", []string{"inserts claims status:=pending"}},
		{"constant parameter", "UPDATE claims SET status = $2 WHERE k = $1 AND status = $3", "={{ [$json.id, 'done', 'pending'] }}", []string{"updates claims status:=done status=pending keyed"}},
		{"constant of a Set node", "UPDATE claims SET status = $2 WHERE k = $1", "={{ [$json.id, $json.state] }}", []string{"updates claims status:=sent keyed"}},
		{"unknown parameter", "UPDATE claims SET status = $2 WHERE k = $1", "={{ [$json.id, $('Start').item.json.body.state] }}", []string{"updates claims status:=? keyed"}},
		{"string form", "UPDATE claims SET status = $2 WHERE k = $1", "={{ $json.id }},{{ 'done' }}", []string{"updates claims status:=done keyed"}},
		{"literal parameters", "UPDATE claims SET status = $2 WHERE k = $1", "=7, done", []string{"updates claims status:=done keyed"}},
		{"interpolated state", "UPDATE claims SET status = '{{ 'done' }}' WHERE k = $1", "={{ [$json.id] }}", []string{"updates claims status:=done keyed"}},
		{"schema and alias", "UPDATE public.\"claims\" AS c SET status = 'done' WHERE c.k = $1 AND c.status = 'pending'", "={{ [$json.id] }}", []string{"updates claims status:=done status=pending keyed"}},
		{"not done", "UPDATE claims SET status = 'done' WHERE k = $1 AND status <> 'done'", "={{ [$json.id] }}", []string{"updates claims status:=done status!=done keyed"}},
		{"worker", "UPDATE tasks SET status = 'claimed' WHERE id IN (SELECT id FROM tasks WHERE status = 'pending' FOR UPDATE SKIP LOCKED) RETURNING id", "", []string{"updates tasks status:=claimed status=pending"}},
		{"sweep", "SELECT k FROM claims WHERE status IN ('pending', 'claimed') AND claimed_at < now() - interval '1 hour'", "", []string{"reads claims status=pending status=claimed aged"}},
		{"attempts are no age", "SELECT k FROM claims WHERE status = 'pending' AND attempts < 5", "", []string{"reads claims status=pending"}},
		{"count", "SELECT count(*) AS n FROM claims WHERE status = 'pending'", "", []string{"reads claims status=pending counts"}},
		{"flag", "SELECT id FROM outbox WHERE sent_at IS NULL", "", []string{"reads outbox sent_at=null"}},
		{"two statements", "DELETE FROM a WHERE k = $1; INSERT INTO b (k, state) VALUES ($1, 'done') ON CONFLICT (k) DO UPDATE SET state = 'done'", "={{ [$json.id] }}", []string{"deletes a keyed", "upserts b state:=done state:=done"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, rowsFor(t, rowsQuery("postgres", 2.6, c.text, c.replacement)))
		})
	}
}

func TestRowOperations(t *testing.T) {
	locator := object{"__rl": true, "mode": "name", "value": "claims"}
	cases := []struct {
		name string
		node object
		want []string
	}{
		{"postgres update", node("Rows", "postgres", 2.6, object{"operation": "update", "table": locator, "columns": object{"mappingMode": "defineBelow", "value": object{"k": "={{ $json.id }}", "status": "done"}, "matchingColumns": []string{"k"}}}),
			[]string{"updates claims status:=done keyed"}},
		{"postgres update of what comes", node("Rows", "postgres", 2.6, object{"operation": "update", "table": locator, "columns": object{"mappingMode": "autoMapInputData"}}),
			[]string{"updates claims keyed open"}},
		{"supabase filters", node("Rows", "supabase", 1, object{"operation": "update", "tableId": "claims", "filters": object{"conditions": []object{{"keyName": "k", "condition": "eq", "keyValue": "={{ $json.id }}"}, {"keyName": "status", "condition": "eq", "keyValue": "pending"}}}, "fieldsUi": object{"fieldValues": []object{{"fieldId": "status", "fieldValue": "done"}}}}),
			[]string{"updates claims status:=done status=pending keyed"}},
		{"data table", node("Rows", "dataTable", 1, object{"operation": "get", "dataTableId": object{"__rl": true, "mode": "id", "value": "dt1"}, "filters": object{"conditions": []object{{"keyName": "status", "keyValue": "pending"}, {"keyName": "createdAt", "condition": "lt", "keyValue": "={{ $now }}"}}}}),
			[]string{"reads dt1 status=pending aged"}},
		{"sheet", node("Rows", "googleSheets", 4.5, object{"operation": "read", "documentId": object{"__rl": true, "mode": "id", "value": "doc"}, "sheetName": object{"__rl": true, "mode": "list", "value": "gid=0"}, "filtersUI": object{"values": []object{{"lookupColumn": "Status", "lookupValue": "Pending"}}}}),
			[]string{"reads doc.gid=0 Status=Pending"}},
		{"airtable formula", node("Rows", "airtable", 2.1, object{"operation": "search", "base": object{"__rl": true, "mode": "id", "value": "app"}, "table": object{"__rl": true, "mode": "id", "value": "tbl"}, "filterByFormula": "AND({Status} = 'Open', IS_BEFORE({Made}, NOW()))"}),
			[]string{"reads app.tbl Status=Open aged"}},
		{"postgrest", node("Rows", "httpRequest", 4.2, object{"method": "PATCH", "url": "=https://x.supabase.co/rest/v1/claims?k=eq.{{ $json.id }}&status=eq.pending", "sendBody": true, "specifyBody": "json", "jsonBody": `{"status": "done"}`}),
			[]string{"updates claims status:=done status=pending keyed"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, rowsFor(t, c.node)) })
	}
}

func TestSameTable(t *testing.T) {
	facts := analyze(t, workflow(
		node("Start", "webhook", 2, object{"path": "x"}),
		rowsQuery("postgres", 2.6, "SELECT * FROM public.claims WHERE k = 1", ""),
		node("Supabase", "supabase", 1, object{"operation": "getAll", "tableId": "claims"}),
		node("Other schema", "postgres", 2.6, object{"operation": "executeQuery", "query": "SELECT * FROM audit.claims WHERE k = 1"}),
		node("Other store", "mySql", 2.4, object{"operation": "executeQuery", "query": "SELECT * FROM claims WHERE k = 1"}),
		"Start -> Rows -> Supabase -> Other schema -> Other store"))[0]
	of := func(name string) *RowAccess { return facts.RowsOf(facts.Workflow.Node(name))[0] }
	require.True(t, SameTable(of("Rows").Target, of("Supabase").Target))
	require.False(t, SameTable(of("Rows").Target, of("Other schema").Target))
	require.False(t, SameTable(of("Rows").Target, of("Other store").Target))
}
