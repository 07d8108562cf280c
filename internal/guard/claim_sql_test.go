package guard

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// ungated is Hook → Claim → Send, with nothing that asks who won.
func ungated(claim object) *spec {
	return workflow(hook(), claim, mail("Send"), "Hook -> Claim -> Send")
}

// gated is Hook → Claim → gate → Send, the gate's first output leading on.
func gated(claim, gate object) *spec {
	return workflow(hook(), claim, gate, mail("Send"), "Hook -> Claim", "Claim -> "+gate["name"].(string)+" -> Send")
}

func withOptions(parameters object, options object) object {
	all := object{}
	if old, ok := parameters["options"].(object); ok {
		for k, v := range old {
			all[k] = v
		}
	}
	for k, v := range options {
		all[k] = v
	}
	parameters["options"] = all
	return parameters
}

// N8N.md 1a: what the losing query gives, and whether the next node runs.
func TestPostgresQueryWithoutGate(t *testing.T) {
	const (
		update = "UPDATE tasks SET status = 'claimed' WHERE event_key = $1 AND status = 'pending' RETURNING event_key"
		// The version of n8n decides, and the file does not tell it.
		depends = isUnsure
	)
	for _, c := range []struct {
		name, sql       string
		v1, v2_2, v2_3x string
	}{
		{"insert returning", insertReturning, isClaimed, isLeaked, isLeaked},
		{"update returning", update, isClaimed, isLeaked, isLeaked},
		{"with insert select", insertSelected, isClaimed, isLeaked, depends},
		{"with insert exists", insertAsked, isLeaked, isLeaked, isLeaked},
	} {
		for _, version := range []float64{1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7} {
			want := c.v2_3x
			if version == 1 {
				want = c.v1
			} else if version <= 2.2 {
				want = c.v2_2
			}
			for _, batching := range []string{"", "single", "transaction", "independently"} {
				t.Run(fmt.Sprintf("%s/%v/%s", c.name, version, batching), func(t *testing.T) {
					p := query(c.sql)
					if batching != "" {
						withOptions(p, object{"queryBatching": batching})
					}
					f := analyze(t, ungated(node("Claim", "postgres", version, p)))[0]
					require.Equal(t, want, outcomeOf(t, f, "Send"))
					require.NotNil(t, guardOf(f, "Claim"))
				})
			}
		}
	}
}

// The same queries behind the gate that N8N.md section 0, fact 2 recommends.
func TestPostgresQueryWithGate(t *testing.T) {
	asked := gate("Won?", condition("={{ $json.claimed }}", "boolean", "true"))
	for _, c := range []struct {
		name, sql string
		gate      object
	}{
		{"insert returning", insertReturning, keyGate()},
		{"with insert select", insertSelected, keyGate()},
		{"with insert exists", insertAsked, asked},
		{"with insert count", "WITH c AS (" + insertReturning + ") SELECT COUNT(*) > 0 AS claimed FROM c", asked},
		{"update returning", "UPDATE tasks SET status = 'claimed' WHERE event_key = $1 AND status = 'pending' RETURNING event_key", keyGate()},
		{"no conflict columns", "INSERT INTO claims (event_key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_key", keyGate()},
		{"returning star", "INSERT INTO claims (event_key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING *", keyGate()},
		{"comments and small letters", "-- take it\ninsert into claims (event_key) values ($1) /* once */ on conflict (event_key) do nothing returning event_key;", keyGate()},
		{"quoted names", `INSERT INTO "claims" ("event_key") VALUES ($1) ON CONFLICT ("event_key") DO NOTHING RETURNING "event_key"`, keyGate()},
	} {
		for _, version := range []float64{1, 2, 2.2, 2.3, 2.6, 2.7} {
			t.Run(fmt.Sprintf("%s/%v", c.name, version), func(t *testing.T) {
				f := analyze(t, gated(node("Claim", "postgres", version, query(c.sql)), c.gate))[0]
				require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
			})
		}
	}
}

