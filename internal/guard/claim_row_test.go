package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func redis(operation, key string, more object) object {
	p := object{"operation": operation, "key": key}
	for k, v := range more {
		p[k] = v
	}
	return node("Claim", "redis", 1, p)
}

// N8N.md section 4: INCR gives {"<key>": n}, and with an IF on 1 it is atomic.
func TestRedisIncrement(t *testing.T) {
	const perEvent = "=evt:{{ $json.body.id }}"
	first := "={{ Object.values($json)[0] }}"
	number := func(operation string, right any) object {
		return gate("Won?", condition(first, "number", operation, right))
	}
	for _, c := range []struct {
		name       string
		key        string
		gate       object
		yes, other string // the effect on the first and on the second output
	}{
		{"equals 1", perEvent, number("equals", 1), isClaimed, isLeaked},
		{"not equals 1", perEvent, number("notEquals", 1), isLeaked, isClaimed},
		{"> 1", perEvent, number("gt", 1), isLeaked, isClaimed},
		{">= 2", perEvent, number("gte", 2), isLeaked, isClaimed},
		{"< 2", perEvent, number("lt", 2), isClaimed, isLeaked},
		{"<= 1", perEvent, number("lte", 1), isClaimed, isLeaked},
		{"expression === 1", perEvent, gate("Won?", condition("={{ Object.values($json)[0] === 1 }}", "boolean", "true")), isClaimed, isLeaked},
		{"expression == '1'", perEvent, gate("Won?", condition("={{ Object.values($json)[0] == '1' }}", "boolean", "true")), isClaimed, isLeaked},
		{"expression > 1", perEvent, gate("Won?", condition("={{ Object.values($json)[0] > 1 }}", "boolean", "true")), isLeaked, isClaimed},
		{"expression >= 2 is false", perEvent, gate("Won?", condition("={{ Object.values($json)[0] >= 2 }}", "boolean", "false")), isClaimed, isLeaked},
		{"by the key's name", perEvent, gate("Won?", condition("={{ $json['evt:' + $('Hook').item.json.body.id] }}", "number", "equals", 1)), isUnsure, isUnsure},
		{"limit made at run time", "=limit:{{ $json.body.user }}", number("lte", "={{ $('Hook').item.json.body.limit }}"), isUnsure, isUnsure},
		{"limit > 10", "=limit:{{ $json.body.user }}", number("gt", 10), isUnclaimed, isUnclaimed},
		{"limit <= 10", "=limit:{{ $json.body.user }}", number("lte", 10), isUnclaimed, isUnclaimed},
		{"limit < 5", "=limit:{{ $json.body.user }}", number("lt", 5), isUnclaimed, isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), redis("incr", c.key, object{"expire": true, "ttl": 86400}), c.gate, mail("Yes"), mail("No"),
				"Hook -> Claim -> Won? -> Yes", "Won?:1 -> No"))[0]
			require.Equal(t, c.yes, outcomeOf(t, f, "Yes"))
			require.Equal(t, c.other, outcomeOf(t, f, "No"))
		})
	}
	t.Run("per event, nobody asks", func(t *testing.T) {
		f := analyze(t, ungated(redis("incr", perEvent, nil)))[0]
		require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
		require.Equal(t, Unasked, causeOf(t, f, "Send"))
	})
	t.Run("a constant counter, nobody asks", func(t *testing.T) {
		require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, ungated(redis("incr", "hits", nil)))[0], "Send"))
	})
	t.Run("a limit is no record either", func(t *testing.T) {
		f := analyze(t, gated(redis("incr", "=limit:{{ $json.body.user }}", nil), number("lte", 10)))[0]
		require.Nil(t, effectOf(f, "Claim"))
	})
	t.Run("a known key by its name", func(t *testing.T) {
		f := analyze(t, gated(redis("incr", "evt", nil), gate("Won?", condition("={{ $json.evt }}", "number", "equals", 1))))[0]
		require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
		f = analyze(t, gated(redis("incr", "evt", nil), gate("Won?", condition("={{ $json.evt }}", "number", "gt", 0))))[0]
		require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"), "lets everyone on")
	})
	t.Run("the failed counter goes on", func(t *testing.T) {
		n := redis("incr", "evt", nil)
		n["onError"] = "continueRegularOutput"
		f := analyze(t, gated(n, gate("Won?", condition("={{ $json.evt }}", "number", "notEquals", 2))))[0]
		require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
	})
}

func supabase(fields ...object) object {
	return object{"operation": "create", "tableId": "claims", "fieldsUi": object{"fieldValues": fields}}
}

// N8N.md section 4, "Others": an insert that a unique column refuses is a claim
// if it stops.
func TestInsertsElsewhere(t *testing.T) {
	keyed := supabase(object{"fieldId": "event_key", "fieldValue": "={{ $json.body.id }}"}, object{"fieldId": "status", "fieldValue": "pending"})
	customer := object{"operation": "create", "tableId": "customers", "fieldsUi": object{"fieldValues": []object{{"fieldId": "name", "fieldValue": "x"}}}}
	goesOn := object{"onError": "continueRegularOutput"}
	split := object{"onError": "continueErrorOutput"}
	own := object{"operation": "insert", "collection": "claims", "fields": "_id,status"}
	for _, c := range []struct {
		name  string
		claim object
		want  string
	}{
		{"supabase stops", node("Claim", "supabase", 1, keyed), isUnsure},
		{"supabase goes on", node("Claim", "supabase", 1, keyed, goesOn), isLeaked},
		{"supabase error output", node("Claim", "supabase", 1, keyed, split), isUnsure},
		{"supabase, no key", node("Claim", "supabase", 1, customer), isUnclaimed},
		{"mongo, key and state, stops", node("Claim", "mongoDb", 1.1, own), isUnclaimed},
		{"mongo update", node("Claim", "mongoDb", 1.1, object{"operation": "update", "collection": "claims", "updateKey": "event_key", "fields": "event_key,status", "upsert": true}), isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := []string{c.want}
			if c.name == "mongo, key and state, stops" {
				want = []string{isClaimed, isUnsure} // its _id is unique always
			}
			require.Contains(t, want, outcomeOf(t, analyze(t, ungated(c.claim))[0], "Send"))
		})
	}
}

