package httpcall

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseOperations(t *testing.T) {
	for _, c := range []struct {
		document string
		want     []operation
	}{
		{"{ me { id } }", []operation{{kind: "query", fields: []string{"me"}}}},
		{"query Q($a: [Int!]! = [1]) @live { a(x: {b: \"}\"}) { c } d }", []operation{{kind: "query", name: "Q", fields: []string{"a", "d"}}}},
		{"# mutation { x }\nquery { a }", []operation{{kind: "query", fields: []string{"a"}}}},
		{"fragment F on T { mutation { a } } query { ...F b }", []operation{{kind: "query", fields: []string{"", "b"}}}},
		{"mutation { alias: orderCreate(note: \"query { a }\") { id } }", []operation{{kind: "mutation", fields: []string{"orderCreate"}}}},
		{"mutation M { a(s: \"\"\"x \\\"\"\" } \"\"\") b }", []operation{{kind: "mutation", name: "M", fields: []string{"a", "b"}}}},
		{"query A { a } mutation B { b }", []operation{{kind: "query", name: "A", fields: []string{"a"}}, {kind: "mutation", name: "B", fields: []string{"b"}}}},
		{"subscription { s }", []operation{{kind: "subscription", fields: []string{"s"}}}},
		{"{ ... on User { a } b }", []operation{{kind: "query", fields: []string{"", "b"}}}},
		{"\uFEFF{ a, b }", []operation{{kind: "query", fields: []string{"a", "b"}}}},
		{"mutation { a(id: \x00) { id } }", []operation{{kind: "mutation", fields: []string{"a"}}}},
		{"mutation { \x00 }", []operation{{kind: "mutation", fields: []string{""}}}},
	} {
		got, ok := parseOperations(c.document)
		require.True(t, ok, c.document)
		require.Equal(t, c.want, got, c.document)
	}
	for _, document := range []string{"", "hello", "\x00", "\x00 { a }", "mutation", "mutation M(", "fragment F on T {", "schema { query: Q }"} {
		_, ok := parseOperations(document)
		require.False(t, ok, "%q", document)
	}
}

func TestDirectives(t *testing.T) {
	operations, ok := parseOperations(`mutation { a @idempotent(key: "k", list: [1, {x: "]"}]) { b @skip(if: true) } c @d }`)
	require.True(t, ok)
	require.Len(t, operations, 1)
	require.Equal(t, []string{"a", "c"}, operations[0].fields)
	require.Len(t, operations[0].directives, 2)
	require.Equal(t, "idempotent", operations[0].directives[0].name)
	require.Len(t, operations[0].directives[0].arguments, 2)
	require.Equal(t, "d", operations[0].directives[1].name)
}

func TestGraphQLRequests(t *testing.T) {
	for _, c := range []struct {
		url, document string
		kind          Kind
		impact        Impact
	}{
		{"https://shop.myshopify.com/admin/api/2026-04/graphql.json", "mutation { refundCreate(input: {}) { id } }", KindRepeatable, ImpactMoney},
		{"https://shop.myshopify.com/admin/api/2026-04/graphql.json", "mutation { orderCreate(order: {}) { id } }", KindRepeatable, ImpactMoney},
		{"https://shop.myshopify.com/admin/api/2026-04/graphql.json", "mutation { tagsAdd(id: 1) { id } orderCreate { id } }", KindRepeatable, ImpactMoney},
		{"https://shop.myshopify.com/admin/api/2026-04/graphql.json", "mutation { metafieldsSet(metafields: []) { id } }", KindIdempotent, ImpactRecord},
		{"https://shop.myshopify.com/admin/api/2026-04/graphql.json", "{ orders(first: 1) { id } }", KindRead, ImpactNone},
		{"https://api.monday.com/v2", "mutation { create_item(board_id: 1) { id } }", KindRepeatable, ImpactRecord},
		{"https://api.monday.com/v2", "mutation { change_column_value(board_id: 1) { id } }", KindIdempotent, ImpactRecord},
		{"https://api.linear.app/graphql", "mutation { issueCreate(input: {}) { id } }", KindRepeatable, ImpactRecord},
		{"https://api.linear.app/graphql", "mutation { issueUpdate(id: 1) { id } }", KindIdempotent, ImpactRecord},
		{"https://api.linear.app/graphql", "query { issues { id } }", KindRead, ImpactNone},
		{"https://house.example/v1/graphql", "mutation { doSomething { id } }", KindRepeatable, ImpactRecord},
		{"https://house.example/graphql", "not a document", KindUnknown, ImpactNone},
		{"https://house.example/graphql", "{}", KindUnknown, ImpactNone},
	} {
		body, err := json.Marshal(map[string]string{"query": c.document})
		require.NoError(t, err)
		r := call("POST "+c.url, "")
		r.Body = Body{Kind: BodyJSON, Text: Literal(string(body))}
		if c.document == "{}" {
			r.Body.Text = Hole(1)
		}
		v := Classify(r)
		require.Equal(t, [2]string{string(c.kind), string(c.impact)}, [2]string{string(v.Kind), string(v.Impact)}, "%s: %s", c.document, v.Why)
		require.Equal(t, BasisGraphQL, v.Basis, c.document)

		r.Body = Body{Kind: BodyJSON, Fields: []Field{{Name: Literal("query"), Value: template(c.document)}}}
		require.Equal(t, c.kind, Classify(r).Kind, c.document)
	}
}

func TestTheNamedOperationRuns(t *testing.T) {
	documents := `"query": "query A { a } mutation B { createThing { id } }"`
	require.Equal(t, KindRead, Classify(call("POST https://h.example/graphql", `{`+documents+`, "operationName": "A"}`)).Kind)
	require.Equal(t, KindRepeatable, Classify(call("POST https://h.example/graphql", `{`+documents+`, "operationName": "B"}`)).Kind)
	require.Equal(t, KindRepeatable, Classify(call("POST https://h.example/graphql", `{`+documents+`}`)).Kind)
	require.Equal(t, KindUnknown, Classify(call("POST https://h.example/graphql", `{`+documents+`, "operationName": "{}"}`)).Kind)
}
