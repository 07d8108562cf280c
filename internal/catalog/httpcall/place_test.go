package httpcall

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func placeOf(p Position) string {
	return fmt.Sprintf("%s:%s:%d", p.Place, p.Name, p.Index)
}

func TestDestinations(t *testing.T) {
	form := call("POST https://api.telegram.org/bot{}/sendMessage", "")
	form.Body = Body{Kind: BodyForm, Fields: []Field{{Name: Literal("text"), Value: Literal("x")}, {Name: Literal("chat_id"), Value: Hole(2)}}}
	listed := call("GET https://api.telegram.org/bot{}/sendMessage", "")
	listed.Query = []Field{{Name: Literal("chat_id"), Value: Literal("-100")}}
	for _, c := range []struct {
		name    string
		request Request
		want    []string
	}{
		{"form field", form, []string{"body:chat_id:1"}},
		{"query parameter", listed, []string{"query:chat_id:0"}},
		{"in the URL", call("GET https://api.telegram.org/bot{}/sendMessage?chat_id={}", ""), []string{"query:chat_id:-1"}},
		{"JSON text", call("POST https://slack.com/api/chat.postMessage", `{"channel": "C1", "text": "{}"}`), []string{"body:channel:-1"}},
		{"inner field", call("POST https://graph.facebook.com/v22.0/me/messages", `{"recipient": {"id": "{}"}}`), []string{"body:recipient.id:-1"}},
		{"segment", call("POST https://discord.com/api/v10/channels/{}/messages", ""), []string{"path:channel:-1"}},
		{"unreadable body", call("POST https://slack.com/api/chat.postMessage", "{}"), nil},
	} {
		destination := Classify(c.request).Destination
		require.True(t, destination.Declared, c.name)
		var got []string
		for _, position := range destination.Positions {
			got = append(got, placeOf(position))
		}
		require.Equal(t, c.want, got, c.name)
	}
	require.False(t, Classify(call("POST https://discord.com/api/webhooks/1/x", "")).Destination.Declared)
}
