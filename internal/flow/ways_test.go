package flow

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// Every place is looked at in a minified and in an indented export.
func TestHopsAndPlaces(t *testing.T) {
	tests := []struct {
		name  string
		parts []any
		at    string
		way   string
		says  string
	}{
		{"in place", []any{webhook(), use("={{ $now.toMillis() }}"), "Webhook -> Use"}, "$now", "", ""},
		{"trigger", []any{webhook(), use("=evt-{{ $json.body.id }}"), "Webhook -> Use"}, "$json.body.id", "Use: $json.body.id", "reads body.id"},
		{"two hops", []any{
			webhook(), set("Make id", true, "run", "={{ $execution.id }}"), set("Make ref", true, "ref", "=ref-{{ $('Make id').item.json.run }}"),
			node("Branch", "if", 2.2, nil), use("={{ $json.ref }}"), "Webhook -> Make id -> Make ref -> Branch -> Use",
		}, "$execution.id", `Use: $json.ref | Branch: "Branch" | Make ref: $('Make id').item.json.run`, "sets ref"},
		{"code", []any{
			webhook(), code("Ä \"Code\"", "// Date.now() is no call here\nreturn [{ json: { k: 'é' + Date.now() } }]"), use(`={{ $json["k"] }}`), "Webhook -> Ä \"Code\" -> Use",
		}, "Date.now()", `Use: $json[\"k\"]`, `reads k`},
		{"behind escapes", []any{webhook(), use("={{ \"\t\\\"\" + $node[\"Webhook\"].json[\"body\"][\"id\"] }}"), "Webhook -> Use"},
			`$node[\"Webhook\"].json[\"body\"][\"id\"]`, `Use: $node[\"Webhook\"].json[\"body\"][\"id\"]`, "reads body.id"},
		{"crypto", []any{webhook(), node("Key", "crypto", 1, object{"action": "generate", "dataPropertyName": "k"}), use("={{ $json.k }}"), "Webhook -> Key -> Use"},
			`"generate"`, "Use: $json.k", "reads k"},
		{"what passes is not what reads", []any{webhook(), node("Branch", "if", 2.2, nil), use("={{ $json.body.id }}"), "Webhook -> Branch -> Use"},
			"$json.body.id", `Use: $json.body.id | Branch: "Branch"`, "passes the item on"},
	}
	for _, test := range tests {
		for _, indent := range []string{"", "  "} {
			t.Run(test.name+indent, func(t *testing.T) {
				trace := key(t, buildAs(t, "w", indent, test.parts...))
				require.Len(t, trace.Origins, 1)
				require.Equal(t, test.at, trace.Origins[0].At.Text())
				require.Equal(t, test.way, way(trace.Origins[0]))
				if hops := trace.Origins[0].Hops; len(hops) > 0 {
					require.Equal(t, test.says, hops[len(hops)-1].What)
				}
			})
		}
	}
}

func TestParts(t *testing.T) {
	w := build(t, webhook(), use("={{ $json.body.a }}:{{ $now }}-x"), "Webhook -> Use")
	trace := key(t, w)
	require.False(t, trace.Literal)
	require.Equal(t, ":-x", trace.Text)
	require.Len(t, trace.Parts, 4)
	require.Equal(t, "trigger field Webhook body.a", shown(trace.Parts[0].Origins))
	require.Equal(t, " $json.body.a ", trace.Parts[0].At.Text())
	require.False(t, trace.Parts[1].Code)
	require.Equal(t, ":", trace.Parts[1].At.Text())
	require.Equal(t, "volatile Use $now try", shown(trace.Parts[2].Origins))
	require.True(t, trace.Kinds(TriggerField, Volatile))
	require.False(t, trace.Kinds(TriggerField))

	literal := key(t, build(t, webhook(), use("x {{ $now }}"), "Webhook -> Use"))
	require.True(t, literal.Literal)
	require.Equal(t, "x {{ $now }}", literal.Text)
	require.True(t, literal.Kinds(Constant))
	require.False(t, Trace{}.Kinds(Constant))
}

