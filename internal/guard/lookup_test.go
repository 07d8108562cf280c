package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// lookUpFlow is Hook → Look → Seen? → Send → Record, Send on the given output of
// the branch.
func lookUpFlow(lookNode, branch, record object, output string) *spec {
	record["name"] = "Record"
	return workflow(hook(), lookNode, branch, mail("Send"), record,
		"Hook -> Look -> Seen?", "Seen?"+output+" -> Send", "Send -> Record")
}

func lookNode(kind string, version float64, p object, settings ...object) object {
	return node("Look", kind, version, p, settings...)
}

func sheet(operation string) object {
	return object{
		"operation":  operation,
		"documentId": object{"__rl": true, "mode": "id", "value": "doc"}, "sheetName": object{"__rl": true, "mode": "list", "value": "gid=0"},
		"filtersUI": object{"values": []object{{"lookupColumn": "id", "lookupValue": "={{ $('Hook').item.json.body.id }}"}}},
		"columns":   object{"mappingMode": "defineBelow", "value": object{"id": "={{ $('Hook').item.json.body.id }}"}},
	}
}

func table(operation string) object {
	return object{
		"operation": operation, "dataTableId": object{"__rl": true, "mode": "id", "value": "t1"},
		"filters": object{"conditions": []object{{"keyName": "event_key", "keyValue": "={{ $('Hook').item.json.body.id }}"}}},
		"columns": object{"mappingMode": "defineBelow", "value": object{"event_key": "={{ $('Hook').item.json.body.id }}"}},
	}
}

func seen(list ...object) object { return gate("Seen?", list...) }

