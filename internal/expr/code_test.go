package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func runCode(t *testing.T, code string, scope Scope, mode CodeMode) CodeResult {
	t.Helper()
	program, err := Parse(code, Body)
	require.NoError(t, err)
	return program.RunCode(scope, mode)
}

// TestCodeDecidesForClaimItems gives a Code node behind a claim the loser's and
// the winner's item (N8N.md 1a) and counts the items that go on.
func TestCodeDecidesForClaimItems(t *testing.T) {
	loser := Item(Object(Field{Name: "success", Value: Bool(true)}))
	winner := Item(Object(Field{Name: "idem_key", Value: NonEmptyString()}))
	type count struct{ min, max int }
	none, one, some := count{0, 0}, count{1, 1}, count{0, 1}
	tests := []struct {
		name, code    string
		mode          CodeMode
		loser, winner count
	}{
		{"filter", "return $input.all().filter(i => i.json.idem_key)", AllItems, none, one},
		{"filter with a function", "return items.filter(function (i) { return !!i.json.idem_key; });", AllItems, none, one},
		{"filter and map", "return $input.all().filter(i => i.json.idem_key).map(i => ({ json: { ...i.json, k: 1 } }))", AllItems, none, one},
		{"early return", "if (!$json.idem_key) return [];\nreturn $input.all();", AllItems, none, one},
		{"early return in a block", "if (!$input.first().json.idem_key) {\n  return [];\n}\nreturn [$input.first()];", AllItems, none, one},
		{"else", "if ($json.idem_key) { return items } else { return [] }", AllItems, none, one},
		{"ternary", "return $json.idem_key ? items : []", AllItems, none, one},
		{"loop and push", "const out = [];\nfor (const item of items) { if (item.json.idem_key) out.push(item) }\nreturn out", AllItems, none, one},
		{"loop and continue", "const out = [];\nfor (const item of items) { if (!item.json.idem_key) continue; out.push(item); }\nreturn out", AllItems, none, one},
		{"counting loop", "var out = []; for (var i = 0; i < items.length; i++) { if (items[i].json.idem_key) { out.push(items[i]) } } return out", AllItems, none, one},
		{"while loop", "let i = 0; const out = []; while (i < items.length) { if (items[i].json.idem_key) out.push(items[i]); i++ } return out", AllItems, none, one},
		{"do loop", "let i = 0; const out = []; do { if (items[i].json.idem_key) out.push(items[i]); i += 1 } while (i < items.length); return out", AllItems, none, one},
		{"forEach", "const out = []; items.forEach(i => { if (i.json.idem_key) out.push(i) }); return out", AllItems, none, one},
		{"for in", "const out = []; for (const i in items) out.push(items[i]); return out.filter(i => i.json.idem_key)", AllItems, none, one},
		{"reduce", "return items.reduce((out, i) => { if (i.json.idem_key) out.push(i); return out }, [])", AllItems, none, one},
		{"reduce with spread", "return items.reduce((out, i) => i.json.idem_key ? [...out, i] : out, [])", AllItems, none, one},
		{"flatMap", "return items.flatMap(i => i.json.idem_key ? [i] : [])", AllItems, none, one},
		{"throw", "if (!$json.idem_key) throw new Error('lost');\nreturn items", AllItems, none, one},
		{"switch", "switch (typeof $json.idem_key) { case 'string': return items; default: return [] }", AllItems, none, one},
		{"switch with break", "let r = []; switch ($json.success) { case true: break; default: r = items } return r", AllItems, none, one},
		{"helper function", "return items.filter(won);\nfunction won(item) { return item.json.idem_key !== undefined }", AllItems, none, one},
		{"arrow helper", "const won = ({ json }) => 'idem_key' in json; return items.filter(won)", AllItems, none, one},
		{"try", "try { if (!$json.idem_key) throw new Error('x'); return items } catch (e) { return [] }", AllItems, none, one},
		{"finally", "let r = items; try { if (!$json.idem_key) r = [] } finally { r = r.slice(0) } return r", AllItems, none, one},
		{"labelled continue", "const out = []; outer: for (const i of items) { for (const k of ['a', 'b']) { if (!i.json.idem_key) continue outer } out.push(i) } return out", AllItems, none, one},
		{"state variable", "let won = false; for (const i of items) { won = won || !!i.json.idem_key } if (!won) { return [] } return items", AllItems, none, one},
		{"set of keys", "const keys = Object.keys(items[0].json); if (!keys.includes('idem_key')) return []; return items", AllItems, none, one},
		{"wrapped object", "return { idem_key: $json.idem_key }", AllItems, one, one},
		{"bare objects", "return items.map(i => i.json)", AllItems, one, one},
		{"null", "return $json.idem_key ? items : null", AllItems, none, one},
		{"each item: null", "return $json.idem_key ? $input.item : null", EachItem, none, one},
		{"each item: if", "if (!$json.idem_key) return null;\nreturn { json: $json }", EachItem, none, one},
		{"each item: always", "$json.seen = true; return $input.item", EachItem, one, one},
		{"each item: item", "item.json.seen = true; return item", EachItem, one, one},
		{"old function node", "return items.filter(function (i) { return i.json.idem_key })", Function, none, one},
		{"old function item node", "item.seen = 1; return item;", FunctionItem, one, one},
		{"set of seen keys", "const seen = new Set(); return items.filter(i => { const k = i.json.idem_key; if (!k || seen.has(k)) return false; seen.add(k); return true })", AllItems, none, one},
		{"map", "const m = new Map(); for (const i of items) { if (i.json.idem_key) m.set(i.json.idem_key, i) } if (m.size === 0) return []; return [...m.values()]", AllItems, none, count{0, Unbounded}},
		{"always true", "return items.filter(i => i.json)", AllItems, one, one},
		{"tests the wrong level", "return items.filter(i => i.idem_key)", AllItems, none, none},
		{"unknown condition", "return items.filter(i => $('X').first().json.open)", AllItems, some, some},
		{"unknown function", "return items.filter(i => check(i.json))", AllItems, some, some},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, side := range []struct {
				name  string
				scope Scope
				want  count
			}{{"loser", loser, test.loser}, {"winner", winner, test.winner}} {
				result := runCode(t, test.code, side.scope, test.mode)
				require.False(t, result.Incomplete)
				low, high := result.Items.Count()
				require.Equal(t, side.want, count{low, high}, "%s: %v", side.name, result.Items)
			}
		})
	}
}

