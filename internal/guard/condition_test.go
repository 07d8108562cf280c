package guard

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// waysOf is where the effects at the outputs of a branch node stand.
func waysOf(t *testing.T, claim, branch object, outputs int) []string {
	t.Helper()
	parts := []any{hook(), claim, branch, "Hook -> Claim -> " + branch["name"].(string)}
	for i := range outputs {
		name := fmt.Sprintf("Way %d", i)
		parts = append(parts, mail(name), fmt.Sprintf("%s:%d -> %s", branch["name"], i, name))
	}
	f := analyze(t, workflow(parts...))[0]
	var out []string
	for i := range outputs {
		out = append(out, outcomeOf(t, f, fmt.Sprintf("Way %d", i)))
	}
	return out
}

// gateCase is one condition of IF 2 behind the claim of one query: the way of
// true and the way of false.
type gateCase struct {
	name    string
	list    []object
	yes, no string
}

func one(c object) []object { return []object{c} }

// The loser of the usual claim gets {success: true} from Postgres 2, the winner
// {event_key: …} (N8N.md 1a and 6).
func TestGatesOnTheKey(t *testing.T) {
	both := func(a, b object) []object { return []object{a, b} }
	const key = "={{ $json.event_key }}"
	right := []gateCase{
		{"exists", one(condition(key, "string", "exists")), isClaimed, isLeaked},
		{"number exists", one(condition(key, "number", "exists")), isClaimed, isLeaked},
		{"not empty", one(condition(key, "string", "notEmpty")), isClaimed, isLeaked},
		{"not exists", one(condition(key, "string", "notExists")), isLeaked, isClaimed},
		{"empty", one(condition(key, "string", "empty")), isLeaked, isClaimed},
		{"not equal to nothing", one(condition(key, "string", "notEquals", "")), isClaimed, isLeaked},
		{"equal to nothing", one(condition(key, "string", "equals", "")), isLeaked, isClaimed},
		{"$input.item", one(condition("={{ $input.item.json.event_key }}", "string", "exists")), isClaimed, isLeaked},
		{"$input.first()", one(condition("={{ $input.first().json.event_key }}", "string", "exists")), isClaimed, isLeaked},
		{"by the claim's name, item", one(condition("={{ $('Claim').item.json.event_key }}", "string", "exists")), isClaimed, isLeaked},
		{"by the claim's name, first", one(condition("={{ $('Claim').first().json.event_key }}", "string", "exists")), isClaimed, isLeaked},
		{"by the claim's name, old", one(condition(`={{ $node["Claim"].json["event_key"] }}`, "string", "exists")), isClaimed, isLeaked},
		{"brackets", one(condition("={{ $json['event_key'] }}", "string", "exists")), isClaimed, isLeaked},
		{"!!", one(condition("={{ !!$json.event_key }}", "boolean", "true")), isClaimed, isLeaked},
		{"Boolean()", one(condition("={{ Boolean($json.event_key) }}", "boolean", "true")), isClaimed, isLeaked},
		{"!", one(condition("={{ !$json.event_key }}", "boolean", "true")), isLeaked, isClaimed},
		{"! is false", one(condition("={{ !$json.event_key }}", "boolean", "false")), isClaimed, isLeaked},
		{"!== undefined", one(condition("={{ $json.event_key !== undefined }}", "boolean", "true")), isClaimed, isLeaked},
		{"!= null", one(condition("={{ $json.event_key != null }}", "boolean", "true")), isClaimed, isLeaked},
		{"=== undefined", one(condition("={{ $json.event_key === undefined }}", "boolean", "true")), isLeaked, isClaimed},
		{"ternary", one(condition("={{ $json.event_key ? 'won' : 'lost' }}", "string", "equals", "won")), isClaimed, isLeaked},
		{"default", one(condition("={{ $json.event_key || 'none' }}", "string", "notEquals", "none")), isClaimed, isLeaked},
		{"in", one(condition("={{ 'event_key' in $json }}", "boolean", "true")), isClaimed, isLeaked},
		{"keys include", one(condition("={{ Object.keys($json).includes('event_key') }}", "boolean", "true")), isClaimed, isLeaked},
		{"hasOwnProperty", one(condition("={{ $json.hasOwnProperty('event_key') }}", "boolean", "true")), isClaimed, isLeaked},
		{"optional chain", one(condition("={{ $json?.event_key }}", "string", "exists")), isClaimed, isLeaked},
		{"no success", one(condition("={{ $json.success }}", "boolean", "notExists")), isClaimed, isLeaked},
		{"success is not true", one(condition("={{ $json.success !== true }}", "boolean", "true")), isClaimed, isLeaked},
		{"success false", one(condition("={{ $json.success }}", "boolean", "false")), isClaimed, isLeaked},
		{"and with something certain", both(condition(key, "string", "exists"), condition("={{ 1 }}", "number", "equals", 1)), isClaimed, isLeaked},
	}
	// N8N.md section 6, "false gates": each let the loser send.
	wrong := []gateCase{
		{"success", one(condition("={{ $json.success }}", "boolean", "true")), isLeaked, isClaimed},
		{"item not empty", one(condition("={{ $json }}", "object", "notEmpty")), isLeaked, isUnreached},
		{"items there", one(condition("={{ $input.all().length > 0 }}", "boolean", "true")), isLeaked, isUnreached},
		{"item count", one(condition("={{ $input.all().length }}", "number", "gt", 0)), isLeaked, isUnreached},
		{"item exists", one(condition("={{ $json }}", "object", "exists")), isLeaked, isUnreached},
		{"keys of the item", one(condition("={{ Object.keys($json).length }}", "number", "gt", 0)), isLeaked, isUnreached},
		{"success is not false", one(condition("={{ $json.success !== false }}", "boolean", "true")), isLeaked, isUnreached},
		{"a literal", one(condition("{{ $json.event_key }}", "string", "exists")), isLeaked, isUnreached},
		{"a literal that is not empty", one(condition("$json.event_key", "string", "notEmpty")), isLeaked, isUnreached},
		{"always", one(condition("={{ true }}", "boolean", "true")), isLeaked, isUnreached},
		{"no error", one(condition("={{ $json.error }}", "string", "notExists")), isLeaked, isUnreached},
		{"something else of the event", one(condition("={{ $('Hook').item.json.body.kind }}", "string", "equals", "paid")), isLeaked, isLeaked},
		{"no condition at all", nil, isLeaked, isUnreached},
	}
	for _, c := range append(right, wrong...) {
		t.Run(c.name, func(t *testing.T) {
			got := waysOf(t, claim(insertReturning), gate("Won?", c.list...), 2)
			require.Equal(t, []string{c.yes, c.no}, got)
		})
	}
}

