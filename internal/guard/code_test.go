package guard

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func code(js string, more object) object {
	p := object{"jsCode": js}
	for k, v := range more {
		p[k] = v
	}
	return node("Won?", "code", 2, p)
}

var eachItem = object{"mode": "runOnceForEachItem"}

// Code nodes between the usual claim and the effect. The loser has
// {success: true}, the winner {event_key: …}.
func TestCodeGates(t *testing.T) {
	function := func(js string) object { return node("Won?", "function", 1, object{"functionCode": js}) }
	functionItem := func(js string) object { return node("Won?", "functionItem", 1, object{"functionCode": js}) }
	for _, c := range []struct {
		name string
		code object
		want string
	}{
		// All items.
		{"filter", code("return $input.all().filter(i => i.json.event_key);", nil), isClaimed},
		{"filter, old items", code("return items.filter(item => item.json.event_key !== undefined);", nil), isClaimed},
		{"nothing for the loser", code("if (!$input.first().json.event_key) { return []; }\nreturn $input.all();", nil), isClaimed},
		{"nothing for the loser, by name", code("if (!$('Claim').first().json.event_key) return [];\nreturn $input.all();", nil), isClaimed},
		{"throws for the loser", code("if (!$input.first().json.event_key) throw new Error('duplicate');\nreturn $input.all();", nil), isClaimed},
		{"loop", code("const out = [];\nfor (const item of $input.all()) {\n  if (item.json.event_key) out.push(item);\n}\nreturn out;", nil), isClaimed},
		{"in a constant", code("const row = $input.first().json;\nconst won = Boolean(row.event_key);\nreturn won ? [{ json: row }] : [];", nil), isClaimed},
		{"the other way round", code("if ($input.first().json.event_key) return [];\nreturn $input.all();", nil), isLeaked},
		{"passes everything", code("return $input.all();", nil), isLeaked},
		{"passes everything, old", code("return items;", nil), isLeaked},
		{"makes an item for everyone", code("return [{ json: { text: 'hello' } }];", nil), isLeaked},
		{"asks whether there are items", code("if ($input.all().length === 0) return [];\nreturn $input.all();", nil), isLeaked},
		{"asks success", code("if (!$input.first().json.success) return [];\nreturn $input.all();", nil), isLeaked},
		{"a comment is no code", code("// if (!$json.event_key) return [];\nreturn $input.all();", nil), isLeaked},
		{"a string is no code", code("const note = 'if (!$json.event_key) return []';\nreturn $input.all();", nil), isLeaked},
		{"only a field", code("return $input.all().map(i => ({ json: { won: !!i.json.event_key } }));", nil), isLeaked},
		// Each item.
		{"each, null for the loser", code("if (!$json.event_key) return null;\nreturn $input.item;", eachItem), isClaimed},
		{"each, throws", code("if (!$json.event_key) { throw new Error('seen'); }\nreturn { json: $json };", eachItem), isClaimed},
		{"each, passes", code("return $input.item;", eachItem), isLeaked},
		{"each, adds a field", code("$json.text = 'hi';\nreturn { json: $json };", eachItem), isLeaked},
		{"each, wrong way", code("if ($json.event_key) return null;\nreturn $input.item;", eachItem), isLeaked},
		// Old nodes.
		{"function", function("return items.filter(i => i.json.event_key);"), isClaimed},
		{"function, returns early", function("if (!items[0].json.event_key) { return []; }\nreturn items;"), isClaimed},
		{"function, passes", function("items[0].json.x = 1;\nreturn items;"), isLeaked},
		{"function item passes", functionItem("item.x = 1;\nreturn item;"), isLeaked},
		{"function item throws", functionItem("if (!item.event_key) throw new Error('seen');\nreturn item;"), isClaimed},
		// Not to be decided: silent.
		{"asks something that cannot be followed", code("const { check } = require('./own');\nreturn check($input.all()) ? $input.all() : [];", nil), isUnsure},
		{"made at run time", code("={{ $('Hook').item.json.body.code }}", nil), isUnsure},
		{"python", code("", object{"language": "python", "pythonCode": "return [i for i in _input.all() if i['json'].get('event_key')]"}), isUnsure},
		{"no JavaScript", code("return $input.all().filter(i => i.json.event_key", nil), isUnsure},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := outcomeOf(t, analyze(t, gated(claim(insertReturning), c.code))[0], "Send")
			if c.want == isClaimed {
				require.Contains(t, []string{isClaimed, isUnsure}, got, "the right gate is no finding")
				require.Equal(t, c.want, got, "and it can be decided")
			}
			require.Equal(t, c.want, got)
		})
	}
}