func TestCodeItems(t *testing.T) {
	given := Item(Object(Field{Name: "id", Value: Number(7)}))
	tests := []struct {
		name, code string
		mode       CodeMode
		want       string
	}{
		{"template of the node", "for (const item of $input.all()) {\n  item.json.myNewField = 1;\n}\n\nreturn $input.all();", AllItems,
			"[{json: {id: 7, myNewField: 1}}]"},
		{"spread", "return items.map(i => ({ json: { ...i.json, k: 1 } }))", AllItems, "[{json: {id: 7, k: 1}}]"},
		{"spread hides", "return items.map(i => ({ json: { id: 1, ...i.json } }))", AllItems, "[{json: {id: 7}}]"},
		{"nested write", "item.json.a = { b: 1 }; item.json.a.c = 2; return item", EachItem, "[{json: {id: 7, a: {b: 1, c: 2}}}]"},
		{"delete", "delete item.json.id; return item", EachItem, "[{json: {}}]"},
		{"assign", "return [{ json: Object.assign({}, $json, { x: 'y' }) }]", AllItems, `[{json: {id: 7, x: "y"}}]`},
		{"computed key", "const k = 'a' + 'b'; return [{ json: { [k]: 1 } }]", AllItems, "[{json: {ab: 1}}]"},
		{"destructuring", "const { id, name = 'n', ...rest } = $json; return [{ json: { id, name, rest } }]", AllItems, `[{json: {id: 7, name: "n", rest: {}}}]`},
		{"array destructuring", "const [a, , c = 3, ...d] = [1, 2, undefined, 4, 5]; return [{ json: { a, c, d } }]", AllItems, "[{json: {a: 1, c: 3, d: [4, 5]}}]"},
		{"swap", "let a = 1, b = 2; [a, b] = [b, a]; return [{ json: { a, b } }]", AllItems, "[{json: {a: 2, b: 1}}]"},
		{"closure", "let n = 0; const add = x => { n += x }; add(2); add(3); return [{ json: { n } }]", AllItems, "[{json: {n: 5}}]"},
		{"hoisting", "f(); var n; function f() { n = 4 } return [{ json: { n } }]", AllItems, "[{json: {n: 4}}]"},
		{"var outlives its block", "if (true) { var n = 1 } return [{ json: { n } }]", AllItems, "[{json: {n: 1}}]"},
		{"let does not", "let n = 1; { let n = 2 } return [{ json: { n } }]", AllItems, "[{json: {n: 1}}]"},
		{"method", "const o = { n: 2, twice() { return this.n * 2 } }; return [{ json: { n: o.twice() } }]", AllItems, "[{json: {n: 4}}]"},
		{"alias", "const a = [1]; const b = a; b.push(2); return [{ json: { a } }]", AllItems, "[{json: {a: [1, 2]}}]"},
		{"unknown branch", "const o = {}; if ($('X').first().json.y) { o.a = 1 } else { o.b = 2 } return [{ json: o }]", AllItems, "[{json: {a?: 1, b?: 2}}]"},
		{"both branches alike", "let n; if ($('X').first().json.y) { n = 1 } else { n = 1 } return [{ json: { n } }]", AllItems, "[{json: {n: 1}}]"},
		{"object from one branch", "const out = []; if ($('X').first().json.y) { const o = {}; o.a = 1; out.push({ json: o }) } return out", AllItems,
			"[{json: {a: 1}} × 0…1]"},
		{"return from one branch", "if ($('X').first().json.y) { return [{ json: { a: 1 } }] } return [{ json: { a: 2 } }]", AllItems, "[{json: {a: <number>}}]"},
		{"helper returns from one branch", "const n = []; function f(y) { if (y) { n.push(1); return 'a' } n.push(2); return 'a' } const r = f($('X').first().json.y); return [{ json: { r, n } }]", AllItems,
			`[{json: {r: "a", n: [<number>]}}]`},
		{"known JSON", "return [{ json: JSON.parse('{\"a\":[1,null]}') }]", AllItems, "[{json: {a: [1, null]}}]"},
		{"logical assignment", "let a; a ??= 1; let b = 0; b ||= 2; let c = 1; c &&= 3; return [{ json: { a, b, c } }]", AllItems, "[{json: {a: 1, b: 2, c: 3}}]"},
		{"string methods", "return [{ json: { a: ' X '.trim().toLowerCase(), b: 'abc'.slice(-2), c: '7'.padStart(3, '0'), d: 'a-b'.split('-'), e: 'aab'.replace('a', 'x') } }]", AllItems,
			`[{json: {a: "x", b: "bc", c: "007", d: ["a", "b"], e: "xab"}}]`},
		{"array methods", "const a = [3, 1]; return [{ json: { l: a.concat([2], 5), j: a.join('-'), f: [[1], [2]].flat(), s: [1, 2, 3].slice(1), p: [1, 2].pop(), i: [1, 2].at(-1), x: a.map(n => n * 2) } }]", AllItems,
			`[{json: {l: [3, 1, 2, 5], j: "3-1", f: [1, 2], s: [2, 3], p: 2, i: 2, x: [6, 2]}}]`},
		{"object functions", "const o = { a: 1, b: 2 }; return [{ json: { k: Object.keys(o), v: Object.values(o), e: Object.entries(o), f: Object.fromEntries([['x', 1]]) } }]", AllItems,
			`[{json: {k: ["a", "b"], v: [1, 2], e: [["a", 1], ["b", 2]], f: {x: 1}}}]`},
		{"promise", "const r = await Promise.all(items.map(async i => i.json.id)); return [{ json: { r } }]", AllItems, "[{json: {r: [7]}}]"},
		{"old function item", "item.x = item.id + 1; return item", FunctionItem, "[{json: {id: 7, x: 8}}]"},
		{"empty loop", "for (const x of []) { return [] } return [{ json: {} }]", AllItems, "[{json: {}}]"},
		{"exact loop", "let s = 0; for (let i = 0; i < 5; i++) { if (i === 3) break; s += i } return [{ json: { s } }]", AllItems, "[{json: {s: 3}}]"},
		{"long loop", "let s = 0; for (let i = 0; i < 5000; i++) { s += i } return [{ json: { s } }]", AllItems, "[{json: {s: <number>}}]"},
		{"catch takes the error", "try { throw new Error('no') } catch (e) { return [{ json: { m: e.message } }] }", AllItems, `[{json: {m: "no"}}]`},
		{"reading from undefined throws", "try { return [{ json: { x: $json.no.no } }] } catch { return [] }", AllItems, "[]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := runCode(t, test.code, given, test.mode)
			require.False(t, result.Incomplete)
			require.Equal(t, test.want, withoutExtras(result.Items).String())
		})
	}
}

