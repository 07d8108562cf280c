package guard

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPauseOf(t *testing.T) {
	for name, c := range map[string]struct {
		version    float64
		parameters object
		want       time.Duration
		known      bool
	}{
		"version 1 waits an hour by default":      {1, nil, time.Hour, true},
		"version 1.1 waits 5 seconds by default":  {1.1, nil, 5 * time.Second, true},
		"the amount in the unit of the version":   {1.1, object{"amount": 90}, 90 * time.Second, true},
		"the unit with the amount of the version": {1.1, object{"unit": "minutes"}, 5 * time.Minute, true},
		"both":              {1.1, object{"amount": 1.5, "unit": "days"}, 36 * time.Hour, true},
		"an amount as text": {1.1, object{"amount": "2", "unit": "hours"}, 2 * time.Hour, true},
		"an expression":     {1.1, object{"amount": "={{ $json.x }}"}, 0, false},
		"an unknown unit":   {1.1, object{"amount": 2, "unit": "years"}, 0, false},
		"nothing":           {1.1, object{"amount": 0}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := workflow(node("Wait", "wait", c.version, c.parameters)).read(t)
			got, known := pauseOf(w.Node("Wait"))
			require.Equal(t, c.known, known)
			require.Equal(t, c.want, got)
		})
	}
}

func TestSwapped(t *testing.T) {
	for name, c := range map[string]struct {
		version float64
		edges   []string
		want    bool
	}{
		"version 3, work at loop":             {3, []string{"Loop:1 -> Work -> Loop", "Loop -> End"}, false},
		"version 3, work at done":             {3, []string{"Loop -> Work -> Loop", "Loop:1 -> End"}, true},
		"version 3, nothing at loop":          {3, []string{"Loop -> Work"}, true},
		"version 3, nothing at done":          {3, []string{"Loop:1 -> Work"}, false},
		"version 3, no way back from either":  {3, []string{"Loop:1 -> Work", "Loop -> End"}, false},
		"version 3, a way back from both":     {3, []string{"Loop:1 -> Work -> Loop", "Loop -> End -> Loop"}, false},
		"version 2, work at loop":             {2, []string{"Loop -> Work -> Loop", "Loop:1 -> End"}, false},
		"version 2, work at done":             {2, []string{"Loop:1 -> Work -> Loop"}, true},
		"version 1, one output":               {1, []string{"Loop -> Work -> Loop"}, false},
		"version 1, wired as a later version": {1, []string{"Loop:1 -> Work -> Loop"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), node("Loop", "splitInBatches", c.version, nil), noOp("Work"), noOp("End"), "Hook -> Loop", c.edges))[0]
			_, swapped := f.Swapped(f.Workflow.Node("Loop"))
			require.Equal(t, c.want, swapped)
		})
	}
}

