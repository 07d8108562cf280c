package httpcall

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func withHeader(r Request, name, value string) Request {
	r.Headers = append(r.Headers, Field{Name: template(name), Value: template(value)})
	return r
}

func TestKeyFields(t *testing.T) {
	graphql := func(document, variables string) Request {
		return call("POST https://shop.myshopify.com/admin/api/2026-04/graphql.json", `{"query": "`+document+`", "variables": `+variables+`}`)
	}
	for _, c := range []struct {
		name    string
		request Request
		service string
		class   Class
		keys    []string
	}{
		{"header", withHeader(call("POST https://api.stripe.com/v1/charges", ""), "idempotency-key", "a-{}"), "Stripe v1", ClassEnforcing, []string{"header:idempotency-key:0"}},
		{"header missing", call("POST https://api.stripe.com/v1/charges", ""), "Stripe v1", ClassEnforcing, nil},
		{"another header", withHeader(call("POST https://api.stripe.com/v1/charges", ""), "X-Request-Id", "{}"), "Stripe v1", ClassEnforcing, nil},
		{"body field", call("POST https://connect.squareup.com/v2/payments", `{"idempotency_key": "{}"}`), "Square", ClassEnforcing, []string{"body:idempotency_key:-1"}},
		{"body field at any resource", call("POST https://api.accounting.sage.com/v3.1/contacts", `{"contact": {"idempotency_id": "{}"}}`), "Sage Accounting", ClassEnforcing, []string{"body:contact.idempotency_id:-1"}},
		{"query parameter", call("POST https://quickbooks.api.intuit.com/v3/company/1/invoice?requestid={}", ""), "QuickBooks Online", ClassEnforcing, []string{"query:requestid:-1"}},
		{"nested body field", call("POST https://api.brevo.com/v3/smtp/email", `{"headers": {"idempotencyKey": "{}"}}`), "Brevo transactional", ClassEnforcing, []string{"body:headers.idempotencyKey:-1"}},
		{"conflict columns", withHeader(call("POST https://x.supabase.co/rest/v1/events?on_conflict=event_id, source", `{"event_id": "{}", "source": "a", "note": "b"}`), "Prefer", "return=minimal,resolution=ignore-duplicates"), "Supabase / PostgREST", ClassEnforcing, []string{"body:event_id:-1", "body:source:-1"}},
		{"plain insert", call("POST https://x.supabase.co/rest/v1/events?on_conflict=event_id", `{"event_id": "{}"}`), "Supabase / PostgREST", ClassNone, nil},
		{"columns with spaces", call("PATCH https://api.airtable.com/v0/app/tbl", `{"performUpsert": {"fieldsToMergeOn": ["Order ID"]}, "records": [{"fields": {"Order ID": "{}"}}]}`), "Airtable upsert", ClassEnforcing, []string{"body:records.0.fields.Order ID:-1"}},
		{"path", call("PUT https://us1.api.mailchimp.com/3.0/lists/1/members/{}", ""), "Mailchimp member PUT", ClassEnforcing, []string{"path:subscriber_hash:-1"}},
		{"directive", graphql("mutation { refundCreate(input: {}) @idempotent(key: \\\"k-{}\\\") { id } }", "{}"), "Shopify Admin GraphQL", ClassEnforcing, []string{"body:key:-1"}},
		{"directive with a variable", graphql("mutation($k: String!) { refundCreate(input: {}) @idempotent(key: $k) { id } }", `{"k": "{}"}`), "Shopify Admin GraphQL", ClassEnforcing, []string{"body:variables.k:-1"}},
		{"directive missing", graphql("mutation { refundCreate(input: {}) { id } }", "{}"), "Shopify Admin GraphQL", ClassEnforcing, nil},
		{"a mutation that takes none", graphql("mutation { tagsAdd(id: 1) { id } }", "{}"), "Shopify Admin GraphQL", ClassNone, nil},
		{"enforced nonce", call("POST https://discord.com/api/v10/channels/1/messages", `{"nonce": "{}", "enforce_nonce": true}`), "Discord create message", ClassEnforcing, []string{"body:nonce:-1"}},
		{"nonce alone", call("POST https://discord.com/api/v10/channels/1/messages", `{"nonce": "{}"}`), "Discord create message", ClassAdvisory, []string{"body:nonce:-1"}},
		{"another n8n", call("POST https://n8n.example.com/webhook/x", ""), "another n8n webhook", ClassNone, nil},
	} {
		p := ProviderFor(c.request)
		require.NotNil(t, p, c.name)
		require.Equal(t, c.service, p.Service, c.name)
		require.Equal(t, c.class, p.Class, c.name)
		var keys []string
		for _, key := range KeyFields(p, c.request) {
			require.Equal(t, p, key.Provider, c.name)
			require.Equal(t, p.Confidence, key.Confidence, c.name)
			keys = append(keys, placeOf(key.Position))
		}
		require.Equal(t, c.keys, keys, c.name)
	}
	require.Nil(t, KeyFields(nil, Request{}))
	require.Nil(t, ProviderFor(call("POST https://api.example.com/v1/orders", "")))
}

// The value of a key keeps its holes, so that a caller can judge whether it is stable.
func TestKeyValuesKeepTheirHoles(t *testing.T) {
	r := call("POST https://connect.squareup.com/v2/payments", `{"idempotency_key": "order-{}", "amount": {}}`)
	keys := KeyFields(ProviderFor(r), r)
	require.Len(t, keys, 1)
	require.Equal(t, Text{Parts: []Part{{Literal: "order-"}, {Hole: 1}}}, keys[0].Value)
}

func TestNamedKeys(t *testing.T) {
	r := withHeader(call("POST https://api.example.com/v1/orders?dedup_key={}", `{"meta": {"idempotencyKey": "{}"}, "key": "x"}`), "X-Idempotency-Key", "{}")
	var found []string
	for _, key := range NamedKeys(r) {
		require.Nil(t, key.Provider)
		require.Equal(t, Medium, key.Confidence)
		found = append(found, placeOf(key.Position))
	}
	require.Equal(t, []string{"header:X-Idempotency-Key:0", "query:dedup_key:-1", "body:meta.idempotencyKey:-1"}, found)
	require.Empty(t, NamedKeys(withHeader(call("POST https://api.example.com/v1/orders", `{"id": 1}`), "X-Request-Id", "{}")))
	for _, name := range []string{"clientRequestId", "client_request_id", "Client-Request-ID", "CLIENT_REQUEST_ID"} {
		require.Len(t, NamedKeys(call("POST https://api.example.com/v1/orders", `{"`+name+`": "{}"}`)), 1, name)
	}
	require.Empty(t, NamedKeys(withHeader(call("POST https://api.example.com/v1/orders", `{"id": 1}`), "client-request-id", "{}")), "a header of that name is for tracing")
}