// withoutExtras leaves out the fields binary and pairedItem that every given item may have.
func withoutExtras(items Value) Value {
	elements, ok := items.Elements()
	if !ok {
		return items
	}
	for i, element := range elements {
		elements[i] = Object(Field{Name: "json", Value: element.Field("json")})
	}
	return Array(elements...)
}

func TestCodeWithAnyNumberOfItems(t *testing.T) {
	tests := []struct{ name, code, json string }{
		{"template of the node", "for (const item of $input.all()) { item.json.x = 1 } return $input.all()", "{x: 1, …}"},
		{"counting loop", "for (let i = 0; i < items.length; i++) { items[i].json.x = i } return items", "{x: <number>, …}"},
		{"map", "return items.map(item => { item.json.x = item.json.a; return item })", "{x: ref(.a), …}"},
		{"first item only", "items[0].json.x = 1; return items", "{x?: 1, …}"},
		{"push", "const out = []; for (const item of items) { out.push({ json: { id: item.json.id } }) } return out", "{id: ref(.id)}"},
		{"condition", "for (const item of items) { if (item.json.a) { item.json.x = 1 } else { item.json.x = 2 } } return items", "{x: <number>, …}"},
		{"in one branch", "for (const item of items) { if (item.json.a) { item.json.x = 1 } } return items", "{x?: unknown, …}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := runCode(t, test.code, Symbolic{}, AllItems)
			low, high := result.Items.Count()
			require.Equal(t, []int{1, Unbounded}, []int{low, high})
			require.Equal(t, test.json, result.Items.Element().Field("json").String())
		})
	}
}