func TestResolvedPartAndField(t *testing.T) {
	w := build(t, webhook(), use("{{ $json.body.id }}"), "Webhook -> Use")
	tr, n := tracer(w), w.Node("Use")
	require.Equal(t, "trigger field Webhook body.id", shown(tr.Resolved(n, n.Parameter("key")).Origins))
	p := parseTemplate(n.Parameter("key").Str(), true).Parts[0]
	require.Equal(t, "trigger field Webhook body.id", shown(tr.Part(n, n.Parameter("key"), p).Origins))
	require.Equal(t, "trigger field Webhook body.id", shown(tr.Field(n, "body", "id").Origins))
	require.Equal(t, "missing Webhook id", shown(tr.Field(n, "id").Origins))
	require.Equal(t, "trigger field Webhook", shown(tr.Field(n).Origins))
	require.Equal(t, Trace{Literal: true}, tr.Value(n, n.Parameter("not there")))
}

func TestValueInsideObjects(t *testing.T) {
	n := node("Use", "httpRequest", 4.2, object{"key": object{"a": list{"={{ $json.body.id }}", 7, "={{ $now }}"}, "b": true}})
	require.Equal(t, "trigger field Webhook body.id, volatile Use $now try", shown(key(t, build(t, webhook(), n, "Webhook -> Use")).Origins))
}