// In 2 to 2.2 with a transaction the loser's item is nested (N8N.md 1a): a gate
// that asks for the key stops it all the same, one that asks for success does not.
func TestNestedSuccess(t *testing.T) {
	p := withOptions(query(insertReturning), object{"queryBatching": "transaction"})
	claim := node("Claim", "postgres", 2.2, p)
	f := analyze(t, gated(claim, keyGate()))[0]
	require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	f = analyze(t, gated(claim, gate("Won?", condition("={{ $json.json.success }}", "boolean", "true"))))[0]
	require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
	f = analyze(t, gated(claim, gate("Won?", condition("={{ $json.json.success }}", "boolean", "false"))))[0]
	require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
}

// N8N.md 1a: alwaysOutputData makes an item of nothing.
func TestAlwaysOutputData(t *testing.T) {
	always := object{"alwaysOutputData": true}
	for _, c := range []struct {
		name    string
		claim   object
		ungated string
	}{
		{"version 1", node("Claim", "postgres", 1, query(insertReturning), always), isLeaked},
		{"with select", node("Claim", "postgres", 2.6, query(insertSelected), always), isLeaked},
		{"insert, item anyway", node("Claim", "postgres", 2.6, query(insertReturning), always), isLeaked},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.ungated, outcomeOf(t, analyze(t, ungated(c.claim))[0], "Send"))
			require.Equal(t, isClaimed, outcomeOf(t, analyze(t, gated(c.claim, keyGate()))[0], "Send"))
		})
	}
	for _, version := range []float64{1, 2.6} {
		sql := map[float64]string{1: insertReturning, 2.6: insertSelected}[version]
		f := analyze(t, ungated(node("Claim", "postgres", version, query(sql), always)))[0]
		require.Equal(t, AlwaysOutput, causeOf(t, f, "Send"))
	}
}

// executeOnce alters nothing about an empty answer (N8N.md 1a).
func TestExecuteOnceOnTheClaim(t *testing.T) {
	once := object{"executeOnce": true}
	require.Equal(t, isLeaked, outcomeOf(t, analyze(t, ungated(claim(insertReturning, once)))[0], "Send"))
	require.Equal(t, isClaimed, outcomeOf(t, analyze(t, gated(claim(insertReturning, once), keyGate()))[0], "Send"))
	require.Equal(t, isClaimed, outcomeOf(t, analyze(t, ungated(node("Claim", "postgres", 1, query(insertReturning), once)))[0], "Send"))
}

func rowParameters(operation string, columns object) object {
	return object{
		"operation": operation, "schema": object{"__rl": true, "mode": "list", "value": "public"},
		"table":   object{"__rl": true, "mode": "list", "value": "claims", "cachedResultName": "claims"},
		"columns": object{"mappingMode": "defineBelow", "value": columns},
	}
}

var keyAndState = object{"event_key": "={{ $json.body.id }}", "status": "pending"}

// N8N.md 1b, insert and upsert of the Postgres node.
func TestPostgresRows(t *testing.T) {
	skip := func(batching string) object {
		return withOptions(rowParameters("insert", keyAndState), object{"skipOnConflict": true, "queryBatching": batching})
	}
	for _, version := range []float64{2, 2.2, 2.3, 2.4, 2.5, 2.6} {
		for _, batching := range []string{"single", "transaction", "independently"} {
			t.Run(fmt.Sprintf("skipOnConflict/%v/%s", version, batching), func(t *testing.T) {
				f := analyze(t, ungated(node("Claim", "postgres", version, skip(batching))))[0]
				require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
			})
		}
	}
	t.Run("skipOnConflict off", func(t *testing.T) {
		p := withOptions(rowParameters("insert", keyAndState), object{"skipOnConflict": false})
		f := analyze(t, ungated(node("Claim", "postgres", 2.6, p)))[0]
		require.Equal(t, isUnsure, outcomeOf(t, f, "Send"), "a plain insert")
	})
	t.Run("upsert is never a claim", func(t *testing.T) {
		f := analyze(t, ungated(node("Claim", "postgres", 2.6, rowParameters("upsert", keyAndState))))[0]
		require.Contains(t, []string{isUnclaimed, isLeaked}, outcomeOf(t, f, "Send"))
		f = analyze(t, gated(node("Claim", "postgres", 2.6, rowParameters("upsert", keyAndState)), keyGate()))[0]
		require.Contains(t, []string{isUnclaimed, isLeaked}, outcomeOf(t, f, "Send"), "the row is there for everyone")
	})
}

