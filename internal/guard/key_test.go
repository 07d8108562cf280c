package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// postTo is a POST with a header.
func postTo(url, header, value string) object {
	p := object{"method": "POST", "url": url, "sendBody": true, "specifyBody": "json", "jsonBody": `={"amount": {{ $json.body.amount }}}`}
	if header != "" {
		p["sendHeaders"] = true
		p["headerParameters"] = object{"parameters": []object{{"name": header, "value": value}}}
	}
	return node("Act", "httpRequest", 4.2, p)
}

// RULES, words: enforcing and advisory services, volatile and constant keys;
// N8N.md section 2: $execution.id is the same on every try, $now is not.
func TestRequestKeys(t *testing.T) {
	const stripe, other, slack = "https://api.stripe.com/v1/payment_intents", "https://api.example.com/orders", "https://slack.com/api/chat.postMessage"
	const stable = "={{ $json.body.id }}"
	for _, c := range []struct {
		name                     string
		node                     object
		none                     bool
		enforced                 Enforcement
		volatile, perTry         bool
		constant                 bool
		protects, survivesARetry bool
	}{
		{name: "stable", node: postTo(stripe, "Idempotency-Key", stable), enforced: Enforcing, protects: true, survivesARetry: true},
		{name: "header names have no case", node: postTo(stripe, "idempotency-key", stable), enforced: Enforcing, protects: true, survivesARetry: true},
		{name: "with a prefix", node: postTo(stripe, "Idempotency-Key", "=order-{{ $json.body.id }}"), enforced: Enforcing, protects: true, survivesARetry: true},
		{name: "of another node", node: postTo(stripe, "Idempotency-Key", "={{ $('Hook').item.json.body.id }}"), enforced: Enforcing, protects: true, survivesARetry: true},
		{name: "hash", node: postTo(stripe, "Idempotency-Key", "={{ $json.body.id.hash('sha256') }}"), enforced: Enforcing, protects: true, survivesARetry: true},
		{name: "execution id", node: postTo(stripe, "Idempotency-Key", "={{ $execution.id }}"), enforced: Enforcing, volatile: true, survivesARetry: true},
		{name: "now", node: postTo(stripe, "Idempotency-Key", "={{ $now.toMillis() }}"), enforced: Enforcing, volatile: true, perTry: true},
		{name: "random", node: postTo(stripe, "Idempotency-Key", "={{ Math.random() }}"), enforced: Enforcing, volatile: true, perTry: true},
		{name: "a stable and a volatile part", node: postTo(stripe, "Idempotency-Key", "={{ $json.body.id }}-{{ Date.now() }}"), enforced: Enforcing, volatile: true, perTry: true},
		{name: "hash of a volatile value", node: postTo(stripe, "Idempotency-Key", "={{ $now.toISO().hash() }}"), enforced: Enforcing, volatile: true, perTry: true},
		{name: "literal", node: postTo(stripe, "Idempotency-Key", "order"), enforced: Enforcing, constant: true, survivesARetry: true},
		{name: "an expression that lost its sign", node: postTo(stripe, "Idempotency-Key", "{{ $json.body.id }}"), enforced: Enforcing, constant: true, survivesARetry: true},
		{name: "no key", node: postTo(stripe, "", ""), none: true},
		{name: "another header", node: postTo(stripe, "X-Trace", stable), none: true},
		{name: "unknown host", node: postTo(other, "Idempotency-Key", stable), enforced: UnknownHost},
		{name: "unknown host, volatile", node: postTo(other, "Idempotency-Key", "={{ $now }}"), enforced: UnknownHost, volatile: true, perTry: true},
		{name: "a service that ignores it", node: postTo(slack, "Idempotency-Key", stable), enforced: Ignoring},
		{name: "hosts are compared whole", node: postTo("https://api.stripe.com.example.com/v1/payment_intents", "Idempotency-Key", stable), enforced: UnknownHost},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := effectOf(analyze(t, inARow(c.node))[0], "Act")
			require.NotNil(t, e)
			if c.none {
				require.Nil(t, e.Key)
				require.False(t, e.Key.Protects(), "no key protects nothing")
				require.False(t, e.Key.SurvivesRetry())
				return
			}
			require.NotNil(t, e.Key)
			require.Equal(t, c.enforced, e.Key.Enforced)
			require.Equal(t, c.volatile, e.Key.Volatile != "")
			require.Equal(t, c.perTry, e.Key.PerTry != "")
			require.Equal(t, c.constant, e.Key.Constant)
			require.Equal(t, c.protects, e.Key.Protects())
			require.Equal(t, c.survivesARetry, e.Key.SurvivesRetry())
		})
	}
}

// The parameters of n8n's own nodes that are keys at their service.
func TestNodeKeys(t *testing.T) {
	chat := func(id any) object {
		p := object{"resource": "message", "operation": "create", "spaceId": "spaces/1", "additionalFields": object{}}
		if id != nil {
			p["additionalFields"] = object{"requestId": id}
		}
		return node("Act", "googleChat", 1, p)
	}
	queue := func(id string) object {
		return node("Act", "awsSqs", 1, object{"operation": "sendMessage", "queue": "q.fifo", "options": object{"messageDeduplicationId": id}})
	}
	for _, c := range []struct {
		name     string
		node     object
		none     bool
		protects bool
	}{
		{"google chat", chat("={{ $json.body.id }}"), false, true},
		{"google chat, made anew", chat("={{ $now }}"), false, false},
		{"google chat, literal", chat("fixed"), false, false},
		{"google chat, none", chat(nil), true, false},
		{"google chat, empty", chat(""), true, false},
		{"sqs", queue("={{ $json.body.id }}"), false, true},
		{"sqs, made anew", queue("={{ Math.random() }}"), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := effectOf(analyze(t, inARow(c.node))[0], "Act")
			require.NotNil(t, e)
			require.Equal(t, c.none, e.Key == nil)
			require.Equal(t, c.protects, e.Key.Protects())
		})
	}
}
