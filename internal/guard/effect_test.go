package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
)

// inARow is Hook → nodes in a row; the last one is "Act".
func inARow(nodes ...object) *spec {
	parts := []any{hook()}
	last := "Hook"
	for _, n := range nodes {
		parts = append(parts, n, last+" -> "+n["name"].(string))
		last = n["name"].(string)
	}
	return workflow(parts...)
}

// RULES, severity: a notice whose destination comes from the event is a message
// to a person; a fixed channel is a notice.
func TestImpact(t *testing.T) {
	telegram := func(chat string) object {
		return node("Act", "telegram", 1.2, object{"chatId": chat, "text": "hi", "additionalFields": object{}})
	}
	slack := func(p object) object {
		p["text"] = "hi"
		return node("Act", "slack", 2.3, p)
	}
	channel := func(value string) object {
		return object{"select": "channel", "channelId": object{"__rl": true, "mode": "id", "value": value}}
	}
	config := func(value string) object {
		return node("Config", "set", 3.4, object{"includeOtherFields": true, "assignments": object{"assignments": []object{{"id": "1", "name": "chat", "type": "string", "value": value}}}})
	}
	for _, c := range []struct {
		name  string
		spec  *spec
		want  catalog.Impact
		fixed bool
	}{
		{"a fixed chat", inARow(telegram("-1001234")), catalog.Notice, true},
		{"the chat of the event", inARow(telegram("={{ $json.body.message.chat.id }}")), catalog.Message, false},
		{"the chat of the event by name", inARow(noOp("A"), telegram("={{ $('Hook').item.json.body.chat }}")), catalog.Message, false},
		{"a chat from the environment", inARow(telegram("={{ $env.CHAT }}")), catalog.Notice, true},
		{"a chat from a variable", inARow(telegram("={{ $vars.chat }}")), catalog.Notice, true},
		{"an expression that is a constant", inARow(telegram("={{ '-1001234' }}")), catalog.Notice, true},
		{"text without an equals sign", inARow(telegram("{{ $json.chat }}")), catalog.Notice, true},
		{"a chat that a Set node configures", inARow(config("-1001234"), telegram("={{ $json.chat }}")), catalog.Notice, true},
		{"the same by name", inARow(config("-1001234"), noOp("A"), telegram("={{ $('Config').item.json.chat }}")), catalog.Notice, true},
		{"a Set node that takes it from the event", inARow(config("={{ $json.body.chat }}"), telegram("={{ $json.chat }}")), catalog.Message, false},
		{"a fixed slack channel", inARow(slack(channel("C123"))), catalog.Notice, true},
		{"a slack channel of the event", inARow(slack(channel("={{ $json.body.channel }}"))), catalog.Message, false},
		{"a slack user of the event", inARow(slack(object{"select": "user", "user": object{"__rl": true, "mode": "id", "value": "={{ $json.body.user }}"}})), catalog.Message, false},
		{"mail is a message anyway", inARow(node("Act", "gmail", 2.1, object{"sendTo": "boss@example.com"})), catalog.Message, true},
		{"money stays money", inARow(node("Act", "stripe", 1, object{"resource": "charge", "operation": "create", "amount": "={{ $json.body.amount }}"})), catalog.Money, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := effectOf(analyze(t, c.spec)[0], "Act")
			require.NotNil(t, e)
			require.Equal(t, c.want, e.Impact)
			if c.want == catalog.Notice || c.want == catalog.Message {
				require.Equal(t, c.fixed, e.Fixed)
			}
		})
	}
}

// What is no effect: reads, ephemeral actions, idempotent writes, disabled nodes.
func TestNoEffect(t *testing.T) {
	for name, n := range map[string]object{
		"a read":             node("Act", "postgres", 2.6, query("SELECT 1")),
		"typing":             node("Act", "telegram", 1.2, object{"operation": "sendChatAction", "chatId": "1"}),
		"a reaction":         node("Act", "slack", 2.3, object{"resource": "reaction", "operation": "add"}),
		"an upsert":          node("Act", "postgres", 2.6, rowParameters("upsert", keyAndState)),
		"a PUT":              node("Act", "httpRequest", 4.2, object{"method": "PUT", "url": "https://example.com/x/1"}),
		"a GET":              node("Act", "httpRequest", 4.2, object{"url": "https://example.com/x"}),
		"off":                node("Act", "gmail", 2.1, object{"sendTo": "x"}, object{"disabled": true}),
		"a community node":   node("Act", "n8n-nodes-somebody.thing", 1, object{"operation": "send"}),
		"an update of a row": node("Act", "postgres", 2.6, query("UPDATE orders SET state = 'paid' WHERE id = $1")),
	} {
		t.Run(name, func(t *testing.T) {
			require.Nil(t, effectOf(analyze(t, inARow(n))[0], "Act"))
		})
	}
}