// Conditions joined by "or" let on whoever fulfils one of them.
func TestGateCombinators(t *testing.T) {
	key := condition("={{ $json.event_key }}", "string", "exists")
	event := condition("={{ $('Hook').item.json.body.kind }}", "string", "equals", "paid")
	join := func(combinator string, list ...object) object {
		return node("Won?", "if", 2.2, object{"conditions": conditions(combinator, list...)})
	}
	for _, c := range []struct {
		name string
		gate object
		want []string
	}{
		{"and", join("and", key, event), []string{isClaimed, isLeaked}},
		{"or", join("or", key, event), []string{isLeaked, isLeaked}},
		{"or with what is never true", join("or", key, condition("={{ $json.event_key }}", "string", "equals", "")), []string{isClaimed, isUnreached}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := waysOf(t, claim(insertReturning), c.gate, 2)
			if c.name == "or with what is never true" {
				require.Equal(t, isLeaked, got[0], "the loser's key is empty: the second condition lets it on")
				return
			}
			require.Equal(t, c.want, got)
		})
	}
}

// A query that always gives a boolean (N8N.md section 0, fact 2).
func TestGatesOnABoolean(t *testing.T) {
	const won = "={{ $json.claimed }}"
	for _, c := range []gateCase{
		{"true", one(condition(won, "boolean", "true")), isClaimed, isLeaked},
		{"false", one(condition(won, "boolean", "false")), isLeaked, isClaimed},
		{"equals true", one(condition(won, "boolean", "equals", true)), isClaimed, isLeaked},
		{"not equals true", one(condition(won, "boolean", "notEquals", true)), isLeaked, isClaimed},
		{"equals an expression", one(condition(won, "boolean", "equals", "={{ true }}")), isClaimed, isLeaked},
		{"=== true", one(condition("={{ $json.claimed === true }}", "boolean", "true")), isClaimed, isLeaked},
		{"text", one(condition("={{ $json.claimed.toString() }}", "string", "equals", "true")), isClaimed, isLeaked},
		{"String()", one(condition("={{ String($json.claimed) }}", "string", "equals", "true")), isClaimed, isLeaked},
		{"exists is a wrong gate: the column is always there", one(condition(won, "boolean", "exists")), isLeaked, isUnreached},
		{"not empty as well", one(condition(won, "boolean", "notEmpty")), isLeaked, isUnreached},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, []string{c.yes, c.no}, waysOf(t, claim(insertAsked), gate("Won?", c.list...), 2))
		})
	}
}

