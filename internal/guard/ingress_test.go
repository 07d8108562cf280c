package guard

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// ordered analyses one workflow that runs in an execution order.
func ordered(t tester, order string, s *spec) *Facts {
	t.Helper()
	w := s.read(t)
	w.Settings.ExecutionOrder = order
	f := Analyze(catalog.New(), []*graph.Workflow{w}, InOrder)[0]
	require.NoError(t, f.Err)
	return f
}

func webhook(mode string, more ...object) object {
	p := object{"httpMethod": "POST", "path": "events"}
	if mode != "" {
		p["responseMode"] = mode
	}
	for _, m := range more {
		for k, v := range m {
			p[k] = v
		}
	}
	return node("Webhook", "webhook", 2.1, p)
}

func at(x, y int) object { return object{"position": []int{x, y}} }

func namesOf(nodes []*graph.Node) (list []string) {
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	slices.Sort(list)
	return list
}

func TestRefused(t *testing.T) {
	respond := node("Respond", "respondToWebhook", 1.4, nil)
	for _, c := range []struct {
		name    string
		spec    *spec
		refused bool
	}{
		{"mode and node agree", workflow(webhook("responseNode"), respond, "Webhook -> Respond"), false},
		{"no Respond node", workflow(webhook("responseNode"), node("A", "noOp", 1, nil), "Webhook -> A"), true},
		{"the Respond node is not connected", workflow(webhook("responseNode"), respond), true},
		{"an unused Respond node", workflow(webhook("lastNode"), respond, "Webhook -> Respond"), true},
		{"the default mode", workflow(webhook(""), respond, "Webhook -> Respond"), true},
		{"streaming", workflow(webhook("streaming"), respond, "Webhook -> Respond"), false},
		{"a mode that is an expression", workflow(webhook("={{ $vars.MODE }}"), respond, "Webhook -> Respond"), false},
		{"a disabled Respond node shows nothing", workflow(webhook("lastNode"), node("Respond", "respondToWebhook", 1.4, nil, object{"disabled": true}), "Webhook -> Respond"), false},
		{"version 1 does not look", workflow(node("Webhook", "webhook", 1, object{"path": "e"}), respond, "Webhook -> Respond"), false},
		{"the Respond node of a Wait", workflow(webhook(""), node("Wait", "wait", 1.1, object{"resume": "webhook", "responseMode": "responseNode"}), respond, "Webhook -> Wait -> Respond"), false},
		{"behind a Wait for time", workflow(webhook(""), node("Wait", "wait", 1.1, object{"amount": 5}), respond, "Webhook -> Wait -> Respond"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			reason, refused := f.Refused(f.Workflow.Node("Webhook"))
			require.Equal(t, c.refused, refused, reason)
		})
	}
}

// What n8n runs before an answer depends on the order of branches (N8N.md
// section 6).
func TestBefore(t *testing.T) {
	branches := func(respondY int) *spec {
		return workflow(webhook("responseNode"),
			node("A", "noOp", 1, nil, at(100, 0)), node("B", "noOp", 1, nil, at(200, 0)),
			node("Respond", "respondToWebhook", 1.4, nil, at(100, respondY)),
			"Webhook -> A -> B", "Webhook -> Respond")
	}
	exclusive := workflow(webhook("responseNode"), node("If", "if", 2.2, nil), node("A", "noOp", 1, nil, at(0, -9)),
		node("Respond", "respondToWebhook", 1.4, nil, at(0, 9)), "Webhook -> If -> A", "If:1 -> Respond")
	twice := workflow(webhook("responseNode"), node("Respond", "respondToWebhook", 1.4, nil), node("A", "noOp", 1, nil),
		node("Second", "respondToWebhook", 1.4, nil), "Webhook -> Respond -> A -> Second")
	for _, c := range []struct {
		name, order string
		spec        *spec
		want        []string
	}{
		{"v1, the answer below", "v1", branches(50), []string{"A", "B"}},
		{"v1, the answer above", "v1", branches(-50), nil},
		{"v0, step by step, as connected", "", branches(-50), []string{"A"}},
		{"the other output of a branch", "v1", exclusive, []string{"If"}},
		{"only the first answer counts", "v1", twice, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ordered(t, c.order, c.spec)
			answers := f.Answers(f.Workflow.Node("Webhook"))
			require.Len(t, answers, 1)
			require.Equal(t, "Respond", answers[0].Node.Name)
			require.Equal(t, c.want, namesOf(answers[0].Before))
			require.Equal(t, 200, answers[0].Code)
		})
	}
}

