package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/catalog"
)

var retryOn = object{"retryOnFail": true}

func plus(n object, settings ...object) object {
	for _, s := range settings {
		for k, v := range s {
			n[k] = v
		}
	}
	return n
}

func retriedNodes(f *Facts) map[string]string {
	m := map[string]string{}
	for _, r := range f.Retried {
		m[r.Node.Name] = r.Effect.Node.Name
	}
	return m
}

// N8N.md section 2: a second try does the whole node again, also behind a claim.
func TestRetried(t *testing.T) {
	for _, c := range []struct {
		name string
		spec *spec
		want map[string]string
	}{
		{"a post", inARow(plus(postTo("https://api.example.com/x", "", ""), retryOn)), map[string]string{"Act": "Act"}},
		{"a mail", inARow(plus(mail("Act"), retryOn)), map[string]string{"Act": "Act"}},
		{"behind a right claim", gated(claim(insertReturning), keyGate()), map[string]string{}},
		{"off", inARow(plus(mail("Act"), object{"retryOnFail": false})), map[string]string{}},
		{"tries without the switch", inARow(plus(mail("Act"), object{"maxTries": 5})), map[string]string{}},
		{"text is no switch", inARow(plus(mail("Act"), object{"retryOnFail": "true"})), map[string]string{}},
		{"disabled", inARow(plus(mail("Act"), retryOn, object{"disabled": true})), map[string]string{}},
		{"a read", inARow(node("Act", "httpRequest", 4.2, object{"url": "https://example.com"}, retryOn)), map[string]string{}},
		{"a PUT", inARow(node("Act", "httpRequest", 4.2, object{"method": "PUT", "url": "https://example.com/x/1"}, retryOn)), map[string]string{}},
		{"an upsert", inARow(node("Act", "postgres", 2.6, rowParameters("upsert", keyAndState), retryOn)), map[string]string{}},
		{"a claim", inARow(claim(insertReturning, retryOn)), map[string]string{}},
		{"a plain insert that may be the claim", inARow(claim("INSERT INTO claims (event_key, status) VALUES ($1, 'pending')", retryOn)), map[string]string{}},
		{"nobody starts it", workflow(hook(), noOp("A"), plus(mail("Act"), retryOn), "Hook -> A"), map[string]string{}},
		{"code that posts", inARow(plus(code("await this.helpers.httpRequest({ method: 'POST', url: 'https://api.example.com/x', body: {} });\nreturn [];", nil), retryOn)), map[string]string{"Won?": "Won?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, retriedNodes(analyze(t, c.spec)[0]))
		})
	}
	s := gated(claim(insertReturning), keyGate())
	plus(s.nodes[len(s.nodes)-1], retryOn)
	require.Equal(t, map[string]string{"Send": "Send"}, retriedNodes(analyze(t, s)[0]), "the claim does not guard the retry (N8N.md section 5, d5)")
}

// RULES, retry-non-idempotent: an agent whose tools act, the strongest first.
func TestRetriedAgents(t *testing.T) {
	tool := func(name string) object {
		return node(name, "gmailTool", 2.1, object{"sendTo": "x", "subject": "x", "message": "y"})
	}
	charge := func(header, value string) object {
		n := postTo("https://api.stripe.com/v1/charges", header, value)
		n["name"], n["type"] = "Charge", "n8n-nodes-base.httpRequestTool"
		return n
	}
	read := node("Look", "httpRequestTool", 4.2, object{"url": "https://example.com"})
	for _, c := range []struct {
		name string
		spec *spec
		want map[string]string
	}{
		{"a mail", workflow(hook(), agent("Agent", retryOn), tool("Mail"), "Hook -> Agent", "Mail =ai_tool> Agent"), map[string]string{"Agent": "Mail"}},
		{"the strongest", workflow(hook(), agent("Agent", retryOn), tool("Mail"), charge("", ""), "Hook -> Agent", "Mail =ai_tool> Agent", "Charge =ai_tool> Agent"), map[string]string{"Agent": "Charge"}},
		{"a keyed charge repeats nothing, the mail does", workflow(hook(), agent("Agent", retryOn), tool("Mail"), charge("Idempotency-Key", "={{ $('Hook').item.json.body.id }}"), "Hook -> Agent", "Mail =ai_tool> Agent", "Charge =ai_tool> Agent"), map[string]string{"Agent": "Mail"}},
		{"only reads", workflow(hook(), agent("Agent", retryOn), read, "Hook -> Agent", "Look =ai_tool> Agent"), map[string]string{}},
		{"no tools", workflow(hook(), agent("Agent", retryOn), "Hook -> Agent"), map[string]string{}},
		{"the tool itself", workflow(hook(), agent("Agent"), plus(tool("Mail"), retryOn), "Hook -> Agent", "Mail =ai_tool> Agent"), map[string]string{"Mail": "Mail"}},
		{"a disabled tool", workflow(hook(), agent("Agent", retryOn), plus(tool("Mail"), object{"disabled": true}), "Hook -> Agent", "Mail =ai_tool> Agent"), map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, retriedNodes(analyze(t, c.spec)[0]))
		})
	}
}

// N8N.md section 2: a retry on Execute Workflow runs a whole new sub-execution,
// with an execution id of its own.
func TestRetriedCalls(t *testing.T) {
	send := workflow(hook(), plus(call("callee"), retryOn), "Hook -> Call").called("caller", "", "caller.json")
	inner := func(n object) *spec { return calleeOf(n, "Start -> "+n["name"].(string)) }

	f := analyze(t, send, inner(mail("Inner")))[0]
	require.Equal(t, map[string]string{"Call": "Inner"}, retriedNodes(f))
	require.Equal(t, catalog.Message, f.Retried[0].Effect.Impact)

	require.Empty(t, analyze(t, send, inner(noOp("Inner")))[0].Retried)
	require.Empty(t, analyze(t, send)[0].Retried, "the called workflow is not in the set")

	keyed := inner(postTo("https://api.stripe.com/v1/charges", "Idempotency-Key", "={{ $json.id }}"))
	for _, r := range analyze(t, send, keyed)[0].Retried {
		require.True(t, r.Effect.Key.SurvivesRetry())
	}
	byExecution := inner(postTo("https://api.stripe.com/v1/charges", "Idempotency-Key", "={{ $execution.id }}"))
	f = analyze(t, send, byExecution)[0]
	require.Equal(t, map[string]string{"Call": "Act"}, retriedNodes(f))
	require.False(t, f.Retried[0].Effect.Key.SurvivesRetry(), "each try of the call has another execution id")
	require.True(t, effectOf(analyze(t, send, byExecution)[1], "Act").Key.SurvivesRetry(), "a retry of the node itself keeps it")

	claims := calleeOf(claimAndGate(), mail("Inner"), "Start -> Claim -> Won? -> Inner")
	require.Empty(t, analyze(t, send, claims)[0].Retried, "the second try loses the called workflow's own claim")

	self := calleeOf(mail("Inner"), plus(call("callee"), retryOn), "Start -> Inner -> Call")
	require.Equal(t, map[string]string{"Call": "Inner"}, retriedNodes(analyze(t, self)[0]), "recursion ends")
}