// A Code node that answers with a field, and a branch behind it that asks for it.
func TestCodeThenGate(t *testing.T) {
	flag := code("return $input.all().map(i => ({ json: { won: i.json.event_key ? 'yes' : 'no' } }));", nil)
	flag["name"] = "Flag"
	for _, c := range []struct {
		name string
		ask  object
		want string
	}{
		{"asks the flag", condition("={{ $json.won }}", "string", "equals", "yes"), isClaimed},
		{"asks it the wrong way", condition("={{ $json.won }}", "string", "notEquals", "yes"), isLeaked},
		{"asks that it is there", condition("={{ $json.won }}", "string", "exists"), isLeaked},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), claim(insertReturning), flag, gate("Ask", c.ask), mail("Send"), "Hook -> Claim -> Flag -> Ask -> Send"))[0]
			require.Equal(t, c.want, outcomeOf(t, f, "Send"))
		})
	}
}

// Set nodes carry the answer field by field, or drop it.
func TestSetBetweenClaimAndGate(t *testing.T) {
	assign := func(version float64, more object, names ...string) object {
		var list []object
		for i := 0; i < len(names); i += 2 {
			list = append(list, object{"id": names[i], "name": names[i], "type": "string", "value": names[i+1]})
		}
		p := object{"assignments": object{"assignments": list}}
		for k, v := range more {
			p[k] = v
		}
		return node("Set", "set", version, p)
	}
	old := func(keep bool, name, value string) object {
		return node("Set", "set", 1, object{"keepOnlySet": keep, "values": object{"string": []object{{"name": name, "value": value}}}})
	}
	exists := func(expression string) object {
		return gate("Won?", condition(expression, "string", "exists"))
	}
	for _, c := range []struct {
		name string
		set  object
		ask  object
		want string
	}{
		{"a field made of the key", assign(3.4, nil, "key", "={{ $json.event_key }}"), exists("={{ $json.key }}"), isClaimed},
		{"the other fields are kept when asked", assign(3.4, object{"includeOtherFields": true}, "x", "y"), exists("={{ $json.event_key }}"), isClaimed},
		{"3.4 drops the other fields", assign(3.4, nil, "x", "y"), exists("={{ $json.x }}"), isLeaked},
		{"3.0 keeps the other fields", node("Set", "set", 3, object{"fields": object{"values": []object{{"name": "x", "stringValue": "y"}}}}), exists("={{ $json.event_key }}"), isClaimed},
		{"3.0, none", node("Set", "set", 3, object{"include": "none", "fields": object{"values": []object{{"name": "x", "stringValue": "y"}}}}), exists("={{ $json.x }}"), isLeaked},
		{"1 keeps", old(false, "x", "y"), exists("={{ $json.event_key }}"), isClaimed},
		{"1 keeps only what is set", old(true, "key", "={{ $json.event_key }}"), exists("={{ $json.key }}"), isClaimed},
		{"1 hides the key", old(false, "event_key", "known"), exists("={{ $json.event_key }}"), isLeaked},
		{"the claim's own item is still there", assign(3.4, nil, "x", "y"), exists("={{ $('Claim').item.json.event_key }}"), isClaimed},
		{"a field that is always there", assign(3.4, nil, "key", "={{ $('Hook').item.json.body.id }}"), exists("={{ $json.key }}"), isLeaked},
		{"raw", node("Set", "set", 3.4, object{"mode": "raw", "jsonOutput": `={"key": "{{ $json.event_key }}"}`}), exists("={{ $json.key }}"), isLeaked}, // "undefined" is there too
		{"raw, an object", node("Set", "set", 3.4, object{"mode": "raw", "jsonOutput": "={{ { won: !!$json.event_key } }}"}), gate("Won?", condition("={{ $json.won }}", "boolean", "true")), isClaimed},
		{"raw, of the event", node("Set", "set", 3.4, object{"mode": "raw", "jsonOutput": `={"key": "{{ $('Hook').item.json.body.id }}"}`}), exists("={{ $json.key }}"), isLeaked},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), claim(insertReturning), c.set, c.ask, mail("Send"), "Hook -> Claim -> Set -> Won? -> Send"))[0]
			require.Equal(t, c.want, outcomeOf(t, f, "Send"))
		})
	}
}

// Code that remembers what it has seen in static data guards, but not
// atomically (N8N.md section 4).
func TestStaticData(t *testing.T) {
	js := `const seen = $getWorkflowStaticData('global');
const id = $input.first().json.body.id;
if (seen[id]) { return []; }
seen[id] = true;
return $input.all();`
	f := analyze(t, workflow(hook(), code(js, nil), mail("Send"), "Hook -> Won? -> Send"))[0]
	require.Equal(t, isGuarded, outcomeOf(t, f, "Send"))

	counter := `const d = $getWorkflowStaticData('global');
d.runs = (d.runs || 0) + 1;
return $input.all();`
	f = analyze(t, workflow(hook(), code(counter, nil), mail("Send"), "Hook -> Won? -> Send"))[0]
	require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"), "counting runs keeps nobody back")

	memory := code(strings.ReplaceAll(js, "$input.first()", "$('Hook').first()"), nil)
	memory["name"] = "Memory"
	f = analyze(t, workflow(hook(), claim(insertReturning), keyGate(), memory, mail("Send"), "Hook -> Claim -> Won? -> Memory -> Send"))[0]
	require.Equal(t, isClaimed, outcomeOf(t, f, "Send"))
}