// N8N.md 1b, plain INSERT against a unique key: what happens with its failure.
// Whether the key is unique the file does not show, so the effect behind the
// first output is not judged (RULES: unclaimed-side-effect).
func TestPlainInsertFailure(t *testing.T) {
	sql := "INSERT INTO claims (event_key, status) VALUES ($1, 'pending')"
	statement := func(settings ...object) object { return claim(sql, settings...) }
	insert := func(settings ...object) object {
		return node("Claim", "postgres", 2.6, rowParameters("insert", keyAndState), settings...)
	}
	for name, made := range map[string]func(...object) object{"executeQuery": statement, "insert": insert} {
		for _, c := range []struct {
			name     string
			settings object
			want     string
		}{
			{"stops", object{}, isUnsure},
			{"stopWorkflow", object{"onError": "stopWorkflow"}, isUnsure},
			{"continueRegularOutput", object{"onError": "continueRegularOutput"}, isLeaked},
			{"continueOnFail", object{"continueOnFail": true}, isLeaked},
			{"onError counts more than continueOnFail", object{"continueOnFail": true, "onError": "stopWorkflow"}, isUnsure},
			{"continueErrorOutput", object{"onError": "continueErrorOutput"}, isUnsure},
			{"continueErrorOutput, alwaysOutputData", object{"onError": "continueErrorOutput", "alwaysOutputData": true}, isLeaked},
			{"alwaysOutputData alone", object{"alwaysOutputData": true}, isUnsure},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				f := analyze(t, ungated(made(c.settings)))[0]
				require.Equal(t, c.want, outcomeOf(t, f, "Send"))
				require.False(t, guardOf(f, "Claim").Proven)
				require.Nil(t, effectOf(f, "Claim"),
					"the insert that may be the claim is no effect to claim")
			})
		}
		t.Run(name+"/error output leads to the effect", func(t *testing.T) {
			f := analyze(t, workflow(hook(), made(object{"onError": "continueErrorOutput"}), mail("Send"),
				"Hook -> Claim", "Claim -> Send", "Claim:1 -> Send"))[0]
			require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
			require.Equal(t, ErrorGoesOn, causeOf(t, f, "Send"))
		})
		t.Run(name+"/error is asked before the effect", func(t *testing.T) {
			ask := gate("Failed?", condition("={{ $json.error }}", "string", "notExists"))
			f := analyze(t, gated(made(object{"onError": "continueRegularOutput"}), ask))[0]
			require.Equal(t, isUnsure, outcomeOf(t, f, "Send"))
		})
	}
}

// A claim that never fails for the loser may still fail when the database is
// away; its error must not open the gate (RULES: leaky-claim).
func TestDoNothingFailure(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings object
		gated    string
		rejoins  string
	}{
		{"continueRegularOutput", object{"onError": "continueRegularOutput"}, isClaimed, ""},
		{"continueOnFail", object{"continueOnFail": true}, isClaimed, ""},
		{"continueErrorOutput", object{"onError": "continueErrorOutput"}, isClaimed, isLeaked},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, isLeaked, outcomeOf(t, analyze(t, ungated(claim(insertReturning, c.settings)))[0], "Send"),
				"no error is raised for the loser: {success:true} on output 0 (N8N.md 1b)")
			require.Equal(t, c.gated, outcomeOf(t, analyze(t, gated(claim(insertReturning, c.settings), keyGate()))[0], "Send"))
			if c.rejoins == "" {
				return
			}
			f := analyze(t, workflow(hook(), claim(insertReturning, c.settings), keyGate(), mail("Send"),
				"Hook -> Claim -> Won? -> Send", "Claim:1 -> Send"))[0]
			require.Equal(t, c.rejoins, outcomeOf(t, f, "Send"))
		})
	}
	t.Run("a gate on success lets the error pass as well", func(t *testing.T) {
		ask := gate("Won?", condition("={{ $json.success }}", "boolean", "notEquals", true))
		f := analyze(t, gated(claim(insertReturning, object{"onError": "continueRegularOutput"}), ask))[0]
		require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
		require.Equal(t, ErrorGoesOn, causeOf(t, f, "Send"))
		f = analyze(t, gated(claim(insertReturning), ask))[0]
		require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	})
}