func TestCodeOutcomes(t *testing.T) {
	tests := []struct {
		name, code               string
		returned                 Tri
		mayThrow, alwaysThrows   bool
		emitsNothing, incomplete bool
	}{
		{name: "throws", code: "throw new Error('x')", returned: False, mayThrow: true, alwaysThrows: true, emitsNothing: true},
		{name: "may throw", code: "if ($json.a) throw new Error('x'); return items", returned: Maybe, mayThrow: true},
		{name: "a function always throws", code: "function f(x) { if (x) { throw 1 } else { throw 2 } } f($json.a); return items", returned: False, mayThrow: true, alwaysThrows: true, emitsNothing: true},
		{name: "a function throws or not", code: "function f(x) { if (x) { throw 1 } return 2 } f($json.a); return items", returned: Maybe, mayThrow: true},
		{name: "a callback always throws", code: "items.forEach(i => { throw new Error(i.json.a) }); return items", returned: False, mayThrow: true, alwaysThrows: true, emitsNothing: true},
		{name: "caught", code: "try { throw 1 } catch (e) {} return items", returned: True},
		{name: "no return is refused", code: "const a = 1", returned: True, mayThrow: true, alwaysThrows: true, emitsNothing: true},
		{name: "a string is refused", code: "return 'x'", returned: True, mayThrow: true, alwaysThrows: true, emitsNothing: true},
		{name: "a call may throw", code: "await this.helpers.httpRequest({ url: 'https://example.com' }); return items", returned: Maybe, mayThrow: true},
		{name: "parsing may throw", code: "const o = JSON.parse($json.a); return [{ json: o }]", returned: Maybe, mayThrow: true},
		{name: "endless loop", code: "while (true) {} return items", returned: False, emitsNothing: true},
		{name: "recursion", code: "function f(n) { return f(n + 1) } return [{ json: { x: f(1) } }]", returned: True},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := runCode(t, test.code, Symbolic{}, AllItems)
			require.Equal(t, test.returned, result.Returned)
			require.Equal(t, test.mayThrow, result.MayThrow)
			require.Equal(t, test.alwaysThrows, result.AlwaysThrows)
			require.Equal(t, test.incomplete, result.Incomplete)
			_, high := result.Items.Count()
			require.Equal(t, test.emitsNothing, high == 0, "%v", result.Items)
		})
	}
}