func TestDelay(t *testing.T) {
	for _, c := range []struct {
		name string
		node object
		want Cost
	}{
		{"a model", node("N", "@n8n/n8n-nodes-langchain.openAi", 1.8, nil), Slow},
		{"an API of a model", node("N", "httpRequest", 4.2, object{"method": "POST", "url": "https://api.openai.com/v1/chat/completions"}), Slow},
		{"a request", node("N", "httpRequest", 4.2, object{"url": "https://api.example.com/a"}), OneCall},
		{"mail", node("N", "gmail", 2.1, object{"sendTo": "a@example.com"}), Slow},
		{"reading mail", node("N", "gmail", 2.1, object{"operation": "getAll"}), OneCall},
		{"a database", node("N", "postgres", 2.6, query("SELECT 1")), Quick},
		{"a service", node("N", "hubspot", 2.1, object{"resource": "contact", "operation": "get"}), OneCall},
		{"a long Wait", node("N", "wait", 1.1, object{"amount": 10, "unit": "minutes"}), Slow},
		{"a short Wait", node("N", "wait", 1.1, object{"amount": 1, "unit": "seconds"}), Quick},
		{"a called workflow", node("N", "executeWorkflow", 1.2, object{"workflowId": "x"}), Slow},
		{"one that is not waited for", node("N", "executeWorkflow", 1.2, object{"workflowId": "x", "options": object{"waitForSubWorkflow": false}}), Quick},
		{"plain code", node("N", "code", 2, object{"jsCode": "return items"}), Quick},
		{"switched off", node("N", "@n8n/n8n-nodes-langchain.openAi", 1.8, nil, object{"disabled": true}), Quick},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, workflow(webhook(""), c.node, "Webhook -> N"))[0]
			require.Equal(t, c.want, f.Delay(f.Workflow.Node("N")).Cost)
		})
	}
}

func TestALoopIsAsSlowAsItsBody(t *testing.T) {
	loop := node("Loop", "splitInBatches", 3, nil)
	for body, want := range map[string]Cost{"httpRequest": Slow, "noOp": Quick} {
		f := analyze(t, workflow(webhook(""), loop, node("Body", body, 4.2, object{"url": "https://a.example.com"}), "Webhook -> Loop", "Loop:1 -> Body -> Loop"))[0]
		require.Equal(t, want, f.Delay(f.Workflow.Node("Loop")).Cost, body)
	}
}

// ask is an IF that compares two texts.
func ask(left, right, operation string) object {
	return node("Ask", "if", 2.2, object{"conditions": object{"combinator": "and", "conditions": []object{
		{"leftValue": left, "rightValue": right, "operator": object{"type": "string", "operation": operation}},
	}}})
}

func js(name, code string, settings ...object) object {
	return node(name, "code", 2, object{"jsCode": code}, settings...)
}