// A disabled claim passes its input through (N8N.md 1b).
func TestDisabledClaim(t *testing.T) {
	f := analyze(t, ungated(claim(insertReturning, object{"disabled": true})))[0]
	require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
	require.Nil(t, guardOf(f, "Claim"))
	f = analyze(t, gated(claim(insertReturning, object{"disabled": true}), keyGate()))[0]
	require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"), "the gate asks an item that no claim made")
}

// A disabled gate passes its input on by its first output.
func TestDisabledGate(t *testing.T) {
	off := keyGate()
	off["disabled"] = true
	f := analyze(t, gated(claim(insertReturning), off))[0]
	require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
}

// N8N.md 1d.
func TestMySQL(t *testing.T) {
	const (
		ignore = "INSERT IGNORE INTO claims (event_key, status) VALUES (?, 'pending')"
		odku   = "INSERT INTO claims (event_key, status, claimed_at) VALUES (?, 'pending', NOW()) ON DUPLICATE KEY UPDATE event_key = event_key"
		count  = ignore + "; SELECT ROW_COUNT() AS claimed"
		back   = ignore + " RETURNING event_key"
	)
	affected := gate("Won?", condition("={{ $json.data.affectedRows }}", "number", "equals", 1))
	counted := gate("Won?", condition("={{ $json.claimed }}", "number", "equals", 1))
	success := gate("Won?", condition("={{ $json.success }}", "boolean", "true"))
	detailed := object{"detailedOutput": true}
	for _, c := range []struct {
		name, sql string
		options   object
		gate      object
		want      []string
	}{
		{"ignore", ignore, nil, nil, []string{isLeaked}},
		{"ignore, success asked", ignore, nil, success, []string{isLeaked}},
		{"ignore, affected rows asked without detailed output", ignore, nil, affected, []string{isClaimed, isUnreached}},
		{"ignore, detailed", ignore, detailed, nil, []string{isLeaked}},
		{"ignore, detailed and asked", ignore, detailed, affected, []string{isClaimed}},
		{"row count", count, nil, nil, []string{isLeaked}},
		{"row count asked", count, nil, counted, []string{isClaimed}},
		{"returning", back, nil, nil, []string{isLeaked}},
		{"returning and asked", back, nil, keyGate(), []string{isClaimed}},
		{"duplicate key update", odku, nil, nil, []string{isUnclaimed, isLeaked}},
		{"duplicate key update, detailed and asked", odku, detailed, affected, []string{isUnclaimed, isLeaked}},
		{"plain insert stops", "INSERT INTO claims (event_key, status) VALUES (?, 'pending')", nil, nil, []string{isUnsure}},
	} {
		for _, version := range []float64{2, 2.1, 2.2, 2.3, 2.4, 2.5} {
			t.Run(fmt.Sprintf("%s/%v", c.name, version), func(t *testing.T) {
				n := node("Claim", "mySql", version, withOptions(query(c.sql), c.options))
				s := ungated(n)
				if c.gate != nil {
					s = gated(n, c.gate)
				}
				require.Contains(t, c.want, outcomeOf(t, analyze(t, s)[0], "Send"))
			})
		}
	}
	t.Run("detailed output, effect on the losing side", func(t *testing.T) {
		n := node("Claim", "mySql", 2.4, withOptions(query(ignore), detailed))
		f := analyze(t, workflow(hook(), n, affected, mail("Send"), "Hook -> Claim -> Won?", "Won?:1 -> Send"))[0]
		require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
	})
}