// IF 1: groups by type, the operation has a default, "all" or "any".
func TestIf1(t *testing.T) {
	old := func(kind string, c object, more ...object) object {
		p := object{"conditions": object{kind: []object{c}}}
		for _, m := range more {
			for k, v := range m {
				p[k] = v
			}
		}
		return node("Won?", "if", 1, p)
	}
	const key = "={{ $json.event_key }}"
	for _, c := range []struct {
		name string
		gate object
		want []string
	}{
		{"not empty", old("string", object{"value1": key, "operation": "isNotEmpty"}), []string{isClaimed, isLeaked}},
		{"empty", old("string", object{"value1": key, "operation": "isEmpty"}), []string{isLeaked, isClaimed}},
		{"not equal", old("string", object{"value1": key, "operation": "notEqual", "value2": ""}), []string{isClaimed, isLeaked}},
		{"equal is the default", old("string", object{"value1": key, "value2": ""}), []string{isLeaked, isClaimed}},
		{"number not empty", old("number", object{"value1": key, "operation": "isNotEmpty"}), []string{isClaimed, isLeaked}},
		{"boolean", old("boolean", object{"value1": "={{ !!$json.event_key }}", "value2": true}), []string{isClaimed, isLeaked}},
		{"boolean not equal", old("boolean", object{"value1": "={{ !!$json.event_key }}", "operation": "notEqual", "value2": true}), []string{isLeaked, isClaimed}},
		{"boolean, no value is false", old("boolean", object{"value1": "={{ !!$json.event_key }}"}), []string{isLeaked, isClaimed}},
		{"success", old("boolean", object{"value1": "={{ $json.success }}", "value2": true}), []string{isLeaked, isClaimed}},
		{"no condition", node("Won?", "if", 1, nil), []string{isLeaked, isUnreached}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, waysOf(t, claim(insertReturning), c.gate, 2))
		})
	}
	key1 := object{"value1": key, "operation": "isNotEmpty"}
	event := object{"value1": "={{ $('Hook').item.json.body.kind }}", "operation": "equal", "value2": "paid"}
	all := node("Won?", "if", 1, object{"conditions": object{"string": []object{key1, event}}})
	require.Equal(t, []string{isClaimed, isLeaked}, waysOf(t, claim(insertReturning), all, 2))
	anyOf := node("Won?", "if", 1, object{"conditions": object{"string": []object{key1, event}}, "combineOperation": "any"})
	require.Equal(t, []string{isLeaked, isLeaked}, waysOf(t, claim(insertReturning), anyOf, 2))
	t.Run("the number of a counter", func(t *testing.T) {
		gate := old("number", object{"value1": "={{ Object.values($json)[0] }}", "operation": "equal", "value2": 1})
		require.Equal(t, []string{isClaimed, isLeaked}, waysOf(t, redis("incr", "=evt:{{ $json.body.id }}", nil), gate, 2))
		gate = old("number", object{"value1": "={{ Object.values($json)[0] }}", "value2": 2})
		require.Equal(t, []string{isClaimed, isLeaked}, waysOf(t, redis("incr", "=evt:{{ $json.body.id }}", nil), gate, 2), "smaller is the default")
	})
}