func TestOpen(t *testing.T) {
	send := node("Send", "gmail", 2.1, object{"sendTo": "={{ $json.body.mail }}"})
	token := ask("={{ $json.headers['x-token'] }}", "={{ $vars.TOKEN }}", "equals")
	for _, c := range []struct {
		name string
		spec *spec
		open bool
	}{
		{"nothing asks", workflow(webhook(""), send, "Webhook -> Send"), true},
		{"a token", workflow(webhook(""), token, send, "Webhook -> Ask -> Send"), false},
		{"the other output", workflow(webhook(""), token, send, "Webhook -> Ask", "Ask:1 -> Send"), false},
		{"both outputs", workflow(webhook(""), token, send, "Webhook -> Ask -> Send", "Ask:1 -> Send"), true},
		{"presence", workflow(webhook(""), ask("={{ $json.headers['x-token'] }}", "", "notEmpty"), send, "Webhook -> Ask -> Send"), true},
		{"another header", workflow(webhook(""), ask("={{ $json.headers['x-event'] }}", "push", "equals"), send, "Webhook -> Ask -> Send"), true},
		{"the handshake", workflow(webhook(""), ask("={{ $json.query['hub.verify_token'] }}", "abc", "equals"), send, "Webhook -> Ask", "Ask:1 -> Send"), true},
		{"an earlier answer's token", workflow(webhook(""), node("Login", "httpRequest", 4.2, object{"url": "https://a.example.com"}), ask("={{ $json.access_token }}", "x", "notEquals"), send, "Webhook -> Login -> Ask -> Send"), true},
		{"code that throws", workflow(webhook(""), js("Verify", "if ($json.headers['x-signature'] !== 'a') throw new Error('x'); return items"), send, "Webhook -> Verify -> Send"), false},
		{"code that throws and goes on", workflow(webhook(""), js("Verify", "if ($json.headers['x-signature'] !== 'a') throw new Error('x'); return items", object{"onError": "continueRegularOutput"}), send, "Webhook -> Verify -> Send"), true},
		{"code that drops", workflow(webhook(""), js("Verify", "return $json.headers['x-signature'] === 'a' ? items : []"), send, "Webhook -> Verify -> Send"), false},
		{"a flag that nobody asks for", workflow(webhook(""), js("Verify", "return [{json: {ok: $json.headers['x-signature'] === 'a'}}]"), send, "Webhook -> Verify -> Send"), true},
		{"a flag that a branch asks for", workflow(webhook(""), js("Verify", "return [{json: {ok: $json.headers['x-signature'] === 'a'}}]"), ask("={{ $json.ok }}", "true", "equals"), send, "Webhook -> Verify -> Ask -> Send"), false},
		{"a library that verifies", workflow(webhook(""), js("Verify", "require('jsonwebtoken').verify($json.headers.authorization, 'k'); return items"), send, "Webhook -> Verify -> Send"), false},
		{"a way around", workflow(webhook(""), token, send, "Webhook -> Ask -> Send", "Webhook -> Send"), true},
		{"a called workflow that gets everything", workflow(webhook(""), node("Call", "executeWorkflow", 1.2, object{"workflowId": "v"}), send, "Webhook -> Call -> Send"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			w := f.Workflow.Node("Webhook")
			require.Equal(t, c.open, f.Open(w, f.Checks(w))[f.Workflow.Node("Send")])
		})
	}
}

func TestFailsInto(t *testing.T) {
	save := func(onError string) object {
		return node("Save", "postgres", 2.6, query("INSERT INTO inbox (id) VALUES (1)"), object{"onError": onError})
	}
	respond := node("Respond", "respondToWebhook", 1.4, nil)
	for _, c := range []struct {
		name string
		spec *spec
		want []string
	}{
		{"stops", workflow(webhook("responseNode"), save("stopWorkflow"), respond, "Webhook -> Save -> Respond"), nil},
		{"goes on", workflow(webhook("responseNode"), save("continueRegularOutput"), respond, "Webhook -> Save -> Respond"), []string{"Respond"}},
		{"its error output joins", workflow(webhook("responseNode"), save("continueErrorOutput"), respond, "Webhook -> Save -> Respond", "Save:1 -> Respond"), []string{"Respond"}},
		{"its error output ends", workflow(webhook("responseNode"), save("continueErrorOutput"), respond, "Webhook -> Save -> Respond"), nil},
		{"a branch asks for the error", workflow(webhook("responseNode"), save("continueRegularOutput"), ask("={{ $json.error }}", "", "notExists"), respond, "Webhook -> Save -> Ask -> Respond"), nil},
		{"another record on the error path", workflow(webhook("responseNode"), save("continueErrorOutput"), node("Queue", "rabbitmq", 1.1, object{"queue": "late"}), respond, "Webhook -> Save -> Respond", "Save:1 -> Queue -> Respond"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			responders, _ := f.FailsInto(f.Workflow.Node("Save"))
			require.Equal(t, c.want, namesOf(responders))
		})
	}
}

func TestSender(t *testing.T) {
	for code, want := range map[string]string{
		"{{ $json.headers['x-shopify-topic'] }}":        "Shopify",
		"{{ $json.body.entry[0].changes[0].value }}":    "Meta",
		"{{ $json.body['event-data'].id }}":             "Mailgun",
		"{{ $('Webhook').item.json.body.update_id }}":   "Telegram",
		"{{ $json.body.order.id }}":                     "",
		"{{ $('Other').item.json.headers['ce-id'] }}":   "",
		"{{ $json.headers['X-GitHub-Delivery'].x }}":    "GitHub",
		"{{ 'headers x-shopify-topic' + $json.body.a}}": "",
	} {
		f := analyze(t, workflow(webhook(""), node("Set", "set", 3.4, object{"assignments": object{"assignments": []object{{"name": "a", "value": "=" + code}}}}), node("Other", "noOp", 1, nil), "Webhook -> Set"))[0]
		s, _ := f.Sender(f.Workflow.Node("Webhook"))
		require.Equal(t, want, s.Name, code)
	}
}