func TestCalls(t *testing.T) {
	tests := []struct {
		name, code  string
		callee      string
		argument    string
		text        string
		conditional bool
	}{
		{"helper", "const r = await this.helpers.httpRequest({ method: 'POST', url: 'https://api.example.com/' + $json.id }); return r",
			"this.helpers.httpRequest", `{method: "POST", url: <string>}`, "this.helpers.httpRequest({ method: 'POST', url: 'https://api.example.com/' + $json.id })", false},
		{"fetch in a branch", "if ($json.a) { await fetch('https://example.com', { method: 'POST' }) } return items", "fetch", `"https://example.com"`, "fetch('https://example.com', { method: 'POST' })", true},
		{"after a conditional return", "if ($json.a) return []; fetch('u'); return items", "fetch", `"u"`, "fetch('u')", true},
		{"module", "const axios = require('axios'); await axios.post('u', {}); return items", "axios.post", `"u"`, "axios.post('u', {})", false},
		{"destructured module", "const { post } = require('axios'); post('u'); return items", "axios.post", `"u"`, "post('u')", false},
		{"alias", "const http = this.helpers.httpRequest; http({ url: 'u' }); return items", "this.helpers.httpRequest", `{url: "u"}`, "http({ url: 'u' })", false},
		{"alias of this", "const self = this; function go() { return self.helpers.httpRequest({ url: 'u' }) } go(); return items", "this.helpers.httpRequest", `{url: "u"}`, "self.helpers.httpRequest({ url: 'u' })", false},
		{"in an inlined function", "const send = async u => fetch(u); await send('v'); return items", "fetch", `"v"`, "fetch(u)", false},
		{"in a callback of an unknown function", "queue.run(() => fetch('u')); return items", "fetch", `"u"`, "fetch('u')", true},
		{"in a promise", "await new Promise(resolve => { fetch('u'); resolve() }); return items", "fetch", `"u"`, "fetch('u')", true},
		{"in a loop", "for (const i of $input.all()) { await fetch(i.json.url) } return items", "fetch", `ref(.url)`, "fetch(i.json.url)", false},
		{"in a map", "await Promise.all(items.map(i => fetch(i.json.url))); return items", "fetch", `ref(.url)`, "fetch(i.json.url)", false},
		{"options built step by step", "const o = { url: 'u' }; o.method = 'PUT'; await this.helpers.request(o); return items", "this.helpers.request", `{url: "u", method: "PUT"}`, "this.helpers.request(o)", false},
		{"static data", "const s = $getWorkflowStaticData('global'); return items", "$getWorkflowStaticData", `"global"`, "$getWorkflowStaticData('global')", false},
		{"optional call", "await this.helpers?.httpRequest?.({ url: 'u' }); return items", "this.helpers.httpRequest", `{url: "u"}`, "this.helpers?.httpRequest?.({ url: 'u' })", false},
		{"in try", "try { await fetch('u') } catch (e) { } return items", "fetch", `"u"`, "fetch('u')", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := runCode(t, test.code, Symbolic{}, AllItems)
			at := -1
			for i, call := range result.Calls {
				if call.Callee == test.callee {
					at = i
				}
			}
			require.GreaterOrEqual(t, at, 0, "%v", result.Calls)
			call := result.Calls[at]
			require.Equal(t, test.argument, call.Arguments[0].String())
			require.Equal(t, test.text, test.code[call.Start:call.End])
			require.Equal(t, test.conditional, call.Conditional)
		})
	}
}

func TestCallsAreOfTheTakenPathOnly(t *testing.T) {
	loser := Item(Object(Field{Name: "success", Value: Bool(true)}))
	result := runCode(t, "if ($json.idem_key) { await fetch('u') } // fetch('v')\nconst s = \"fetch('w')\"; return items", loser, AllItems)
	require.Empty(t, result.Calls)
}

func TestCallsInTwoBranchesAreJoined(t *testing.T) {
	result := runCode(t, "const send = u => fetch(u); if ($json.a) { send('x') } else { send('y') } return items", Symbolic{}, AllItems)
	require.Len(t, result.Calls, 1)
	require.Equal(t, "<string>", result.Calls[0].Arguments[0].String())
}