// The Filter node has one output, the discarded items leave the workflow
// (N8N.md section 7).
func TestFilter(t *testing.T) {
	list := conditions("and", condition("={{ $json.event_key }}", "string", "exists"))
	for _, version := range []float64{2, 2.1, 2.2} {
		f := analyze(t, gated(claim(insertReturning), node("Won?", "filter", version, object{"conditions": list})))[0]
		require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	}
	wrong := conditions("and", condition("={{ $json.success }}", "boolean", "true"))
	f := analyze(t, gated(claim(insertReturning), node("Won?", "filter", 2.2, object{"conditions": wrong})))[0]
	require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))

	old := object{"conditions": object{"string": []object{{"value1": "={{ $json.event_key }}", "operation": "isNotEmpty"}}}}
	f = analyze(t, gated(claim(insertReturning), node("Won?", "filter", 1, old)))[0]
	require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
	old["conditions"].(object)["boolean"] = []object{{"value1": "={{ $json.success }}", "value2": true}}
	old["combineConditions"] = "OR"
	f = analyze(t, gated(claim(insertReturning), node("Won?", "filter", 1, old)))[0]
	require.Equal(t, isLeaked, outcomeOf(t, f, "Send"))

	t.Run("always output data makes an item of nothing", func(t *testing.T) {
		n := node("Won?", "filter", 2.2, object{"conditions": list}, object{"alwaysOutputData": true})
		require.Equal(t, isLeaked, outcomeOf(t, analyze(t, gated(claim(insertReturning), n))[0], "Send"))
	})
}

// Switch 3: one output a rule, and "extra" or the index of a rule as fallback.
func TestSwitch3(t *testing.T) {
	rule := func(c object) object { return object{"conditions": conditions("and", c)} }
	won := rule(condition("={{ $json.event_key }}", "string", "exists"))
	lost := rule(condition("={{ $json.success }}", "boolean", "true"))
	never := rule(condition("={{ $json.event_key }}", "string", "equals", "never"))
	sw := func(options object, rules ...object) object {
		return node("Won?", "switch", 3.2, object{"rules": object{"values": rules}, "options": options})
	}
	for _, c := range []struct {
		name   string
		branch object
		want   []string
	}{
		{"no fallback", sw(object{}, won), []string{isClaimed}},
		{"none", sw(object{"fallbackOutput": "none"}, won), []string{isClaimed}},
		{"two rules", sw(object{}, won, lost), []string{isClaimed, isLeaked}},
		{"extra", sw(object{"fallbackOutput": "extra"}, won), []string{isClaimed, isLeaked}},
		{"extra behind two", sw(object{"fallbackOutput": "extra"}, lost, never), []string{isLeaked, isClaimed, isClaimed}},
		{"back to the winner's output", sw(object{"fallbackOutput": 0}, won, never), []string{isLeaked, isClaimed}},
		{"as text", sw(object{"fallbackOutput": "0"}, won, never), []string{isLeaked, isClaimed}},
		{"the first rule takes it", sw(object{}, lost, rule(condition("={{ $json }}", "object", "notEmpty"))), []string{isLeaked, isClaimed}},
		{"all matching outputs", sw(object{"allMatchingOutputs": true}, lost, rule(condition("={{ $json }}", "object", "notEmpty"))), []string{isLeaked, isLeaked}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := waysOf(t, claim(insertReturning), c.branch, len(c.want))
			if c.name == "back to the winner's output" || c.name == "as text" {
				require.Equal(t, c.want[0], got[0])
				return
			}
			require.Equal(t, c.want, got)
		})
	}
}

