package httpcall

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzClassify: whatever the texts are, a request gets a verdict that the tables could hold, and the same one twice.
func FuzzClassify(f *testing.F) {
	f.Add("POST", "https://api.stripe.com/v1/charges", `{"a": "{}"}`, "Idempotency-Key")
	f.Add("GET", "https://api.telegram.org/bot{}/sendMessage?chat_id={}", "", "")
	f.Add("POST", "https://{}.myshopify.com/admin/api/2026-04/graphql.json", `{"query": "mutation { refundCreate @idempotent(key: $k) { id } }", "variables": {}}`, "")
	f.Add("PATCH", "https://api.airtable.com/v0/a/b", `{"performUpsert": {"fieldsToMergeOn": ["a"]}, "records": [{"fields": {"a": 1}}]}`, "Prefer")
	f.Add("", "{}/x//y\\z?a[]=1&=&b#c", `[[[{"a": [`, "\x00")
	f.Fuzz(func(t *testing.T, method, url, body, header string) {
		r := Request{Method: method, MethodKnown: !strings.Contains(method, "{}"), URL: template(url)}
		r.Headers = []Field{{Name: template(header), Value: template(body)}}
		r.Body = Body{Kind: BodyJSON, Text: template(body)}
		v := Classify(r)
		require.NoError(t, checkVerdict(v.Kind, v.Impact, v.Confidence))
		require.NotEqual(t, kindGraphQL, v.Kind)
		require.NotEmpty(t, v.Why)
		require.Equal(t, v, Classify(r))
		for _, key := range append(KeyFields(v.Provider, r), NamedKeys(r)...) {
			if key.Place == PlaceHeader {
				require.Equal(t, r.Headers[key.Index].Value, key.Value)
			}
		}
		fields, _ := JSONFields(r.Body.Text)
		require.LessOrEqual(t, len(fields), maxFields)
	})
}
