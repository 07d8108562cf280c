package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// analyzeText analyses what a stranger sent. A fault inside shows as Err.
func analyzeText(t tester, text string) {
	list, err := graph.Read(source.NewFile("f.json", []byte(text)))
	if err != nil {
		return
	}
	for _, f := range Analyze(catalog.New(), list, InOrder) {
		require.NoError(t, f.Err)
	}
}

// Parameters of the wrong shape must not upset the analysis.
func TestOddParameters(t *testing.T) {
	values := []string{`null`, `true`, `7`, `-1e99`, `""`, `"="`, `"={{"`, `"={{ }}"`, `"={{ $json.x"`, `[]`, `{}`, `[null,{"a":[]}]`, `{"__rl":true}`, `"={{ $('Nobody').item.json.x }}"`}
	places := map[string]string{
		"postgres":               `{"operation":"executeQuery","query":%s}`,
		"postgres ":              `{"operation":%s,"columns":%[1]s,"options":%[1]s,"table":%[1]s}`,
		"if":                     `{"conditions":%s,"combineOperation":%[1]s}`,
		"if ":                    `{"conditions":{"conditions":[%s],"combinator":%[1]s,"options":%[1]s}}`,
		"if  ":                   `{"conditions":{"string":%s,"number":[%[1]s]}}`,
		"switch":                 `{"rules":{"values":%s,"rules":%[1]s},"options":{"fallbackOutput":%[1]s},"fallbackOutput":%[1]s}`,
		"switch ":                `{"mode":"expression","output":%s,"numberOutputs":%[1]s}`,
		"switch  ":               `{"rules":{"rules":[{"output":%s,"operation":%[1]s,"value2":%[1]s}]},"dataType":%[1]s,"value1":%[1]s}`,
		"code":                   `{"jsCode":%s,"mode":%[1]s,"language":%[1]s}`,
		"set":                    `{"assignments":{"assignments":[%s]},"fields":{"values":%[1]s},"values":%[1]s,"mode":%[1]s}`,
		"set ":                   `{"mode":"raw","jsonOutput":%s,"includeOtherFields":true}`,
		"merge":                  `{"mode":%s,"combineBy":%[1]s,"options":%[1]s}`,
		"redis":                  `{"operation":"incr","key":%s}`,
		"redis ":                 `{"operation":"get","key":%s,"propertyName":%[1]s}`,
		"executeWorkflow":        `{"workflowId":%s,"source":%[1]s,"options":%[1]s}`,
		"httpRequest":            `{"method":%s,"url":%[1]s,"sendHeaders":true,"headerParameters":%[1]s,"sendBody":true,"jsonBody":%[1]s,"specifyBody":%[1]s}`,
		"removeDuplicates":       `{"operation":%s,"dedupeValue":%[1]s}`,
		"awsDynamoDb":            `{"operation":"upsert","additionalFields":{"conditionExpression":%s}}`,
		"supabase":               `{"operation":"create","fieldsUi":{"fieldValues":%s},"tableId":%[1]s}`,
		"telegram":               `{"chatId":%s}`,
		"googleChat":             `{"resource":"message","additionalFields":{"requestId":%s}}`,
		"dataTable":              `{"operation":"rowNotExists","dataTableId":%s}`,
		"splitInBatches":         `{"batchSize":%s,"options":%[1]s}`,
		"function":               `{"functionCode":%s}`,
		"executeWorkflowTrigger": `{"inputSource":%s}`,
	}
	versions := []string{`1`, `2`, `2.2`, `3`, `3.4`, `99`, `-1`, `"2"`, `null`}
	for kind, p := range places {
		t.Run(strings.ReplaceAll(kind, " ", "'"), func(t *testing.T) {
			for _, v := range values {
				for _, version := range versions {
					parameters := fmt.Sprintf(p, v)
					analyzeText(t, fmt.Sprintf(`{"nodes":[
						{"name":"Hook","type":"n8n-nodes-base.webhook","typeVersion":2,"parameters":{"path":"x"}},
						{"name":"A","type":"n8n-nodes-base.%s","typeVersion":%s,"parameters":%s,"onError":"continueErrorOutput","alwaysOutputData":true,"retryOnFail":true},
						{"name":"B","type":"n8n-nodes-base.if","typeVersion":2,"parameters":{"conditions":{"combinator":"and","conditions":[{"leftValue":"={{ $('A').item.json.x }}","operator":{"type":"string","operation":"exists"}}]}}},
						{"name":"C","type":"n8n-nodes-base.gmail","typeVersion":2,"parameters":{}}],
						"connections":{"Hook":{"main":[[{"node":"A"}]]},"A":{"main":[[{"node":"B"}],[{"node":"B"}]]},"B":{"main":[[{"node":"C"},{"node":"A"}],[{"node":"C"}]]}}}`,
						strings.TrimSpace(kind), version, parameters))
				}
			}
		})
	}
}