// RULES: a conditional UPDATE claims only where the row no longer fits its
// condition afterwards.
func TestConditionalUpdate(t *testing.T) {
	for _, c := range []struct {
		name, sql string
		claim     bool
	}{
		{"state", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND status = 'pending' RETURNING id", true},
		{"state in", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND status IN ('pending','failed') RETURNING id", true},
		{"not yet", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND status <> 'claimed' RETURNING id", true},
		{"is null", "UPDATE tasks SET claimed_at = now() WHERE id = $1 AND claimed_at IS NULL RETURNING id", true},
		{"worker", "UPDATE tasks SET status = 'claimed' WHERE id IN (SELECT id FROM tasks WHERE status = 'pending' LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id", true},
		{"worker in a WITH", "WITH next AS (SELECT id FROM tasks WHERE status = 'pending' LIMIT 5 FOR UPDATE SKIP LOCKED) UPDATE tasks SET status = 'claimed' FROM next WHERE tasks.id = next.id RETURNING tasks.id", true},
		{"one of several states", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND (status = 'pending' OR status = 'failed') RETURNING id", true},
		{"a lease that ran out", "UPDATE tasks SET status = 'working', locked_at = now() WHERE id = $1 AND (status = 'pending' OR (status = 'working' AND locked_at < now() - interval '5 minutes')) RETURNING id", true},
		{"not in that state", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND NOT (status = 'claimed') RETURNING id", true},
		{"or a state that stays", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND (status = 'pending' OR status = 'claimed') RETURNING id", false},
		{"or something that the update leaves alone", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND (status = 'pending' OR priority > 3) RETURNING id", false},
		{"same state again", "UPDATE tasks SET status = 'pending' WHERE id = $1 AND status = 'pending' RETURNING id", false},
		{"state in, kept", "UPDATE tasks SET status = 'claimed' WHERE id = $1 AND status IN ('pending','claimed') RETURNING id", false},
		{"another column", "UPDATE tasks SET note = 'x' WHERE id = $1 AND status = 'pending' RETURNING id", false},
		{"no state asked", "UPDATE tasks SET status = 'claimed' WHERE id = $1 RETURNING id", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask := gate("Won?", condition("={{ $json.id }}", "number", "exists"))
			f := analyze(t, gated(claim(c.sql), ask))[0]
			want := isUnclaimed
			if c.claim {
				want = isClaimed
			}
			require.Equal(t, want, outcomeOf(t, f, "Send"))
			g := guardOf(f, "Claim")
			require.Equal(t, c.claim, g != nil)
		})
	}
	t.Run("without RETURNING nobody can tell", func(t *testing.T) {
		f := analyze(t, ungated(claim("UPDATE tasks SET status = 'claimed' WHERE id = $1 AND status = 'pending'")))[0]
		require.NotEqual(t, isClaimed, outcomeOf(t, f, "Send"))
	})
}

// RULES: a worker's UPDATE gives no row when there is nothing to do; the node
// gives an item all the same.
func TestWorkerOnSchedule(t *testing.T) {
	clock := node("Clock", "scheduleTrigger", 1.2, object{"rule": object{"interval": []object{{"field": "minutes"}}}})
	sql := "UPDATE tasks SET status = 'claimed' WHERE id IN (SELECT id FROM tasks WHERE status = 'pending' LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id"
	s := workflow(clock, claim(sql), gate("Any?", condition("={{ $json.id }}", "number", "exists")), mail("Send"), "Clock -> Claim -> Any? -> Send")
	f := analyze(t, s)[0]
	require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	require.Equal(t, WorkerUpdate, guardOf(f, "Claim").Form)
}

// RULES: DO UPDATE … RETURNING gives a row to everyone; it is meant as a claim
// only with claim columns, or where a gate tests it.
func TestDoUpdate(t *testing.T) {
	const (
		claims    = "INSERT INTO claims (event_key, status, claimed_at) VALUES ($1, 'pending', now()) ON CONFLICT (event_key) DO UPDATE SET claimed_at = now() RETURNING event_key"
		flagged   = "INSERT INTO claims (event_key, status) VALUES ($1, 'pending') ON CONFLICT (event_key) DO UPDATE SET status = claims.status RETURNING event_key, (xmax = 0) AS inserted"
		stale     = "INSERT INTO claims (event_key, status) VALUES ($1, 'pending') ON CONFLICT (event_key) DO UPDATE SET claimed_at = now() WHERE claims.status = 'failed' RETURNING event_key"
		upsert    = "INSERT INTO customers (email, name) VALUES ($1, $2) ON CONFLICT (email) DO UPDATE SET name = EXCLUDED.name RETURNING id"
		counter   = "INSERT INTO usage_counters (day, n) VALUES (current_date, 1) ON CONFLICT (day) DO UPDATE SET n = usage_counters.n + 1 RETURNING n"
		getCreate = "INSERT INTO cursors (name, position) VALUES ('feed', 0) ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING position"
	)
	inserted := gate("Won?", condition("={{ $json.inserted }}", "boolean", "true"))
	for _, c := range []struct {
		name, sql string
		gate      object
		want      string
	}{
		{"claim columns", claims, nil, isLeaked},
		{"claim columns, key asked", claims, keyGate(), isLeaked},
		{"flag asked", flagged, inserted, isClaimed},
		{"flag not asked", flagged, nil, isLeaked},
		{"flag there, key asked", flagged, keyGate(), isLeaked},
		{"condition, asked", stale, keyGate(), isClaimed},
		{"condition, not asked", stale, nil, isLeaked},
		{"upsert of a customer", upsert, nil, isUnclaimed},
		{"counter", counter, nil, isUnclaimed},
		{"get or create", getCreate, nil, isUnclaimed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ungated(claim(c.sql))
			if c.gate != nil {
				s = gated(claim(c.sql), c.gate)
			}
			require.Equal(t, c.want, outcomeOf(t, analyze(t, s)[0], "Send"))
		})
	}
}

// A claim without RETURNING tells nobody who won (RULES: leaky-claim).
func TestNoReturning(t *testing.T) {
	sql := "INSERT INTO claims (event_key, status) VALUES ($1, 'pending') ON CONFLICT (event_key) DO NOTHING"
	for _, version := range []float64{2, 2.3, 2.6} {
		f := analyze(t, ungated(node("Claim", "postgres", version, query(sql))))[0]
		require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))
		require.Equal(t, NothingReturned, causeOf(t, f, "Send"))
	}
}

// Statements that are no claims leave the effect unclaimed.
func TestNoClaim(t *testing.T) {
	for name, sql := range map[string]string{
		"read":                     "SELECT * FROM customers WHERE id = $1",
		"insert into another kind": "INSERT INTO customers (email) VALUES ($1) RETURNING id",
		"get or create":            "INSERT INTO customers (email) VALUES ($1) ON CONFLICT (email) DO NOTHING",
		"claim text in a comment":  "SELECT 1 /* INSERT INTO claims (event_key) VALUES (1) ON CONFLICT DO NOTHING RETURNING event_key */",
		"claim text in a string":   "SELECT 'INSERT INTO claims (event_key) VALUES (1) ON CONFLICT DO NOTHING RETURNING event_key' AS note",
		"delete":                   "DELETE FROM claims WHERE claimed_at < now() - interval '30 days'",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, ungated(claim(sql)))[0], "Send"))
		})
	}
}

// RULES: what a stored function or a query made at run time does is not known;
// a gate on its answer is of unknown quality, no gate is none.
func TestUndecidableQuery(t *testing.T) {
	for name, sql := range map[string]string{
		"stored function": "SELECT * FROM claim_event($1)",
		"made at runtime": "={{ $json.body.sql }}",
	} {
		t.Run(name, func(t *testing.T) {
			ask := gate("Won?", condition("={{ $json.claimed }}", "boolean", "true"))
			f := analyze(t, gated(claim(sql), ask))[0]
			require.Equal(t, isUnsure, outcomeOf(t, f, "Send"))
			require.Len(t, f.Unknown, 1)
			require.NotEmpty(t, f.Unknown[0].Reason)
			require.Equal(t, isUnclaimed, outcomeOf(t, analyze(t, ungated(claim(sql)))[0], "Send"))
		})
	}
}