func TestBranches(t *testing.T) {
	merge := func(parameters object) object { return node("M", "merge", 3.2, parameters) }
	fork := []any{
		webhook(), set("A", false, "k", "={{ $now }}"), set("B", false, "k", "={{ $json.body.id }}", "b", "x"),
		"Webhook -> A", "Webhook -> B",
	}
	tests := []struct {
		name  string
		parts []any
		key   string
		want  string
	}{
		{"two ways in", []any{"A -> Use", "B -> Use"}, "={{ $json.k }}", "volatile A $now, trigger field Webhook body.id"},
		{"missing on one way", []any{"A -> Use", "B -> Use"}, "={{ $json.b }}", "missing A b, constant B"},
		{"append", []any{merge(nil), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.b }}", "missing A b, constant B"},
		{"combine", []any{merge(object{"mode": "combine", "combineBy": "combineByPosition"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.b }}", "constant B"},
		{"combine, nowhere", []any{merge(object{"mode": "combine"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.c }}", "missing A c, missing B c"},
		{"combine, both", []any{merge(object{"mode": "combine"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "volatile A $now, trigger field Webhook body.id"},
		{"combine with suffixes", []any{merge(object{"mode": "combine", "options": object{"clashHandling": object{"values": object{"resolveClash": "addSuffix"}}}}), "A -> M:0", "B -> M:1", "M -> Use"},
			"={{ $json.k_2 }}", "trigger field Webhook body.id"},
		{"chosen", []any{merge(object{"mode": "chooseBranch"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "volatile A $now"},
		{"the other one chosen", []any{merge(object{"mode": "chooseBranch", "useDataOfInput": "2"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "trigger field Webhook body.id"},
		{"passed through", []any{node("M", "merge", 1, object{"mode": "passThrough", "output": "input2"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "trigger field Webhook body.id"},
		{"a query over the inputs", []any{merge(object{"mode": "combineBySql"}), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "unknown M k"},
		{"compared", []any{node("M", "compareDatasets", 2.3, nil), "A -> M:0", "B -> M:1", "M -> Use"}, "={{ $json.k }}", "volatile A $now, trigger field Webhook body.id"},
		{"by name", []any{"A -> Use"}, "={{ $('A').first().json.k }}", "volatile A $now"},
		{"by name, beside", []any{"A -> Use"}, "={{ $('B').first().json.k }}", "unknown Use k"},
		{"old names", []any{"A -> Use"}, `={{ $node["A"].json["k"] + $items("Webhook")[0].json.body.id }}`, "volatile A $now, trigger field Webhook body.id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts := append(append(append([]any{}, fork...), test.parts...), use(test.key))
			require.Equal(t, test.want, shown(key(t, build(t, parts...)).Origins))
		})
	}
}

func TestErrorOutput(t *testing.T) {
	call := node("Call", "httpRequest", 4.2, nil, object{"onError": "continueErrorOutput"})
	for expression, want := range map[string]string{
		"={{ $json.body.id }}": "trigger field Webhook body.id",
		"={{ $json.error }}":   "response Call error error",
	} {
		w := build(t, webhook(), call, use(expression), "Webhook -> Call", "Call:1 -> Use")
		require.Equal(t, want, shown(key(t, w).Origins))
	}
	w := build(t, webhook(), call, use("={{ $json.body.id }}"), "Webhook -> Call", "Call:0 -> Use")
	require.Equal(t, "response Call body.id", shown(key(t, w).Origins))
}

func TestLoops(t *testing.T) {
	body := code("Body", "return [{ json: { k: Date.now() } }]")
	for _, test := range []struct {
		version    float64
		loop, done string
	}{{3, "Loop:1", "Loop:0"}, {2, "Loop:0", "Loop:1"}} {
		loop := node("Loop", "splitInBatches", test.version, nil)
		inside := build(t, webhook(), loop, body, use("={{ $json.body.id }}"), "Webhook -> Loop", test.loop+" -> Use -> Body -> Loop")
		require.Equal(t, "trigger field Webhook body.id", shown(key(t, inside).Origins), "in the loop")
		named := build(t, webhook(), loop, body, use("={{ $('Loop').item.json.body.id }}"), "Webhook -> Loop", test.loop+" -> Body -> Use -> Loop")
		require.Equal(t, "trigger field Webhook body.id", shown(key(t, named).Origins), "in the loop, by name")
		behind := build(t, webhook(), loop, body, use("={{ $json.k }}"), "Webhook -> Loop", test.loop+" -> Body -> Loop", test.done+" -> Use")
		require.Equal(t, "volatile Body Date.now()", shown(key(t, behind).Origins), "behind the loop")
	}
}

func TestPartsOfAgents(t *testing.T) {
	w := build(t, webhook(), node("Agent", "@n8n/n8n-nodes-langchain.agent", 2.2, nil),
		node("Use", "httpRequestTool", 4.2, object{"key": "={{ $fromAI('x') }}{{ $json.body.id }}{{ $('Webhook').item.json.body.n }}"}),
		"Webhook -> Agent", "Use =ai_tool> Agent")
	require.Equal(t, "model Use $fromAI(), trigger field Webhook body.id, trigger field Webhook body.n", shown(key(t, w).Origins))
}

func TestFallbackStandsInForWhatIsNeverThere(t *testing.T) {
	main := key(t, build(t, webhook(), use("={{ $json.id || Date.now() }}"), "Webhook -> Use"))
	require.Equal(t, "missing Webhook id, volatile Use Date.now() try", shown(main.Origins))
	through := key(t, build(t, webhook(), set("Set", true, "k", "={{ $json.body.id ?? $now }}"), use("={{ $json.k }}"), "Webhook -> Set -> Use"))
	require.Equal(t, "trigger field Webhook body.id, volatile Set $now?", shown(through.Origins))
	beyond := key(t, build(t, webhook(), set("Set", true, "t", "={{ $now }}"), use("={{ $json.body.id || $json.t }}"), "Webhook -> Set -> Use"))
	require.Equal(t, "trigger field Webhook body.id, volatile Set $now?", shown(beyond.Origins))
}

func TestDayBuckets(t *testing.T) {
	tests := map[string]bool{
		"={{ $today }}":                                                 true,
		"={{ $today.toISO() }}":                                         true,
		"={{ $now.toISODate() }}":                                       true,
		"={{ $now.toFormat('yyyy-MM-dd') }}":                            true,
		"={{ $now.toFormat(\"yyyyLLdd\") }}":                            true,
		"={{ $now.format('yyyy-MM-dd') }}":                              true,
		"={{ $now.minus({ days: 1 }).startOf('day').toISO() }}":         true,
		"={{ $now.startOf('month').toMillis() }}":                       true,
		"={{ $now.startOf('hour').toMillis() }}":                        false,
		"={{ $now.toFormat('yyyy-MM-dd HH') }}":                         false,
		"={{ $now.toISO() }}":                                           false,
		"={{ $now.toISO().slice(0, 10) }}":                              true,
		"={{ $now.toISO().slice(0, 13) }}":                              false,
		"={{ new Date().toISOString().split('T')[0] }}":                 true,
		"={{ new Date().toISOString() }}":                               false,
		"={{ DateTime.fromMillis(Date.now()).toISODate() }}":            true,
		"={{ new Date(Date.now()).toISOString().substring(0, 10) }}":    true,
		"={{ String(Date.now()).slice(0, 10) }}":                        true,
		"={{ JSON.stringify({ t: $now }).slice(0, 10) }}":               false,
		"={{ $now.weekNumber }}":                                        true,
		"={{ $now\n  .setZone('Europe/Berlin')\n  .toFormat('yyyy') }}": true,
		"={{ $now.toFormat(\"'day' d\") }}":                             true,
		"={{ $now.toFormat($json.body.f) }}":                            false,
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			origins := key(t, build(t, webhook(), use(text), "Webhook -> Use")).Origins
			require.Equal(t, Volatile, origins[0].Kind)
			require.Equal(t, want, origins[0].DayBucket)
		})
	}
	w := build(t, webhook(), set("Set", true, "t", "={{ $now }}"), use("={{ DateTime.fromISO($json.t).toISODate() }}"), "Webhook -> Set -> Use")
	require.Equal(t, "volatile Set $now day", shown(key(t, w).Origins), "cut on the way")
}

func TestTriggers(t *testing.T) {
	form := node("T", "formTrigger", 2.2, object{"formFields": object{"values": list{object{"fieldLabel": "Mail"}}}})
	tests := []struct {
		trigger object
		key     string
		want    string
	}{
		{form, "={{ $json.Mail }}{{ $json.submittedAt }}{{ $json.mail }}", "trigger field T Mail, trigger field T submittedAt, missing T mail"},
		{node("T", "stripeTrigger", 1, nil), "={{ $json.id }}", "trigger field T id"},
		{node("T", "githubTrigger", 1, nil), "={{ $json.headers['x-github-delivery'] }}{{ $json.action }}", "trigger field T headers.x-github-delivery, missing T action"},
		{node("T", "telegramTrigger", 1.2, nil), "={{ $json.update_id }}", "trigger field T update_id"},
		{node("T", "@n8n/n8n-nodes-langchain.chatTrigger", 1.3, nil), "={{ $json.chatInput }}", "trigger field T chatInput"},
		{node("T", "scheduleTrigger", 1.2, nil), "={{ $json.timestamp }}{{ $json.x }}", "trigger field T timestamp, missing T x"},
		{node("T", "manualTrigger", 1, nil), "={{ $json.x }}", "trigger field T x"},
		{node("T", "errorTrigger", 1, nil), "={{ $json.execution.id }}", "trigger field T execution.id"},
		{node("T", "executeWorkflowTrigger", 1, nil), "={{ $json.x }}", "input T x"},
		{node("T", "executeWorkflowTrigger", 1.1, object{"workflowInputs": object{"values": list{object{"name": "id"}}}}), "={{ $json.id }}{{ $json.x }}", "input T id, missing T x"},
		{node("T", "executeWorkflowTrigger", 1.1, object{"inputSource": "jsonExample", "jsonExample": "{\"id\": 1}"}), "={{ $json.id }}{{ $json.x }}", "input T id, missing T x"},
		{node("T", "executeWorkflowTrigger", 1.1, object{"inputSource": "passthrough"}), "={{ $json.x }}", "input T x"},
		{node("T", "webhook", 2, nil, object{"disabled": true}), "={{ $json.x }}", "unknown Use"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, shown(key(t, build(t, test.trigger, use(test.key), "T -> Use")).Origins), "%v", test.trigger)
	}
}

func TestCalledWorkflows(t *testing.T) {
	start := node("Start", "executeWorkflowTrigger", 1.1, object{"workflowInputs": object{"values": list{object{"name": "id"}, object{"name": "x"}}}})
	callee := func(expression string) *graph.Workflow {
		return buildAs(t, "callee", "", start, use(expression), "Start -> Use")
	}
	call := func(values object) object {
		return node("Call", "executeWorkflow", 1.2, object{"workflowId": object{"__rl": true, "value": "callee"}, "workflowInputs": object{"mappingMode": "defineBelow", "value": values}})
	}
	caller := func(values object) *graph.Workflow {
		return buildAs(t, "caller", "", webhook(), call(values), "Webhook -> Call")
	}
	require.Equal(t, "trigger field Webhook body.id", shown(key(t, callee("={{ $json.id }}"), caller(object{"id": "={{ $json.body.id }}"})).Origins))
	require.Equal(t, "volatile Call $execution.id", shown(key(t, callee("={{ $json.id }}"), caller(object{"id": "={{ $execution.id }}"})).Origins))
	require.Equal(t, "missing Call x", shown(key(t, callee("={{ $json.x }}"), caller(object{"id": "={{ $now }}"})).Origins))
	require.Equal(t, "trigger field Webhook body.a.b", shown(key(t, callee("={{ $json.id.b }}"), caller(object{"id": "={{ $json.body.a }}"})).Origins))

	given := key(t, callee("={{ $json.id }}"), caller(object{"id": "={{ $now }}"})).Origins[0]
	require.False(t, given.PerTry, "the caller has made it")
	require.Equal(t, "Use: $json.id", way(given))

	whole := buildAs(t, "caller", "", webhook(), node("Call", "executeWorkflow", 1, object{"workflowId": "callee"}), "Webhook -> Call")
	old := buildAs(t, "callee", "", node("Start", "executeWorkflowTrigger", 1, nil), use("={{ $json.body.id }}"), "Start -> Use")
	require.Equal(t, "trigger field Webhook body.id", shown(key(t, old, whole).Origins), "the whole item is passed")

	answering := buildAs(t, "callee", "", start, set("Last", false, "key", "={{ $json.id }}", "t", "={{ $now }}"), "Start -> Last")
	back := buildAs(t, "caller", "", webhook(), call(object{"id": "={{ $json.body.id }}"}), use("={{ $json.key }}{{ $json.t }}"), "Webhook -> Call -> Use")
	require.Equal(t, "trigger field Webhook body.id, volatile Last $now", shown(key(t, back, answering).Origins))
	require.Equal(t, "response Call key, response Call t", shown(key(t, back).Origins), "the called workflow is not known")

	asTool := buildAs(t, "caller", "", webhook(), node("Agent", "@n8n/n8n-nodes-langchain.agent", 2, nil),
		node("Tool", "@n8n/n8n-nodes-langchain.toolWorkflow", 2.2, object{"workflowId": object{"value": "callee"}, "workflowInputs": object{"value": object{"id": "={{ $fromAI('id') }}"}}}),
		"Webhook -> Agent", "Tool =ai_tool> Agent")
	require.Equal(t, "model Tool $fromAI()", shown(key(t, callee("={{ $json.id }}"), asTool).Origins))
}

func TestSetHelpers(t *testing.T) {
	w := build(t, set("A", false, "a.b", "1", "c", "2"), set("B", true, "x", "1"),
		node("Old", "set", 2, object{"keepOnlySet": true, "values": object{"string": list{object{"name": "s", "value": "1"}}, "boolean": list{object{"name": "b", "value": true}}}}),
		node("Raw", "set", 3.4, object{"mode": "raw", "jsonOutput": "{}"}), node("If", "if", 2.2, nil), node("Append", "merge", 3.2, nil),
		node("Combine", "merge", 3.2, object{"mode": "combine"}), node("Off", "httpRequest", 4.2, nil, object{"disabled": true}), node("On", "httpRequest", 4.2, nil))
	var names []string
	for _, f := range append(SetFields(w.Node("A")), SetFields(w.Node("Old"))...) {
		names = append(names, strings.Join(f.Path(), "/")+"="+f.Value.Text())
	}
	require.Equal(t, []string{"a/b=1", "c=2", "b=true", "s=1"}, names)
	require.Empty(t, SetFields(w.Node("Raw")))
	require.False(t, KeepsFields(w.Node("A")))
	require.True(t, KeepsFields(w.Node("B")))
	require.False(t, KeepsFields(w.Node("Old")))
	passes := map[string]bool{}
	tr := tracer(w)
	for _, n := range w.Nodes {
		passes[n.Name] = tr.Passes(n)
	}
	require.Equal(t, map[string]bool{"A": false, "B": false, "Old": false, "Raw": false, "If": true, "Append": true, "Combine": false, "Off": true, "On": false}, passes)
}