func TestUnevaluated(t *testing.T) {
	for name, c := range map[string]struct {
		node object
		want []string
	}{
		"a condition":                {gate("N", condition("{{ $json.x }}", "string", "exists")), []string{"{{ $json.x }}"}},
		"an expression":              {gate("N", condition("={{ $json.x }}", "string", "exists")), nil},
		"the first of several":       {node("N", "gmail", 2.1, object{"message": "{{ name }} {{ $now }} {{ $json.x }}"}), []string{"{{ $now }}"}},
		"a name of another engine":   {node("N", "gmail", 2.1, object{"message": "{{ name }} {{ $guid }} {{json}}"}), nil},
		"a name inside a string":     {node("N", "gmail", 2.1, object{"message": "{{ '$json' }}"}), nil},
		"a list":                     {node("N", "httpRequest", 4.2, object{"method": "POST", "bodyParameters": object{"parameters": []object{{"name": "a", "value": "{{ $json.a }}"}}}}), []string{"{{ $json.a }}"}},
		"a query is resolved":        {node("N", "postgres", 2.6, object{"operation": "executeQuery", "query": "INSERT INTO t (a) VALUES ('{{ $json.a }}')"}), nil},
		"a node inside n8n":          {node("N", "set", 3.4, object{"assignments": object{"assignments": []object{{"name": "a", "value": "{{ $json.a }}"}}}}), nil},
		"a script":                   {node("N", "code", 2, object{"jsCode": "// {{ $json.a }}\nreturn [];"}), nil},
		"braces without an end":      {node("N", "gmail", 2.1, object{"message": "{{ $json.x"}), nil},
		"the conflict column":        {node("N", "postgres", 2.6, object{"operation": "upsert", "columns": object{"mappingMode": "defineBelow", "matchingColumns": []string{"id"}, "value": object{"id": "{{ $json.id }}", "name": "{{ $json.name }}"}}}), []string{"{{ $json.name }}"}},
		"a header that names a key":  {node("N", "httpRequest", 4.2, object{"method": "POST", "url": "https://example.com/x", "sendHeaders": true, "headerParameters": object{"parameters": []object{{"name": "Idempotency-Key", "value": "{{ $json.id }}"}}}}), nil},
		"the name that a list shows": {node("N", "slack", 2.3, object{"channelId": object{"__rl": true, "value": "C1", "cachedResultName": "{{ $json.x }}"}}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), c.node, "Hook -> N"))[0]
			var got []string
			for _, u := range f.Unevaluated(f.Workflow.Node("N")) {
				got = append(got, u.Text)
				require.Equal(t, u.Text, u.At.Text())
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestMissingFields(t *testing.T) {
	reads := func(value string) object { return setting("N", "a", value) }
	for name, c := range map[string]struct {
		parts []any
		want  []string
	}{
		"beside the body":             {[]any{reads("={{ $json.email }}"), "Hook -> N"}, []string{"email"}},
		"in the body":                 {[]any{reads("={{ $json.body.email }}{{ $json.headers['x-a'] }}{{ $json.query.q }}{{ $json.webhookUrl }}"), "Hook -> N"}, nil},
		"the item as a whole":         {[]any{reads("={{ JSON.stringify($json) }}"), "Hook -> N"}, nil},
		"a literal":                   {[]any{reads("$json.email"), "Hook -> N"}, nil},
		"a fallback":                  {[]any{reads("={{ $json.body.email ?? $json.email }}"), "Hook -> N"}, nil},
		"the other way round":         {[]any{reads("={{ $json.email || $json.body.email }}"), "Hook -> N"}, nil},
		"behind nodes that pass":      {[]any{noOp("A"), node("Off", "code", 2, nil, object{"disabled": true}), reads("={{ $json.email }}"), "Hook -> A -> Off -> N"}, []string{"email"}},
		"behind a Set that adds":      {[]any{setting("A", "email", "x"), reads("={{ $json.email }}{{ $json.name }}"), "Hook -> A -> N"}, []string{"name"}},
		"behind a node that makes":    {[]any{node("A", "httpRequest", 4.2, object{"url": "https://example.com"}), reads("={{ $json.email }}"), "Hook -> A -> N"}, nil},
		"by name, anywhere":           {[]any{node("A", "httpRequest", 4.2, object{"url": "https://example.com"}), reads("={{ $('Hook').first().json.email }}"), "Hook -> A -> N"}, []string{"email"}},
		"by name, in the old way":     {[]any{reads(`={{ $node["Hook"].json["email"] }}`), "Hook -> N"}, []string{"email"}},
		"by name, whether it ran":     {[]any{reads("={{ $('Hook').isExecuted }}"), "Hook -> N"}, nil},
		"two webhooks":                {[]any{node("Other", "webhook", 2, object{"path": "o"}), reads("={{ $json.email }}"), "Hook -> N", "Other -> N"}, nil},
		"a form as well":              {[]any{node("Form", "formTrigger", 2.2, nil), reads("={{ $json.email }}"), "Hook -> N", "Form -> N"}, nil},
		"a trigger that is off":       {[]any{node("Form", "formTrigger", 2.2, nil, object{"disabled": true}), reads("={{ $json.email }}"), "Hook -> N", "Form -> N"}, []string{"email"}},
		"code":                        {[]any{node("N", "code", 2, object{"jsCode": "const { email } = $input.first().json;\nreturn [{json: {email, id: items[0].json.id}}];"}), "Hook -> N"}, []string{"email", "id"}},
		"code, of either shape":       {[]any{node("N", "code", 2, object{"jsCode": "const d = $json.body ?? $json;\nreturn [{json: {email: d.email}}];"}), "Hook -> N"}, nil},
		"an answer that a Wait takes": {[]any{node("A", "wait", 1.1, object{"resume": "form"}), reads("={{ $json.email }}"), "Hook -> A -> N"}, nil},
		"a condition of code":         {[]any{node("N", "code", 2, object{"jsCode": "// $json.other\nif ($json.status !== 'paid') return [];\nreturn [{json: {ok: true}}];"}), "Hook -> N"}, []string{"status"}},
		"a field that code sets":      {[]any{node("N", "code", 2, object{"jsCode": "for (const item of $input.all()) { item.json.seen = 1; }\n$json.mark = 2;\nif ($json.mark) { log($json.seen) }\nreturn $input.all();"}), "Hook -> N"}, nil},
		"a condition of either shape": {[]any{reads("={{ $json.email ? 'a' : $json.body.email }}"), "Hook -> N"}, nil},
		"a condition":                 {[]any{reads("={{ $json.email ? 'a' : 'b' }}{{ $input.first().json['name'] === 'x' ? 1 : 2 }}"), "Hook -> N"}, []string{"email", "name"}},
		"a condition without blanks":  {[]any{reads("={{ $json?x:y }}"), "Hook -> N"}, nil},
		"a variable of its name":      {[]any{node("N", "code", 2, object{"jsCode": "const id = $json.id;\nif (!id) return [];\nreturn [{json: {ok: true}}];"}), "Hook -> N"}, []string{"id"}},
		"taken apart elsewhere":       {[]any{node("N", "code", 2, object{"jsCode": "const { id } = $json.body;\nif ($json.id) return [];\nreturn [{json: {ok: true}}];"}), "Hook -> N"}, nil},
		"a method":                    {[]any{reads("={{ $json.isEmpty() ? 'a' : 'b' }}"), "Hook -> N"}, nil},
		"an error output":             {[]any{node("A", "noOp", 1, nil, object{"onError": "continueErrorOutput"}), reads("={{ $json.error }}"), "Hook -> A", "A:1 -> N"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, workflow(append([]any{hook()}, c.parts...)...))[0]
			var got []string
			for _, m := range f.MissingFields(f.Workflow.Node("N")) {
				got = append(got, m.Field)
				require.Contains(t, m.At.Text(), m.Field)
			}
			slices.Sort(got)
			require.Equal(t, c.want, got)
		})
	}
}

func TestToolUsers(t *testing.T) {
	agent := node("Agent", "@n8n/n8n-nodes-langchain.agent", 2, nil)
	send := node("Send", "gmailTool", 2.1, object{"sendTo": "={{ $fromAI('to') }}"})
	for name, c := range map[string]struct {
		parts []any
		want  map[string][]string
	}{
		"a tool that acts":         {[]any{agent, send, "Hook -> Agent", "Send =ai_tool> Agent"}, map[string][]string{"Agent": {"Send"}}},
		"an agent that never runs": {[]any{agent, send, "Send =ai_tool> Agent"}, map[string][]string{}},
		"a tool that reads":        {[]any{agent, node("Read", "gmailTool", 2.1, object{"operation": "getAll"}), "Hook -> Agent", "Read =ai_tool> Agent"}, map[string][]string{"Agent": nil}},
		"a review between":         {[]any{agent, send, node("Review", "gmailHitlTool", 2.2, nil), "Hook -> Agent", "Send =ai_tool> Review", "Review =ai_tool> Agent"}, map[string][]string{"Agent": nil}},
		"a sub-agent": {[]any{agent, send, node("Sub", "@n8n/n8n-nodes-langchain.agentTool", 2.2, nil), "Hook -> Agent", "Send =ai_tool> Sub", "Sub =ai_tool> Agent"},
			map[string][]string{"Agent": nil, "Sub": {"Send"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string][]string{}
			for _, u := range analyze(t, workflow(append([]any{hook()}, c.parts...)...))[0].ToolUsers() {
				got[u.Node.Name] = nil
				for _, use := range u.Uses {
					got[u.Node.Name] = append(got[u.Node.Name], use.Tool.Name)
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}

// Parameters of the wrong shape upset none of the facts on the flow.
func TestOddParametersOfFlowFacts(t *testing.T) {
	values := []any{nil, true, 7, -1e99, "", "=", "={{", "{{", "{{ $json", "{{ $json.x }}", "={{ $json.x }}", "={{ $('Hook').item.json }}", []any{}, object{}, []any{nil, object{"a": []any{"{{ $json }}"}}}, object{"__rl": true}}
	places := map[string]func(v any) object{
		"wait":           func(v any) object { return object{"amount": v, "unit": v, "resume": v, "dateTime": v} },
		"splitInBatches": func(v any) object { return object{"options": v, "batchSize": v} },
		"set": func(v any) object {
			return object{"assignments": object{"assignments": v}, "values": v, "fields": v, "mode": v}
		},
		"switch": func(v any) object {
			return object{"rules": object{"values": v}, "options": object{"allMatchingOutputs": true}}
		},
		"if":          func(v any) object { return object{"conditions": v} },
		"httpRequest": func(v any) object { return object{"method": "POST", "url": v, "headerParameters": v, "jsonBody": v} },
		"gmailTool":   func(v any) object { return object{"sendTo": v, "operation": v} },
		"code":        func(v any) object { return object{"jsCode": v, "mode": v} },
		"postgres": func(v any) object {
			return object{"operation": "upsert", "columns": object{"matchingColumns": v, "value": v}}
		},
	}
	for kind, parameters := range places {
		t.Run(kind, func(t *testing.T) {
			for _, v := range values {
				for _, version := range []float64{1, 2, 3} {
					f := analyze(t, workflow(hook(), node("N", kind, version, parameters(v)), fixedMail("Send"), node("Agent", "@n8n/n8n-nodes-langchain.agent", 2, nil),
						"Hook -> N -> Send -> Agent", "N:1 -> N", "Hook -> Send", "N =ai_tool> Agent"))[0]
					require.NotPanics(t, func() { useFlowFacts(f) })
				}
			}
		})
	}
}

func useFlowFacts(f *Facts) {
	f.Rejoins()
	f.LongWaits()
	f.ToolUsers()
	for _, n := range f.Nodes() {
		f.Swapped(n)
		f.Unevaluated(n)
		f.MissingFields(n)
	}
}