func TestHostileSizes(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500)
	many := make([]object, 2000)
	for i := range many {
		many[i] = condition(fmt.Sprintf("={{ $json.f%d }}", i), "string", "exists")
	}
	wide := workflow(hook(), claim(insertReturning), gate("Won?", many...), mail("Send"), "Hook -> Claim -> Won? -> Send")
	rules := make([]object, 500)
	for i := range rules {
		rules[i] = object{"conditions": conditions("and", condition("={{ $json.x }}", "string", "equals", fmt.Sprint(i)))}
	}
	sw := node("Won?", "switch", 3.2, object{"rules": object{"values": rules}})
	parts := []any{hook(), claim("SELECT * FROM claim_event($1)"), sw, mail("Send"), "Hook -> Claim -> Won?"}
	for i := range rules {
		parts = append(parts, fmt.Sprintf("Won?:%d -> Send", i))
	}
	chain := func(kind string, p object) *spec {
		list := []any{hook(), "Hook -> N0"}
		for i := range 2000 / sizeDivisor {
			list = append(list, node(fmt.Sprintf("N%d", i), kind, 2.2, p))
			if i > 0 {
				list = append(list, fmt.Sprintf("N%d -> N%d", i-1, i))
			}
		}
		return workflow(list...)
	}
	for name, s := range map[string]*spec{
		"conditions":   wide,
		"switch rules": workflow(parts...),
		"claims":       chain("postgres", query(insertReturning)),
		"reads":        chain("postgres", query("SELECT * FROM claims WHERE event_key = $1")),
		"set nodes":    chain("set", object{"values": object{"string": []object{{"name": "x", "value": "={{ $json.x }}y"}}}}),
		"gates":        chain("if", object{"conditions": conditions("and", condition("={{ $json.x }}", "string", "exists"))}),
		"long name":    workflow(hook(), mail(strings.Repeat("x", 1<<20)), "Hook -> "+strings.Repeat("x", 1<<20)),
		"deep":         workflow(hook(), mail("Send"), node("A", "set", 3.4, object{"mode": "raw", "jsonOutput": deep}), "Hook -> A -> Send"),
		"huge switch":  workflow(hook(), node("A", "switch", 3, object{"mode": "expression", "numberOutputs": 1 << 40, "output": "={{ 1 }}"}), mail("Send"), "Hook -> A -> Send"),
		"far outputs":  workflow(hook(), node("A", "switch", 1, object{"rules": object{"rules": []object{{"output": 1 << 40, "value2": 1}}}, "fallbackOutput": 1 << 40}), mail("Send"), "Hook -> A -> Send"),
		"behind zero":  workflow(hook(), node("A", "switch", 1, object{"rules": object{"rules": []object{{"output": -5, "value2": 1}}}, "fallbackOutput": -7}), mail("Send"), "Hook -> A -> Send"),
		"far fallback": workflow(hook(), node("A", "switch", 3, object{"rules": object{"values": rules[:1]}, "options": object{"fallbackOutput": 1 << 40}}), mail("Send"), "Hook -> A -> Send"),
	} {
		t.Run(name, func(t *testing.T) {
			finishWithin(t, 2*time.Second, func() { analyzeText(t, string(s.json(t))) })
		})
	}
	t.Run("many workflows that call each other", func(t *testing.T) {
		var list []*spec
		for i := range 60 / sizeDivisor {
			p := []any{startNode(), hook(), mail("Send"), "Hook -> Send"}
			for j := range 60 / sizeDivisor {
				c := call(fmt.Sprintf("w%d", j))
				c["name"] = fmt.Sprintf("Call %d", j)
				p = append(p, c, fmt.Sprintf("Start -> Call %d", j), fmt.Sprintf("Call %d -> Send", j), fmt.Sprintf("Hook -> Call %d", j))
			}
			list = append(list, workflow(p...).called(fmt.Sprintf("w%d", i), fmt.Sprintf("W %d", i), fmt.Sprintf("w%d.json", i)))
		}
		finishWithin(t, 10*time.Second, func() { analyze(t, list...) })
	})
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []*spec{
		gated(claim(insertReturning), keyGate()), ungated(claim(insertAsked)), gated(postgrest("resolution=ignore-duplicates"), keyGate()),
		gated(redis("incr", "=x:{{ $json.id }}", nil), gate("Won?", condition("={{ Object.values($json)[0] }}", "number", "equals", 1))),
		workflow(hook(), node("L", "splitInBatches", 3, nil), claimAndGate(), mail("Send"), "Hook -> L", "L:1 -> Claim", "Claim -> Won? -> Send -> L", "Won?:1 -> L"),
		calleeOf(claimAndGate(), call("callee"), "Start -> Claim -> Won? -> Call"),
		gated(claim(insertReturning), code("return $input.all().filter(i => i.json.event_key);", nil)),
	} {
		f.Add(string(s.json(f)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("long texts are tested by themselves")
		}
		analyzeText(t, text)
	})
}
