package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// describe writes origins as kind:name.path, with ? for a fallback.
func describe(origins []Origin) string {
	var words []string
	for _, o := range origins {
		word := o.Kind.String() + ":" + o.Name
		if len(o.Path) > 0 {
			word += "." + strings.Join(o.Path, ".")
		}
		if o.Fallback {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestOriginsOfExpressions(t *testing.T) {
	tests := []struct{ text, want string }{
		{"={{ $json.body.id }}", "reference:.body.id"},
		{"={{ $json[\"a b\"]['c'] }}", "reference:.a b.c"},
		{"={{ $json.a?.b?.[0] }}", "reference:.a.b.0"},
		{"={{ $json.list[$itemIndex].id }}", "stable:$itemIndex reference:.list.*.id"},
		{"={{ $('Webhook').item.json.body.id }}", "reference:Webhook.body.id"},
		{"={{ $('Webhook').first().json.body.id }}", "reference:Webhook.body.id"},
		{"={{ $('Webhook').last().json['x'] }}", "reference:Webhook.x"},
		{"={{ $('Webhook').all()[0].json.x }}", "reference:Webhook.x"},
		{"={{ $('Webhook').all().map(i => i.json.x).join() }}", "reference:Webhook.x"},
		{"={{ $('Webhook').itemMatching(0).json.x }}", "reference:Webhook.x"},
		{"={{ $(\"O'Neil\").item.json.x }}", "reference:O'Neil.x"},
		{"={{ $node[\"Webhook\"].json.x }}", "reference:Webhook.x"},
		{"={{ $node['Webhook'].json['x'] }}", "reference:Webhook.x"},
		{"={{ $node.Webhook.json.x }}", "reference:Webhook.x"},
		{"={{ $items('Webhook')[0].json.x }}", "reference:Webhook.x"},
		{"={{ $items('Webhook', 0, 0)[0].json.x }}", "reference:Webhook.x"},
		{"={{ $item(0).$node['Webhook'].json.x }}", "reference:Webhook.x"},
		{"={{ $input.item.json.x }}", "reference:.x"},
		{"={{ $input.first().json.x }}", "reference:.x"},
		{"={{ $input.all()[0].json.x }}", "reference:.x"},
		{"={{ $('Webhook').isExecuted }}", "reference:Webhook.isExecuted"},
		{"={{ $json.a + $json.b }}", "reference:.a reference:.b"},
		{"=x-{{ $json.a }}-{{ $execution.id }}", "reference:.a volatile:$execution.id"},
		{"={{ `${$json.a}:${$now}` }}", "reference:.a volatile:$now"},
		{"={{ $json.a.toString().trim().hash('sha256') }}", "reference:.a"},
		{"={{ JSON.stringify($json.a) }}", "reference:.a"},
		{"={{ JSON.stringify({ a: $json.a, b: Date.now() }) }}", "reference:.a volatile:Date.now()"},
		{"={{ [$json.a, $json.b].join(':') }}", "reference:.a reference:.b"},
		{"={{ $json.a ? $json.b : $json.c }}", "reference:.b reference:.c"},
		{"={{ $json.a || $json.b }}", "reference:.a reference:.b?"},
		{"={{ $json.a ?? Date.now() }}", "reference:.a volatile:Date.now()?"},
		{"={{ $json.a || 'REQ-' + Date.now() }}", "reference:.a volatile:Date.now()?"},
		{"={{ $json.a ? $json.a : $execution.id }}", "reference:.a volatile:$execution.id?"},
		{"={{ $json.a !== undefined ? $json.a : $now }}", "reference:.a volatile:$now?"},
		{"={{ !$json.a ? $now : $json.a }}", "volatile:$now? reference:.a"},
		{"={{ $ifEmpty($json.a, $now) }}", "reference:.a volatile:$now?"},
		{"={{ $if($json.a, $json.b, $json.c) }}", "reference:.b reference:.c"},
		{"={{ Date.now() || $json.a }}", "volatile:Date.now() reference:.a?"},
		{"={{ $execution.id }}", "volatile:$execution.id"},
		{"={{ $execution['id'] }}", "volatile:$execution.id"},
		{"={{ $executionId }}", "volatile:$executionId"},
		{"={{ $execution.resumeUrl + '/x' }}", "volatile:$execution.resumeUrl"},
		{"={{ $execution.mode }}", "stable:$execution.mode"},
		{"={{ $now.toISO() }}", "volatile:$now"},
		{"={{ $now.minus({ days: 1 }).toFormat('yyyy') }}", "volatile:$now"},
		{"={{ $now }}", "volatile:$now"},
		{"={{ $today.year }}", "volatile:$today"},
		{"={{ DateTime.now().toMillis() }}", "volatile:DateTime.now()"},
		{"={{ DateTime.local().toISO() }}", "volatile:DateTime.local()"},
		{"={{ DateTime.utc() }}", "volatile:DateTime.utc()"},
		{"={{ DateTime.local(2024, 1, 2).toISO() }}", ""},
		{"={{ DateTime.fromISO($json.at).toMillis() }}", "reference:.at"},
		{"={{ Math.floor(Math.random() * 10) }}", "volatile:Math.random()"},
		{"={{ new Date() }}", "volatile:new Date()"},
		{"={{ new Date().getTime() }}", "volatile:new Date()"},
		{"={{ +new Date }}", "volatile:new Date()"},
		{"={{ new Date($json.at).toISOString() }}", "reference:.at"},
		{"={{ Date() }}", "volatile:Date()"},
		{"={{ crypto.randomUUID() }}", "volatile:crypto.randomUUID()"},
		{"={{ $json.list.randomItem() }}", "volatile:.randomItem() reference:.list"},
		{"={{ $json.at.toDateTime().diffToNow('days') }}", "volatile:.diffToNow() reference:.at"},
		{"={{ $json.at.toDateTime().isInLast(1, 'day') }}", "volatile:.isInLast() reference:.at"},
		{"={{ $fromAI('key', 'what', 'string') }}", "model:$fromAI()"},
		{"={{ $workflow.id + $workflow.name }}", "stable:$workflow.id stable:$workflow.name"},
		{"={{ $nodeId }}", "stable:$nodeId"},
		{"={{ $runIndex }}", "stable:$runIndex"},
		{"={{ $env.API_KEY }}", "environment:$env.API_KEY"},
		{"={{ $env['API_KEY'] }}", "environment:$env.API_KEY"},
		{"={{ $vars.a.b }}", "environment:$vars.a.b"},
		{"={{ $prevNode.name }}", "volatile:$prevNode.name"},
		{"={{ 'Date.now() $execution.id' }}", ""},
		{"={{ 'x' /* Date.now() */ }}", ""},
		{"={{ 'x' + unheardOf }}", "unknown:unheardOf"},
		{"={{ unheardOf.a.b() + 1 }}", "call:unheardOf.a.b"},
		{"={{ new Unheard($json.a).id }}", "reference:.a call:new Unheard"},
		{"$execution.id", ""},
		{"={{ { k: $json.a, t: $now }.k }}", "reference:.a"},
		{"={{ [$now, $json.a][1] }}", "reference:.a"},
		{"={{ ({ ...$json, t: Date.now() }).key }}", "reference:.key"},
		{"={{ ({ t: Date.now(), ...$json }).t }}", "reference:.t volatile:Date.now()"},
		{"={{ Object.values($json)[0] }}", "reference: reference:.*"},
		{"={{ $json.rows.filter(r => r.at > Date.now()).map(r => r.id) }}", "reference:.rows reference:.rows.*.id"},
		{"={{ $json.a.split(',')[0] }}", "reference:.a"},
		{"={{ encodeURIComponent($json.a) }}", "reference:.a"},
		{"={{ $json.n * 2 + 1 }}", "reference:.n"},
		{"={{ $json.a.someMethod($json.b) }}", "reference:.b reference:.a call:$json.a.someMethod"},
		{"={{ (() => { const k = $json.a; return k + ':' + $execution.id })() }}", "reference:.a volatile:$execution.id"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			template := ParseTemplate(test.text)
			require.NoError(t, template.Err())
			require.Equal(t, test.want, describe(template.Eval(Symbolic{}).AllOrigins()))
		})
	}
}

func TestOriginSpans(t *testing.T) {
	tests := map[string][]string{
		"=a {{ $json.body['id'] }} b {{ $now.toISO() }}":           {"$json.body['id']", "$now"},
		"={{ 'REQ-' + Date.now() + new Date().getTime() }}":        {"Date.now()", "new Date()"},
		"={{ $('Ä Webhook').first().json.x.y }}":                   {"$('Ä Webhook').first().json.x.y"},
		"={{ $node[\"X\"].json[\"y\"] + $execution.id }}":          {`$node["X"].json["y"]`, "$execution.id"},
		"={{ $env.SECRET + $('X').isExecuted }}":                   {"$env.SECRET", "$('X').isExecuted"},
		"={{ { a: 1, b: $json.c } }}":                              {"$json.c"},
		"=é{{ $json.é + new Date(  ) }}":                           {"$json.é", "new Date(  )"},
		"={{ $input.first().json.a?.b + $input.item.json.c }}":     {"$input.first().json.a?.b", "$input.item.json.c"},
		"={{ $items('X')[0].json.k + $json.l[0].m }}":              {"$items('X')[0].json.k", "$json.l[0].m"},
		"={{ $('X').all().map(i => i.json.k)[0] + $workflow.id }}": {"i.json.k", "$workflow.id"},
	}
	for text, want := range tests {
		var got []string
		for _, origin := range Eval(text, Symbolic{}).AllOrigins() {
			got = append(got, text[origin.Start:origin.End])
		}
		require.Equal(t, want, got, text)
	}
}

func TestOriginsOfCode(t *testing.T) {
	tests := []struct{ name, code, field, want string }{
		{"field of an item", "return items.map(i => ({ json: { key: i.json.body.id, at: Date.now() } }))", "key", "reference:.body.id"},
		{"the other field", "return items.map(i => ({ json: { key: i.json.body.id, at: Date.now() } }))", "at", "volatile:Date.now()"},
		{"spread keeps fields apart", "return items.map(i => ({ json: { ...i.json, trace: $execution.id } }))", "key", "reference:.key"},
		{"written field", "for (const i of items) { i.json.trace = $execution.id } return items", "trace", "volatile:$execution.id"},
		{"other field of a written item", "for (const i of items) { i.json.trace = $execution.id } return items", "key", "reference:.key"},
		{"helper function", "function id() { return Math.random().toString(36) } return [{ json: { key: id() } }]", "key", "volatile:Math.random()"},
		{"module", "const { v4: make } = require('uuid'); return [{ json: { key: make() } }]", "key", "volatile:uuid.v4()"},
		{"module's default function", "const nanoid = require('nanoid'); return [{ json: { key: nanoid() } }]", "key", "volatile:nanoid()"},
		{"node's crypto", "const crypto = require('node:crypto'); return [{ json: { key: crypto.randomUUID() } }]", "key", "volatile:crypto.randomUUID()"},
		{"hash of a stable value", "const c = require('crypto'); return [{ json: { key: c.createHash('sha256').update($json.id).digest('hex') } }]", "key",
			"call:crypto.createHash reference:.id"},
		{"hash of a volatile value", "const c = require('crypto'); return [{ json: { key: c.createHash('md5').update(String(Date.now())).digest('hex') } }]", "key",
			"call:crypto.createHash volatile:Date.now()"},
		{"fallback", "const key = $json.body.id || 'x' + Date.now(); return [{ json: { key } }]", "key", "reference:.body.id volatile:Date.now()?"},
		{"fallback by if", "let key = $json.body.id; if (!key) { key = 'x' + Date.now() } return [{ json: { key } }]", "key", "volatile:Date.now()? reference:.body.id"},
		{"fallback by if of a field", "const r = {}; r.key = $json.id; if (r.key === undefined) { r.key = $execution.id } return [{ json: r }]", "key", "volatile:$execution.id? reference:.id"},
		{"no fallback behind the if", "let key = $json.id; if (!key) { key = 'a' } key = $execution.id; return [{ json: { key } }]", "key", "volatile:$execution.id"},
		{"map", "const m = new Map(); for (const i of items) { m.set(i.json.k, i.json) } return [...m.values()].map(json => ({ json: { id: json.id } }))", "id", "reference:.id"},
		{"set", "const s = new Set(items.map(i => i.json.id)); return Array.from(s).map(id => ({ json: { id } }))", "id", "reference:.id"},
		{"pairs of a map", "const m = new Map([['a', $json.x]]); const out = []; for (const [k, v] of m) { out.push({ json: { k, v } }) } return out", "v", "reference:.x"},
		{"field of a parsed object", "const o = JSON.parse($json.text); o.key = $json.id; o.at = Date.now(); return [o]", "key", "reference:.id"},
		{"default of a pattern", "const { id = $execution.id } = $json; return [{ json: { id } }]", "id", "reference:.id volatile:$execution.id?"},
		{"response", "const r = await this.helpers.httpRequest({ url: 'u' }); return [{ json: { id: r.id } }]", "id", "call:this.helpers.httpRequest"},
		{"other node", "const w = $('Webhook').first().json; return [{ json: { id: w.body.id } }]", "id", "reference:Webhook.body.id"},
		{"branches", "let k; if ($json.a) { k = $json.b } else { k = $now.toISO() } return [{ json: { k } }]", "k", "reference:.b volatile:$now"},
		{"in a loop", "let k = ''; for (const i of items) { k += i.json.id + ',' } return [{ json: { k } }]", "k", "reference:.id"},
		{"static data", "const s = $getWorkflowStaticData('global'); return [{ json: { last: s.last } }]", "last", "call:$getWorkflowStaticData"},
		{"computed field name", "const o = {}; o[$json.name] = $json.value; return [{ json: o }]", "x", "reference:.name reference:.value"},
		{"choice at random", "const list = ['a', 'b']; return [{ json: { c: list[Math.floor(Math.random() * 2)] } }]", "c", "volatile:Math.random()"},
		{"array built in a loop", "const ids = []; for (const i of items) ids.push(i.json.id); return [{ json: { ids: ids.join() } }]", "ids", "reference:.id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := runCode(t, test.code, Symbolic{}, AllItems)
			require.Equal(t, test.want, describe(result.Items.Element().Field("json").Field(test.field).AllOrigins()))
		})
	}
}

func TestDependsOn(t *testing.T) {
	v := Eval("={{ { a: $('Webhook').item.json.x, b: [$json.y] } }}", Symbolic{Current: "Set"})
	require.True(t, DependsOn(v, "Webhook"))
	require.True(t, DependsOn(v, "Set"))
	require.False(t, DependsOn(v, "Other"))
	require.False(t, DependsOn(v.Field("a"), "Set"))
}

func TestOriginsAreBoundedAndKeepVolatileOnes(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxOrigins {
		fmt.Fprintf(&b, "$json.f%d + ", i)
	}
	b.WriteString("Date.now()")
	origins := Eval("={{ "+b.String()+" }}", Symbolic{}).AllOrigins()
	require.Len(t, origins, maxOrigins)
	require.Contains(t, describe(origins), "volatile:Date.now()")
}

func TestLocated(t *testing.T) {
	first := Eval("={{ { k: $now, r: $json.a } }}", Symbolic{}).Located("Set")
	for _, origin := range first.AllOrigins() {
		require.Equal(t, "Set", origin.Where)
	}
	second := Eval("={{ $json.k + $execution.id }}", Item(first)).AllOrigins()
	require.Len(t, second, 2)
	require.Equal(t, "Set", second[0].Where)
	require.Empty(t, second[1].Where)
}

func TestSourcesTable(t *testing.T) {
	for key, source := range sources() {
		require.NotZero(t, source.kind, key)
		require.Contains(t, []string{"string", "number", "boolean", "object", "any"}, source.typ, key)
		require.Contains(t, []string{"value", "tree", "call", "call0", "new0", "method"}, key.form)
	}
	for i, line := range strings.Split(strings.TrimSpace(sourcesTable), "\n") {
		columns := strings.Split(line, "\t")
		require.Len(t, columns, 5, "line %d", i+1)
		require.NotEmpty(t, columns[4], "line %d has no source", i+1)
	}
}