// A read whose emptiness is asked before the same store is written guards, but
// two executions both find nothing (RULES: check-then-insert; N8N.md section 4).
func TestLookUpGuards(t *testing.T) {
	always := object{"alwaysOutputData": true}
	insert := func() object {
		return node("Record", "postgres", 2.6, query("INSERT INTO sent_mails (mail_id) VALUES ($1)"))
	}
	postgres := func(sql string, settings ...object) object { return lookNode("postgres", 2.6, query(sql), settings...) }
	for _, c := range []struct {
		name   string
		spec   *spec
		absent string // where "not found" goes
	}{
		{"postgres, empty item", lookUpFlow(postgres("SELECT mail_id FROM sent_mails WHERE mail_id = $1", always), seen(condition("={{ $json.mail_id }}", "string", "exists")), insert(), ":1"), isGuarded},
		{"postgres, count", lookUpFlow(postgres("SELECT COUNT(*) AS n FROM sent_mails WHERE mail_id = $1"), seen(condition("={{ $json.n }}", "number", "gt", 0)), insert(), ":1"), isGuarded},
		{"postgres, count is zero", lookUpFlow(postgres("SELECT COUNT(*) FROM sent_mails WHERE mail_id = $1"), seen(condition("={{ $json.count }}", "string", "equals", "0")), insert(), ""), isGuarded},
		{"postgres, exists", lookUpFlow(postgres("SELECT EXISTS(SELECT 1 FROM sent_mails WHERE mail_id = $1) AS known"), seen(condition("={{ $json.known }}", "boolean", "true")), insert(), ":1"), isGuarded},
		{"postgres, count in code", lookUpFlow(postgres("SELECT COUNT(*)::int AS n FROM sent_mails WHERE mail_id = $1"), seen(condition("={{ $json.n === 0 }}", "boolean", "true")), insert(), ""), isGuarded},
		{"postgres node's own select", lookUpFlow(lookNode("postgres", 2.6, object{"operation": "select", "schema": object{"value": "public"}, "table": object{"value": "sent_mails"}}, always), seen(condition("={{ $json.mail_id }}", "string", "notExists")), insert(), ""), isGuarded},
		{"sheet", lookUpFlow(lookNode("googleSheets", 4.5, sheet("read"), always), seen(condition("={{ $json.id }}", "string", "exists")), node("Record", "googleSheets", 4.5, sheet("append")), ":1"), isGuarded},
		{"sheet, empty item", lookUpFlow(lookNode("googleSheets", 4.5, sheet("read"), always), seen(condition("={{ $json }}", "object", "empty")), node("Record", "googleSheets", 4.5, sheet("append")), ""), isGuarded},
		{"redis", lookUpFlow(lookNode("redis", 1, object{"operation": "get", "key": "=x:{{ $('Hook').item.json.body.id }}", "propertyName": "value"}), seen(condition("={{ $json.value }}", "string", "exists")), node("Record", "redis", 1, object{"operation": "set", "key": "=x:{{ $('Hook').item.json.body.id }}", "value": "1"}), ":1"), isGuarded},
		{"airtable", lookUpFlow(lookNode("airtable", 2.1, object{"operation": "search", "base": object{"value": "b"}, "table": object{"value": "t"}, "filterByFormula": "=id='{{ $json.body.id }}'"}, always), seen(condition("={{ $json.id }}", "string", "exists")), node("Record", "airtable", 2.1, object{"operation": "create", "base": object{"value": "b"}, "table": object{"value": "t"}}), ":1"), isGuarded},
		{"data table get", lookUpFlow(lookNode("dataTable", 1, table("get"), always), seen(condition("={{ $json.id }}", "number", "exists")), node("Record", "dataTable", 1, table("insert")), ":1"), isGuarded},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			require.Equal(t, c.absent, outcomeOf(t, f, "Send"))
			require.Equal(t, LookUp, guardOf(f, "Look").Kind)
		})
	}
	t.Run("data table rowNotExists gates by itself", func(t *testing.T) {
		f := analyze(t, workflow(hook(), lookNode("dataTable", 1, table("rowNotExists")), node("Record", "dataTable", 1, table("insert")), mail("Send"), "Hook -> Look -> Record -> Send"))[0]
		require.Equal(t, isGuarded, outcomeOf(t, f, "Send"))
	})
	t.Run("data table rowExists lets on who is known", func(t *testing.T) {
		f := analyze(t, workflow(hook(), lookNode("dataTable", 1, table("rowExists")), node("Record", "dataTable", 1, table("insert")), mail("Send"), "Hook -> Look -> Send -> Record"))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
	})
	t.Run("filter", func(t *testing.T) {
		filter := node("Seen?", "filter", 2.2, object{"conditions": conditions("and", condition("={{ $json.n }}", "number", "equals", 0))})
		f := analyze(t, lookUpFlow(postgres("SELECT COUNT(*)::int AS n FROM sent_mails WHERE mail_id = $1"), filter, insert(), ""))[0]
		require.Equal(t, isGuarded, outcomeOf(t, f, "Send"))
	})
	t.Run("another column of what was found", func(t *testing.T) {
		f := analyze(t, lookUpFlow(postgres("SELECT * FROM sent_mails WHERE mail_id = $1", always), seen(condition("={{ $json.sent_at }}", "string", "exists")), insert(), ":1"))[0]
		require.Contains(t, []string{isGuarded, isUnsure}, outcomeOf(t, f, "Send"))
	})
	t.Run("a claim behind it counts", func(t *testing.T) {
		f := analyze(t, workflow(hook(), postgres("SELECT COUNT(*) AS n FROM claims WHERE event_key = $1"), seen(condition("={{ $json.n }}", "number", "equals", 0)), claimAndGate(), mail("Send"),
			"Hook -> Look -> Seen? -> Claim -> Won? -> Send"))[0]
		require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	})
	t.Run("an empty SELECT gives no item from 2.3 on", func(t *testing.T) {
		for version, want := range map[float64]string{1: isUnreached, 2: isGuarded, 2.2: isGuarded, 2.3: isUnreached, 2.6: isUnreached} {
			n := lookNode("postgres", version, query("SELECT id FROM sent_mails WHERE mail_id = $1"))
			f := analyze(t, lookUpFlow(n, seen(condition("={{ $json.id }}", "number", "exists")), insert(), ":1"))[0]
			require.Equal(t, want, outcomeOf(t, f, "Send"), "version %v", version)
		}
	})
	t.Run("the branch is missing", func(t *testing.T) {
		f := analyze(t, workflow(hook(), postgres("SELECT COUNT(*) AS n FROM sent_mails WHERE mail_id = $1"), mail("Send"), insert(), "Hook -> Look -> Send -> Record"))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
	})
	t.Run("the effect on the side of what was found", func(t *testing.T) {
		f := analyze(t, lookUpFlow(postgres("SELECT COUNT(*)::int AS n FROM sent_mails WHERE mail_id = $1"), seen(condition("={{ $json.n }}", "number", "gt", 0)), insert(), ""))[0]
		require.NotEqual(t, isGuarded, outcomeOf(t, f, "Send"))
	})
	t.Run("both sides rejoin", func(t *testing.T) {
		f := analyze(t, workflow(hook(), postgres("SELECT COUNT(*)::int AS n FROM sent_mails WHERE mail_id = $1"), seen(condition("={{ $json.n }}", "number", "equals", 0)), mail("Send"), insert(),
			"Hook -> Look -> Seen? -> Record -> Send", "Seen?:1 -> Send"))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
	})
	t.Run("an answer that cannot be decided, both sides rejoin", func(t *testing.T) {
		f := analyze(t, workflow(hook(), postgres("SELECT * FROM sent_mails WHERE mail_id = $1", always), seen(condition("={{ $json.tries }}", "number", "gt", 3)), mail("Send"), insert(), noOp("A"),
			"Hook -> Look -> Seen? -> A -> Send -> Record", "Seen?:1 -> Send"))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
	})
}