// Switch 1 and 2: rules of one type; a fallback output, -1 (drop) by default.
func TestOldSwitch(t *testing.T) {
	sw := func(version float64, more object, rules ...object) object {
		p := object{"dataType": "string", "value1": "={{ $json.event_key ? 'won' : 'lost' }}", "rules": object{"rules": rules}}
		for k, v := range more {
			p[k] = v
		}
		return node("Won?", "switch", version, p)
	}
	is := func(value string, output int) object {
		return object{"operation": "equal", "value2": value, "output": output}
	}
	for _, c := range []struct {
		name   string
		branch object
		want   []string
	}{
		{"1, rule's output", sw(1, nil, is("won", 2), is("lost", 0)), []string{isLeaked, isUnreached, isClaimed, isUnreached}},
		{"1, output 0 is the default", sw(1, nil, object{"operation": "equal", "value2": "won"}), []string{isClaimed}},
		{"1, equal is the default", sw(1, nil, object{"value2": "won"}), []string{isClaimed}},
		{"1, fallback", sw(1, object{"fallbackOutput": 3}, is("won", 0)), []string{isClaimed, isUnreached, isUnreached, isLeaked}},
		{"1, fallback to the winner", sw(1, object{"fallbackOutput": 0}, is("won", 0)), []string{isLeaked}},
		{"1, no fallback", sw(1, object{"fallbackOutput": -1}, is("won", 0)), []string{isClaimed}},
		{"2, one output a rule", sw(2, nil, object{"operation": "equal", "value2": "lost", "outputKey": "a"}, object{"operation": "equal", "value2": "won", "outputKey": "b"}), []string{isLeaked, isClaimed}},
		{"2, fallback", sw(2, object{"fallbackOutput": 1}, object{"operation": "equal", "value2": "won"}, object{"operation": "equal", "value2": "x"}), []string{isClaimed, isLeaked}},
		{"1, boolean", sw(1, object{"dataType": "boolean", "value1": "={{ !!$json.event_key }}"}, object{"value2": true, "output": 1}), []string{isUnreached, isClaimed}},
		{"1, number is the type by default", node("Won?", "switch", 1, object{
			"value1": "={{ $json.event_key ? 1 : 0 }}", "rules": object{"rules": []object{{"operation": "equal", "value2": 1, "output": 1}}},
		}), []string{isUnreached, isClaimed}},
		{"1, expression", node("Won?", "switch", 1, object{"mode": "expression", "output": "={{ $json.event_key ? 0 : 1 }}"}), []string{isClaimed, isLeaked, isUnreached, isUnreached}},
		{"3, expression", node("Won?", "switch", 3, object{"mode": "expression", "numberOutputs": 2, "output": "={{ $json.event_key ? 1 : 0 }}"}), []string{isLeaked, isClaimed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, waysOf(t, claim(insertReturning), c.branch, len(c.want)))
		})
	}
}

// N8N.md section 6: the error output is the last main output, 2 for IF and one
// behind the rules (and the fallback) for Switch.
func TestErrorOutputOfBranches(t *testing.T) {
	split := object{"onError": "continueErrorOutput"}
	c := conditions("and", condition("={{ $json.event_key }}", "string", "exists"))
	rules := object{"values": []object{{"conditions": c}}}
	for _, b := range []struct {
		name   string
		branch object
		output int
	}{
		{"if", node("Won?", "if", 2.2, object{"conditions": c}, split), 2},
		{"if 1", node("Won?", "if", 1, object{"conditions": object{"string": []object{{"value1": "={{ $json.event_key }}", "operation": "isNotEmpty"}}}}, split), 2},
		{"filter", node("Won?", "filter", 2.2, object{"conditions": c}, split), 1},
		{"switch 3, one rule", node("Won?", "switch", 3.2, object{"rules": rules}, split), 1},
		{"switch 3, one rule and extra", node("Won?", "switch", 3.2, object{"rules": rules, "options": object{"fallbackOutput": "extra"}}, split), 2},
		{"switch 3, expression", node("Won?", "switch", 3.2, object{"mode": "expression", "numberOutputs": 3, "output": "={{ 0 }}"}, split), 3},
		{"switch 1", node("Won?", "switch", 1, object{"rules": object{"rules": []object{}}}, split), 4},
		{"http", node("Won?", "httpRequest", 4.2, object{"url": "https://example.com"}, split), 1},
		{"loop 3", node("Won?", "splitInBatches", 3, nil, split), 2},
	} {
		t.Run(b.name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), b.branch, mail("Send"), "Hook -> Won?", fmt.Sprintf("Won?:%d -> Send", b.output)))[0]
			x := effectOf(f, "Send").exposures()
			require.Len(t, x, 1)
			require.True(t, x[0].Failed)
			b.branch["onError"] = "stopWorkflow"
			f = analyze(t, workflow(hook(), b.branch, mail("Send"), "Hook -> Won?", fmt.Sprintf("Won?:%d -> Send", b.output)))[0]
			for _, x := range effectOf(f, "Send").exposures() {
				require.False(t, x.Failed, "without an error output nothing fails on")
			}
		})
	}
}