// RULES, severity: log, audit and run tables keep one row a run by purpose.
func TestLogTables(t *testing.T) {
	for _, c := range []struct {
		table string
		log   bool
	}{{"workflow_logs", true}, {"audit", true}, {"run_history", true}, {"dead_letter_queue", true}, {"api_usage", true}, {"orders", false}, {"catalogue", false}, {"blog_posts", false}, {"login", false}} {
		t.Run(c.table, func(t *testing.T) {
			e := effectOf(analyze(t, inARow(node("Act", "postgres", 2.6, query("INSERT INTO "+c.table+" (a) VALUES ($1)"))))[0], "Act")
			require.NotNil(t, e)
			require.Equal(t, c.log, e.Log)
		})
	}
}

// RULES: a human approval and a branch on its answer is a gate of unknown
// quality; without the branch it is none.
func TestApproval(t *testing.T) {
	ask := func(kind string, p object) object {
		p["operation"] = "sendAndWait"
		return node("Ask", kind, map[string]float64{"gmail": 2.1, "slack": 2.3, "telegram": 1.2}[kind], p)
	}
	yes := gate("Yes?", condition("={{ $json.data.approved }}", "boolean", "true"))
	for name, n := range map[string]object{
		"gmail":    ask("gmail", object{"sendTo": "boss@example.com", "subject": "?", "message": "?"}),
		"slack":    ask("slack", object{"select": "channel", "channelId": object{"value": "C1"}, "message": "?"}),
		"telegram": ask("telegram", object{"chatId": "1", "message": "?"}),
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, workflow(hook(), n, yes, mail("Send"), mail("Refused"), "Hook -> Ask -> Yes? -> Send", "Yes?:1 -> Refused"))[0]
			require.Equal(t, isUnsure, outcomeOf(t, f, "Send"))
			require.Equal(t, isUnclaimed, outcomeOf(t, f, "Ask"), "the question itself is sent again")
			// Whoever is asked again has to answer again, also where no branch asks for it.
			f = analyze(t, workflow(hook(), n, mail("Send"), "Hook -> Ask -> Send"))[0]
			require.Equal(t, isUnsure, outcomeOf(t, f, "Send"))
			f = analyze(t, workflow(hook(), n, mail("Send"), mail("Beside"), "Hook -> Ask -> Send", "Hook -> Beside"))[0]
			require.Equal(t, isUnclaimed, outcomeOf(t, f, "Beside"))
			off := plus(object{}, n, object{"disabled": true})
			f = analyze(t, workflow(hook(), off, mail("Send"), "Hook -> Ask -> Send"))[0]
			require.Equal(t, isUnclaimed, outcomeOf(t, f, "Send"))
		})
	}
}

func agent(name string, settings ...object) object {
	return node(name, "@n8n/n8n-nodes-langchain.agent", 1.7, object{"promptType": "define", "text": "={{ $json.body.text }}"}, settings...)
}

// Tools act for the agent that uses them (N8N.md section 7).
func TestTools(t *testing.T) {
	tool := node("Mail tool", "gmailTool", 2.1, object{"sendTo": "={{ $fromAI('to') }}", "subject": "x", "message": "y"})
	f := analyze(t, workflow(hook(), agent("Agent"), tool, "Hook -> Agent", "Mail tool =ai_tool> Agent"))[0]
	e := effectOf(f, "Mail tool")
	require.NotNil(t, e)
	require.Equal(t, "Agent", e.Agent.Name)
	require.Equal(t, catalog.Message, e.Impact)
	require.True(t, f.Reached(f.Workflow.Node("Mail tool")))

	t.Run("of an agent that is a tool", func(t *testing.T) {
		inner := node("Inner", "@n8n/n8n-nodes-langchain.agentTool", 2.2, object{"text": "x"})
		f := analyze(t, workflow(hook(), agent("Agent"), inner, tool, "Hook -> Agent", "Inner =ai_tool> Agent", "Mail tool =ai_tool> Inner"))[0]
		require.Equal(t, "Agent", effectOf(f, "Mail tool").Agent.Name)
	})
	t.Run("of an agent that nobody starts", func(t *testing.T) {
		f := analyze(t, workflow(hook(), mail("Send"), agent("Agent"), tool, "Hook -> Send", "Mail tool =ai_tool> Agent"))[0]
		require.Nil(t, effectOf(f, "Mail tool"))
	})
	t.Run("disabled", func(t *testing.T) {
		off := node("Mail tool", "gmailTool", 2.1, object{"sendTo": "x"}, object{"disabled": true})
		f := analyze(t, workflow(hook(), agent("Agent"), off, "Hook -> Agent", "Mail tool =ai_tool> Agent"))[0]
		require.Nil(t, effectOf(f, "Mail tool"))
	})
	t.Run("of a disabled agent", func(t *testing.T) {
		f := analyze(t, workflow(hook(), agent("Agent", object{"disabled": true}), tool, mail("Send"), "Hook -> Agent -> Send", "Mail tool =ai_tool> Agent"))[0]
		require.Nil(t, effectOf(f, "Mail tool"))
	})
	t.Run("a node on the main way has no agent", func(t *testing.T) {
		require.Nil(t, effectOf(analyze(t, inARow(mail("Act")))[0], "Act").Agent)
	})
}