// Reads that fetch what the effect needs keep nobody back.
func TestEnrichmentIsNoGuard(t *testing.T) {
	for name, s := range map[string]*spec{
		"another table": workflow(hook(), lookNode("postgres", 2.6, query("SELECT * FROM customers WHERE id = $1")), seen(condition("={{ $json.id }}", "string", "exists")), mail("Send"),
			node("Record", "postgres", 2.6, query("INSERT INTO sent_mails (mail_id) VALUES ($1)")), "Hook -> Look -> Seen? -> Send -> Record"),
		"nothing is written": workflow(hook(), lookNode("googleSheets", 4.5, sheet("read")), seen(condition("={{ $json.id }}", "string", "exists")), mail("Send"), "Hook -> Look -> Seen? -> Send"),
		"another sheet": workflow(hook(), lookNode("googleSheets", 4.5, sheet("read")), seen(condition("={{ $json.id }}", "string", "exists")), mail("Send"),
			node("Record", "googleSheets", 4.5, object{"operation": "append", "documentId": object{"value": "doc"}, "sheetName": object{"value": "gid=7"}}), "Hook -> Look -> Seen? -> Send -> Record"),
		"another redis key": workflow(hook(), lookNode("redis", 1, object{"operation": "get", "key": "settings", "propertyName": "v"}), seen(condition("={{ $json.v }}", "string", "exists")), mail("Send"),
			node("Record", "redis", 1, object{"operation": "set", "key": "other", "value": "1"}), "Hook -> Look -> Seen? -> Send -> Record"),
		"http": workflow(hook(), lookNode("httpRequest", 4.2, object{"url": "https://example.com/customer"}), seen(condition("={{ $json.id }}", "string", "exists")), mail("Send"), "Hook -> Look -> Seen? -> Send"),
		"the record is on another way": workflow(hook(), lookNode("postgres", 2.6, query("SELECT COUNT(*) AS n FROM sent_mails WHERE mail_id = $1")), seen(condition("={{ $json.n }}", "number", "equals", 0)), mail("Send"),
			node("Record", "postgres", 2.6, query("INSERT INTO sent_mails (mail_id) VALUES ($1)")), "Hook -> Look -> Seen? -> Send", "Hook -> Record"),
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, s)[0]
			require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
			require.Nil(t, guardOf(f, "Look"))
		})
	}
}