// DynamoDB: a put with attribute_not_exists is a claim (RULES).
func TestDynamoPut(t *testing.T) {
	put := func(condition string, settings ...object) object {
		p := object{"operation": "upsert", "tableName": "claims", "dataToSend": "defineBelow", "additionalFields": object{}}
		if condition != "" {
			p["additionalFields"] = object{"conditionExpression": condition}
		}
		return node("Claim", "awsDynamoDb", 1, p, settings...)
	}
	for _, c := range []struct {
		name  string
		claim object
		want  string
	}{
		{"condition, stops", put("attribute_not_exists(event_key)"), isClaimed},
		{"condition with spaces", put("Attribute_Not_Exists (event_key)"), isClaimed},
		{"condition, error output", put("attribute_not_exists(event_key)", object{"onError": "continueErrorOutput"}), isClaimed},
		{"condition, goes on", put("attribute_not_exists(event_key)", object{"onError": "continueRegularOutput"}), isLeaked},
		{"another condition", put("attribute_exists(event_key)"), isUnclaimed},
		{"no condition", put(""), isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, outcomeOf(t, analyze(t, ungated(c.claim))[0], "Send"))
		})
	}
}

func postgrest(prefer string) object {
	return node("Claim", "httpRequest", 4.2, object{
		"method": "POST", "url": "https://abc.supabase.co/rest/v1/claims?on_conflict=event_key",
		"sendHeaders": true, "headerParameters": object{"parameters": []object{{"name": "Prefer", "value": prefer}}},
		"sendBody": true, "specifyBody": "json", "jsonBody": `={"event_key": "{{ $json.body.id }}", "status": "pending"}`,
	})
}

// RULES: PostgREST's insert with ignore-duplicates is a claim whose loser gets no
// row back; what the node makes of an empty list was not measured.
func TestPostgREST(t *testing.T) {
	rows := "resolution=ignore-duplicates,return=representation"
	for _, c := range []struct {
		name string
		spec *spec
		want string
	}{
		{"key asked", gated(postgrest(rows), keyGate()), isClaimed},
		{"not asked", ungated(postgrest(rows)), isUnsure},
		{"nothing returned", ungated(postgrest("resolution=ignore-duplicates")), isLeaked},
		{"merge is an upsert", ungated(postgrest("resolution=merge-duplicates")), isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, outcomeOf(t, analyze(t, c.spec)[0], "Send"))
		})
	}
	t.Run("the claim is no effect", func(t *testing.T) {
		f := analyze(t, gated(postgrest(rows), keyGate()))[0]
		require.Nil(t, effectOf(f, "Claim"))
	})
}

// N8N.md section 0, fact 9: upserts, Remove Duplicates, Data Tables and static
// data are never claims.
func TestNeverClaims(t *testing.T) {
	upserted := node("Claim", "dataTable", 1, object{
		"operation": "upsert", "dataTableId": object{"__rl": true, "mode": "id", "value": "t1"},
		"columns": object{"value": object{"event_key": "={{ $json.body.id }}", "status": "pending"}},
	})
	sheet := node("Claim", "googleSheets", 4.5, object{"operation": "appendOrUpdate", "documentId": object{"value": "d"}, "sheetName": object{"value": "s"}})
	for name, c := range map[string]object{
		"data table upsert": upserted,
		"sheet":             sheet,
		"redis set":         redis("set", "=evt:{{ $json.body.id }}", object{"value": "1"}),
		"airtable upsert":   node("Claim", "airtable", 2.1, object{"operation": "upsert"}),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, gated(c, keyGate()))[0], "Send"))
		})
	}
}

// Remove Duplicates over earlier executions reads and writes its history without
// a lock; within its input it guards nothing between runs (N8N.md section 4).
func TestRemoveDuplicates(t *testing.T) {
	earlier := object{"operation": "removeItemsSeenInPreviousExecutions", "dedupeValue": "={{ $json.body.id }}"}
	for _, c := range []struct {
		name    string
		version float64
		p       object
		want    string
	}{
		{"earlier executions", 2, earlier, isGuarded},
		{"within the input", 2, object{}, isUnclaimed},
		{"within the input by name", 2, object{"operation": "removeDuplicateInputItems"}, isUnclaimed},
		{"version 1 knows no history", 1, earlier, isUnclaimed},
		{"version 1.1 knows no history", 1.1, earlier, isUnclaimed},
		{"history cleared", 2, object{"operation": "clearDeduplicationHistory"}, isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, outcomeOf(t, analyze(t, ungated(node("Claim", "removeDuplicates", c.version, c.p)))[0], "Send"))
		})
	}
	t.Run("a claim behind it counts", func(t *testing.T) {
		f := analyze(t, workflow(hook(), node("New", "removeDuplicates", 2, earlier), claim(insertReturning), keyGate(), mail("Send"),
			"Hook -> New -> Claim -> Won? -> Send"))[0]
		require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	})
	t.Run("disabled", func(t *testing.T) {
		n := node("Claim", "removeDuplicates", 2, earlier, object{"disabled": true})
		require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, ungated(n))[0], "Send"))
	})
}