func TestRival(t *testing.T) {
	listen := func(id string, active bool, parameters object) *graph.Workflow {
		w := workflow(node("Webhook", "webhook", 2.1, parameters, object{"webhookId": "hook-" + id})).called(id, id, id+".json").read(t)
		w.Active = active
		return w
	}
	withoutID := workflow(node("Webhook", "webhook", 2.1, object{"path": "orders"})).called("b", "b", "b.json").read(t)
	withoutID.Active = true
	for _, c := range []struct {
		name  string
		other *graph.Workflow
		want  string
	}{
		{"one path, one method", listen("b", true, object{"path": "/orders/"}), "GET"},
		{"another method", listen("b", true, object{"path": "orders", "httpMethod": "PUT"}), ""},
		{"one of several methods", listen("b", true, object{"path": "orders", "multipleMethods": true, "httpMethod": []string{"PUT", "GET"}}), "GET"},
		{"not active", listen("b", false, object{"path": "orders"}), ""},
		{"a copy of the file", listen("a", true, object{"path": "orders"}), ""},
		{"an expression", listen("b", true, object{"path": "=orders"}), ""},
		{"without an id the node's name is in the path", withoutID, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := listen("a", true, object{"path": "orders"})
			f := Analyze(catalog.New(), []*graph.Workflow{own, c.other}, InOrder)[0]
			_, method := f.Rival(own.Node("Webhook"))
			require.Equal(t, c.want, method)
		})
	}
}

// The words and marks of the tables are such that a name can hold them.
func TestIngressTables(t *testing.T) {
	require.NotEmpty(t, senders())
	for _, s := range senders() {
		require.NotEmpty(t, s.marks, s.Name)
		require.NotContains(t, s.Name, "\t")
	}
	for role, words := range secretWords() {
		require.Contains(t, []string{"secret", "key", "handshake", "other"}, role)
		for _, w := range words {
			require.True(t, named(w, role), w)
		}
	}
	for name, row := range slowTypes() {
		require.Contains(t, []string{"model", "scrape", "mail", "wait", "workflow", "loop", "call", "quick"}, row.class, name)
	}
	for name, proves := range map[string]bool{
		"x-hub-signature-256": true, "Stripe-Signature": true, "x-gitlab-token": true, "apiKey": true, "verify_token": false,
		"hub.mode": false, "deviceToken": false, "x-github-event": false, "tokenizer": false,
	} {
		require.Equal(t, proves, provesBy(name), name)
	}
	require.True(t, below([]string{"headers", "ce-id"}, []string{"headers", "ce-id"}))
	require.False(t, below([]string{"headers"}, []string{"headers", "ce-id"}))
}

func TestUnrecorded(t *testing.T) {
	model := node("Model", "@n8n/n8n-nodes-langchain.openAi", 1.8, nil)
	save := node("Save", "postgres", 2.6, query("INSERT INTO inbox (id) VALUES (1)"))
	for _, c := range []struct {
		name string
		spec *spec
		want string
	}{
		{"model before the row", workflow(webhook(""), model, save, "Webhook -> Model -> Save"), "Model"},
		{"row before the model", workflow(webhook(""), model, save, "Webhook -> Save -> Model"), ""},
		{"nothing to lose", workflow(webhook(""), model, "Webhook -> Model"), ""},
		{"a called workflow may record", workflow(webhook(""), node("Call", "executeWorkflow", 1.2, object{"workflowId": "x"}), model, save, "Webhook -> Call -> Model -> Save"), ""},
		{"the row on the first branch", workflow(webhook(""), save, model, node("Send", "gmail", 2.1, nil), "Webhook -> Save", "Webhook -> Model -> Send"), ""},
		{"a cycle", workflow(webhook(""), node("A", "noOp", 1, nil), model, save, "Webhook -> A -> A", "A -> Model -> A", "Model -> Save"), "Model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			w := f.Workflow.Node("Webhook")
			d, found := f.Unrecorded(w, w)
			require.Equal(t, c.want != "", found)
			if found {
				require.Equal(t, c.want, d.Node.Name)
			}
		})
	}
}

func TestFieldOfValue(t *testing.T) {
	v := expr.Object(expr.Field{Name: "a", Value: expr.Object(expr.Field{Name: "b", Value: expr.String("x")})})
	s, ok := field(v, []string{"a", "b"}).AsString()
	require.True(t, ok)
	require.Equal(t, "x", s)
}
